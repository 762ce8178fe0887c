"""The engine's commands: one parser, which other programs compose with commands of their own.

Exit status: 0 it ran and all holds, 1 something does not, 2 the input is wrong; of several files
the highest. Results go to standard output, what is wrong with the input to standard error, one
problem a line.
"""

from sim_engine.command_line.commands import add_commands, main
from sim_engine.command_line.program import Commands, add_command, as_program, carry_out

__all__ = ["Commands", "add_command", "add_commands", "as_program", "carry_out", "main"]
