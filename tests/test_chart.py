"""The Helm chart: its source, and the output that Helm renders for Kubernetes."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml

from backend.limit_table import BODY_BYTES, QUOTAS
from backend.settings import PREFIX, Settings
from tests.conftest import missing_tool

KUBERNETES = ("1.27", "1.37")
URL = "postgresql://highwater:secret@db/highwater"
EVERYTHING: dict[str, Any] = {
    "database": {"url": URL},
    "publicUrl": "https://highwater.example",
    "ingress": {"enabled": True, "className": "nginx", "tlsSecret": "certificate"},
    "networkPolicy": {"metricsFrom": [{"namespaceSelector": {}}]},
    "summarize": {"enabled": True},
    "imagePullSecrets": [{"name": "registry"}],
    "image": {"digest": f"sha256:{'0' * 64}"},
    "podAnnotations": {"prometheus.io/scrape": "true"},
    "nodeSelector": {"kubernetes.io/arch": "amd64"},
    "tolerations": [{"operator": "Exists"}],
    "affinity": {"nodeAffinity": {}},
}
Render = Callable[[dict[str, Any]], "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def chart(repository: Path) -> Path:
    return repository / "deploy/helm/highwater"


@pytest.fixture(scope="session")
def values(chart: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((chart / "values.yaml").read_text())
    return found


def test_the_values_are_those_of_the_schema(chart: Path, values: dict[str, Any]):
    schema = json.loads((chart / "values.schema.json").read_text())

    jsonschema.validate(values, schema)

    described = {name for name in schema["properties"] if name != "global"}
    assert set(values) == described
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**values, "replica": 3}, schema)


def test_no_source_is_trusted_by_default(values: dict[str, Any]):
    assert values["proxy"]["trustedSources"] == []


def test_every_setting_is_one_of_the_service_and_every_quota_its_own(
    chart: Path, values: dict[str, Any]
):
    config = (chart / "templates/config.yaml").read_text()

    named = set(re.findall(rf"{PREFIX}\w+", config))
    quotas = {re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", name): number
              for name, number in values["quotas"].items()}  # fmt: skip

    assert named <= {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    assert quotas == {limit.name: limit.number for limit in QUOTAS}
    assert all(f"{PREFIX}{name.upper()}" in named for name in quotas)


# Directives of the chart's proxy about its container, and about another proxy in front of it.
OF_THE_POD = {
    "worker_processes", "pid", "error_log", "access_log", "events", "worker_connections", "http",
    "client_body_temp_path", "proxy_temp_path", "fastcgi_temp_path", "uwsgi_temp_path",
    "scgi_temp_path", "listen", "real_ip_header", "real_ip_recursive",
}  # fmt: skip
SCHEME_OF_PROXY_IN_FRONT = "proxy_set_header X-Forwarded-Proto $http_x_forwarded_proto"
OWN_SCHEME = "proxy_set_header X-Forwarded-Proto $scheme"


def directives(text: str) -> set[str]:
    """The directives and the heads of the blocks of a configuration of nginx."""
    found = re.findall(r"([^;{}]+)[;{]", re.sub(r"#.*", "", text))
    return {" ".join(directive.split()) for directive in found}


@pytest.fixture(scope="session")
def proxy(chart: Path, values: dict[str, Any]) -> set[str]:
    """The directives of the chart's proxy, with the default values."""
    config = (chart / "templates/config.yaml").read_text()
    text = config.partition("nginx.conf: |")[2]
    text = re.sub(r"{{- range .*?{{- end }}", "", text, flags=re.DOTALL)
    return directives(
        re.sub(r"{{ \.Values\.proxy\.(\w+) }}", lambda found: str(values["proxy"][found[1]]), text)
    )


@pytest.mark.parametrize("language", ["", "zh/"])
def test_the_documented_proxy_has_every_directive_of_the_chart(
    repository: Path, proxy: set[str], language: str
):
    page = (repository / f"docs/{language}how-to/operate.md").read_text(encoding="utf-8")
    example = directives(page.partition("```nginx\n")[2].partition("```")[0])
    own = {directive for directive in proxy if directive.split()[0] in OF_THE_POD}

    assert {directive.split()[0] for directive in own} == OF_THE_POD
    assert proxy - own - example == {SCHEME_OF_PROXY_IN_FRONT}
    assert OWN_SCHEME in example  # TLS ends there


@pytest.mark.parametrize("language", ["", "zh/"])
def test_the_documented_requirements_of_a_proxy_are_those_of_the_chart(
    repository: Path, proxy: set[str], language: str
):
    page = (repository / f"docs/{language}reference/limits.md").read_text(encoding="utf-8")
    required = page.rpartition("\n## ")[2]
    named = set(re.findall(r"`((?:limit|client|large|send|proxy)_\w+(?: off)?)`", required))
    (size,) = (
        found[1] for it in proxy if (found := re.fullmatch(r"client_max_body_size (\d+)k", it))
    )

    assert len(named) >= 8
    for name in named:
        assert any(directive.startswith(name) for directive in proxy), name
    assert f"{size} KiB" in required
    assert int(size) * 1024 > BODY_BYTES.number  # so that the service's own error is shown


