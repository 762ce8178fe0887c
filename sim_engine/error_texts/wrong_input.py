"""The error of a caller whose input is invalid, in a module that loads nothing else."""


class WrongInputError(Exception):
    """A file, an option or a name is invalid; the message is for the user, with a line for each
    problem.
    """
