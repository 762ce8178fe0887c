"""Makes `import backend` and `import sim_engine` find this package's own modules.

In the repository they are top-level folders. Installed, they are in `highwater_kafka/parts/`, so
that they do not conflict with other packages of these names.
"""

import sys
from importlib import import_module
from pathlib import Path

from highwater_kafka.errors import HighwaterError

PARTS = Path(__file__).resolve().parent / "parts"
_NAMES = ("sim_engine", "backend")


def find_parts() -> None:
    """Import the packages themselves. Their modules are found from then on, without a change of
    `sys.path`.

    Raises HighwaterError if other packages with these names are imported already.
    """
    if not PARTS.is_dir():
        return
    for name in _NAMES:
        found = getattr(sys.modules.get(name), "__file__", None)
        if name in sys.modules and (found is None or PARTS not in Path(found).parents):
            raise HighwaterError(
                f"another module named {name} is imported ({found}), and highwater_kafka has its "
                "own of that name: use highwater_kafka before it, or in a process of its own"
            )
    sys.path.insert(0, str(PARTS))
    try:
        for name in _NAMES:
            import_module(name)
    finally:
        sys.path.remove(str(PARTS))
