"""Which GET requests have the same response for everybody, as long as this build runs: a copy of
the site without a service answers them with files.

The mark stands at the route, so there is one list of them. The OpenAPI document repeats it
(`x-file`), and the page's addresses are generated from there.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TypeVar
from urllib.parse import quote

from backend.lessons.release import release_digest
from sim_engine.articles import list_articles
from sim_engine.challenges import list_challenges
from sim_engine.conformance.fidelity import read_fidelity_checks
from sim_engine.languages import LANGUAGES
from sim_engine.releases import MODELLED
from sim_engine.scenario_reader.reader import list_shipped
from sim_engine.versions import list_versions, other_releases

_Endpoint = TypeVar("_Endpoint", bound=Callable[..., object])
Values = Callable[[], Iterable[str]]
"""All values of a parameter, for which there is a file."""

_FILES: dict[Callable[..., object], Mapping[str, Values]] = {}


def kept_as_file(**parameters: Values) -> Callable[[_Endpoint], _Endpoint]:
    """Declare that files can answer a route, one for each combination of these values of its
    parameters, in its path or in its query. A decorator below that of the route.

    A combination that the route refuses has no file.
    """

    def mark(endpoint: _Endpoint) -> _Endpoint:
        _FILES[endpoint] = parameters
        return endpoint

    return mark


def query_names_of(path: str, endpoint: Callable[..., object]) -> list[str] | None:
    """The parameters of the query that the addresses of a route's files have, in alphabetical
    order; None if files do not answer it.
    """
    parameters = _FILES.get(endpoint)
    return None if parameters is None else sorted(n for n in parameters if f"{{{n}" not in path)


def addresses_of(path: str, endpoint: Callable[..., object]) -> Iterator[str]:
    """The addresses of all files of a route; the parameters in a query are in alphabetical order.
    There are none if files do not answer it.
    """
    parameters = _FILES.get(endpoint)
    if parameters is None:
        return
    for values in product(*(values() for values in parameters.values())):
        yield _address(path, dict(zip(parameters, values, strict=True)))


def _address(path: str, values: Mapping[str, str]) -> str:
    query = []
    for name, value in sorted(values.items()):
        for placeholder in (f"{{{name}}}", f"{{{name}:path}}"):
            if placeholder in path:
                path = path.replace(placeholder, quote(value))
                break
        else:
            query.append(f"{name}={quote(value)}")
    return path + (f"?{'&'.join(query)}" if query else "")


def lesson_ids() -> Sequence[str]:
    """The id of each lesson."""
    return [scenario.id for scenario in list_shipped()]


def releases() -> Sequence[str]:
    """Each release that a reader can choose."""
    return [*(str(version["kafka"]) for version in list_versions()), *other_releases()]


def named_releases() -> Sequence[str]:
    """Each release by which a run can be named: also those of scenario files and recordings."""
    return list(dict.fromkeys((*releases(), *MODELLED)))


def release_digests() -> Sequence[str]:
    """The digest of this build, which is in addresses that may be kept for good."""
    return [release_digest()]


def article_numbers() -> Sequence[str]:
    """The number of each article."""
    return [str(number) for number in range(len(list_articles()))]


def challenge_ids() -> Sequence[str]:
    """The id of each challenge."""
    return [challenge.id for challenge in list_challenges()]


def recording_names() -> Sequence[str]:
    """The name of each recording."""
    return [recording.name for recording in read_fidelity_checks().recordings]


def languages() -> Sequence[str]:
    """Each language of the site."""
    return list(LANGUAGES)


def themes() -> Sequence[str]:
    """The themes of a picture."""
    return ["light", "dark"]