@pytest.fixture(scope="session")
def render(repository: Path, chart: Path, tmp_path_factory: pytest.TempPathFactory) -> Render:
    """The output of `helm template` with the values."""
    path = f"{repository / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"
    helm = shutil.which("helm", path=path)
    if helm is None:
        missing_tool("Helm is not installed: scripts/ensure-tool helm")
    folder = tmp_path_factory.mktemp("helm")

    def run(values: dict[str, Any]) -> "subprocess.CompletedProcess[str]":
        file = folder / "values.yaml"
        file.write_text(yaml.safe_dump(values))
        return subprocess.run(
            [helm, "template", "hw", str(chart), "--values", str(file), "--namespace", "n"],
            capture_output=True, text=True, check=False, env={**os.environ, "HOME": str(folder)},
        )  # fmt: skip

    return run


def documents(rendered: "subprocess.CompletedProcess[str]") -> list[dict[str, Any]]:
    assert rendered.returncode == 0, rendered.stderr
    return [document for document in yaml.safe_load_all(rendered.stdout) if document]


def pod_of(document: dict[str, Any]) -> dict[str, Any] | None:
    """The specification of its pods, if it has any."""
    spec = document.get("spec", {})
    if document["kind"] == "CronJob":
        spec = spec["jobTemplate"]["spec"]
    pod: dict[str, Any] | None = (
        spec if document["kind"] == "Pod" else spec.get("template", {}).get("spec")
    )
    return pod


@pytest.mark.slow
@pytest.mark.parametrize("values", [{"database": {"url": URL}}, EVERYTHING])
@pytest.mark.parametrize("version", KUBERNETES)
def test_what_is_rendered_is_what_kubernetes_reads(
    render: Render, values: dict[str, Any], version: str
):
    found = documents(render(values))

    kinds = {document["kind"] for document in found}
    assert {"Deployment", "Service", "ConfigMap", "Secret", "Job", "NetworkPolicy"} <= kinds
    assert {"Ingress", "CronJob"} <= kinds or values is not EVERYTHING
    for document in found:
        kubernetes_validate.validate(document, version, strict=True)


@pytest.mark.slow
def test_every_pod_is_bounded_and_has_no_rights(render: Render):
    pods = [pod for document in documents(render(EVERYTHING)) if (pod := pod_of(document))]

    assert len(pods) == 4  # the service, the migration, the summary and the test
    for pod in pods:
        # Kubernetes would set HIGHWATER_PORT to a URL, which is not a port.
        assert pod["enableServiceLinks"] is False
        assert pod["automountServiceAccountToken"] is False
        assert pod["securityContext"]["runAsNonRoot"] is True
        for container in pod["containers"]:
            security = container["securityContext"]
            assert security["readOnlyRootFilesystem"] is True
            assert security["allowPrivilegeEscalation"] is False
            assert security["capabilities"] == {"drop": ["ALL"]}
            assert container["name"] == "test" or "memory" in container["resources"]["limits"]


@pytest.mark.slow
def test_the_service_stands_behind_its_proxy_and_ends_after_it_has_drained(render: Render):
    found = documents(render({"database": {"existingSecret": "s", "key": "k"}, "drainSeconds": 7}))
    named = {(document["kind"], document["metadata"]["name"]): document for document in found}
    pod = pod_of(named["Deployment", "hw-highwater"])
    assert pod is not None
    service, proxy = pod["containers"]

    assert ("Secret", "hw-highwater-database") not in named
    assert service["env"][0]["valueFrom"]["secretKeyRef"] == {"name": "s", "key": "k"}
    assert named["Service", "hw-highwater"]["spec"]["ports"][0]["targetPort"] == "http"
    assert proxy["ports"] == [{"name": "http", "containerPort": 8080}]
    assert proxy["lifecycle"]["preStop"]["exec"]["command"] == ["sleep", "7"]
    assert pod["terminationGracePeriodSeconds"] >= 7 + 20
    assert service["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert service["livenessProbe"]["httpGet"]["path"] == "/livez"
    config = named["ConfigMap", "hw-highwater"]["data"]
    assert config["HIGHWATER_PROCESSES"] == "2"
    assert config["HIGHWATER_TRUSTED_PROXIES"] == "127.0.0.1"


@pytest.mark.slow
@pytest.mark.parametrize("trusted", [[], ["10.1.2.3/32", "fd00::/64"]])
def test_the_proxy_trusts_only_the_sources_that_are_listed(render: Render, trusted: list[str]):
    values = {
        "database": {"url": URL},
        **({"proxy": {"trustedSources": trusted}} if trusted else {}),
    }
    named = {(it["kind"], it["metadata"]["name"]): it for it in documents(render(values))}
    config = named["ConfigMap", "hw-highwater-proxy"]["data"]["nginx.conf"]

    assert re.findall(r"set_real_ip_from (\S+);", config) == trusted


@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, "set database.existingSecret, or database.url"),
        ({"database": {"url": "sqlite:///x.db"}}, "database"),
        ({"database": {"url": URL}, "replicas": 0}, "replicas"),
        ({"database": {"url": URL}, "repliacs": 2}, "repliacs"),
    ],
)
def test_values_that_cannot_be_are_refused_by_name(
    render: Render, values: dict[str, Any], said: str
):
    refused = render(values)

    assert refused.returncode != 0
    assert said in refused.stderr
