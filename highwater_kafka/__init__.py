"""See how Apache Kafka replicates data, from Python: in notebooks, tests and builds of documents.

    import highwater_kafka

    run = highwater_kafka.run("kip-101-data-loss", kafka="0.10.2")
    run.violated                    # ['NoAckedRecordLost', 'StrongIsr']
    run.save("loss.html")           # a page that plays the run offline
    run                             # in a notebook: the player

`run`, `compare`, `search` and `assess` need no service and no database. `Cluster` is the state of a
real cluster. Whatever is wrong with the input is a `HighwaterError`. `embed` shows a run that is
shared by a service.

Names are imported when they are first used, so that importing the package costs nothing and a
documentation tool that needs only `highwater_kafka.embedding` loads nothing else. `__main__.py` is
the program `highwater`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from highwater_kafka.api.clusters import Assessment, Cluster, assess
    from highwater_kafka.api.runs import Comparison, Moment, Run, Shown, compare, run
    from highwater_kafka.api.searches import Search, search
    from highwater_kafka.embedding.notebook import Embed, embed
    from highwater_kafka.errors import HighwaterError, Problem

    __version__: str

__all__ = [
    "Assessment",
    "Cluster",
    "Comparison",
    "Embed",
    "HighwaterError",
    "Moment",
    "Problem",
    "Run",
    "Search",
    "Shown",
    "__version__",
    "assess",
    "compare",
    "embed",
    "run",
    "search",
]

_MODULES = {
    **dict.fromkeys(("Assessment", "Cluster", "assess"), "api.clusters"),
    **dict.fromkeys(("Comparison", "Moment", "Run", "Shown", "compare", "run"), "api.runs"),
    **dict.fromkeys(("Search", "search"), "api.searches"),
    **dict.fromkeys(("Embed", "embed"), "embedding.notebook"),
    **dict.fromkeys(("HighwaterError", "Problem"), "errors"),
}


def __getattr__(name: str) -> object:
    """Import what is asked for."""
    if name == "__version__":
        from importlib.metadata import version

        return version("highwater-kafka")
    if name not in _MODULES:
        raise AttributeError(f"module 'highwater_kafka' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"highwater_kafka.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
