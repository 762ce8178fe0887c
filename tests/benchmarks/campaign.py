"""Runs a second of a campaign: a bare loop in one process, `local[2]`, a cluster of two workers.

The goals are ratios to the bare loop: 1.7 on two local cores, 1.6 on the cluster. Spark's start and
the summary are apart. The digests of all three are compared.
"""

import tempfile
import time
from pathlib import Path

from analytics.campaigns.folder import CampaignFolder, Written, campaign_id
from analytics.campaigns.pieces import run_piece
from analytics.campaigns.running import measure_cells, piece_sizes, run_campaign
from analytics.campaigns.summarizing import campaign_digest, read_rows
from analytics.spark import spark_session
from sim_engine import ENGINE_VERSION, read_grid_text
from tests.analytics.cluster import standalone_cluster

GRID = """
grid: 1
kafka: ["0.10.2", "2.1", "3.9", "4.1"]
acks: [all]
configs: {min.insync.replicas: [1, 2]}
"""
RUNS = 100


def measure() -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        costs = measure_cells(read_grid_text(GRID))
        bare = _folder(root / "bare", costs)
        began = time.perf_counter()
        for piece in bare.missing():
            run_piece(str(bare.path), piece)
        alone = _print("bare loop, one process", began, None)
        digests = []
        for master, kind in (("local[2]", "local[2]"), ("", "standalone, 2 workers")):
            folder = _folder(root / kind.partition(",")[0], costs)
            if master:
                digests += _on_spark(master, kind, folder, bare, alone)
            else:
                with standalone_cluster(root) as cluster:
                    digests += _on_spark(cluster.master, kind, folder, bare, alone)
    print(f"digests: {'all the same' if len(set(digests)) == 1 else 'THEY DIFFER'}")


def _folder(path: Path, costs: list[float]) -> CampaignFolder:
    grid = read_grid_text(GRID)
    return CampaignFolder.create(
        path,
        Written(
            campaign=campaign_id(grid),
            engine=ENGINE_VERSION,
            runs=RUNS,
            piece_runs=piece_sizes(costs),
            cell_ms=tuple(costs),
            grid=grid.document,
        ),
    )


def _on_spark(
    master: str, kind: str, folder: CampaignFolder, bare: CampaignFolder, alone: float
) -> list[str]:
    started = time.perf_counter()
    with spark_session(master) as spark:
        start_seconds = time.perf_counter() - started
        began = time.perf_counter()
        run_campaign(spark, folder, _silent)
        _print(f"{kind} (after {start_seconds:.1f} s of start)", began, alone)
        return [campaign_digest(read_rows(spark, each)) for each in (bare, folder)]


def _silent(_done: int, _total: int) -> None:
    pass


def _print(kind: str, began: float, alone: float | None) -> float:
    rate = len(read_grid_text(GRID).cells) * RUNS / (time.perf_counter() - began)
    ratio = "" if alone is None else f", {rate / alone:.2f} times the bare loop"
    print(f"{kind:<45} {rate:6.1f} runs/s{ratio}")
    return rate
