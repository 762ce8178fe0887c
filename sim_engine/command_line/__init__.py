"""The engine's commands: one parser, to which other programs can add commands.

Exit status: 0 if the command ran and every check passed, 1 if a check failed, 2 if the input is
invalid or standard output cannot be written to; for several files, the highest. Results are printed
to standard output, and errors to standard error, one on each line.
"""

from sim_engine.command_line.commands import add_commands, main
from sim_engine.command_line.program import Commands, Parser, add_command, carry_out
from sim_engine.command_line.spark_jobs import (
    CAMPAIGN,
    SEARCH_GRID,
    SUMMARIZE,
    budget_text,
    declare_campaign,
    declare_replay,
    declare_search_grid,
    declare_summarize,
)
from sim_engine.command_line.streams import as_program

__all__ = [
    "CAMPAIGN",
    "SEARCH_GRID",
    "SUMMARIZE",
    "Commands",
    "Parser",
    "add_command",
    "add_commands",
    "as_program",
    "budget_text",
    "carry_out",
    "declare_campaign",
    "declare_replay",
    "declare_search_grid",
    "declare_summarize",
    "main",
]
