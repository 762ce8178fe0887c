"""What is wrong with an input: a code with values, and its sentence in every language.

Scenario files, steps, campaign grids and imports use it. The codes are the names of the messages in
`scenario_errors.ftl` of each language; a test compares each literal use of a code with its message.
"""


class WrongInputError(Exception):
    """A file, an option or a name is invalid; the message is for the user, with a line for each
    problem.
    """
