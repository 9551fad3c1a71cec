"""One of two processes that each see half of the batches: `two_processes.py RANK FILE`."""

import json
import sys

from adapters.label_batches import batches

METRICS = ["windowdiff", "pk", "b", "f1(tolerance=1)", "winpr"]


def main(rank: int, meet: str) -> None:
    import torch
    from torch import distributed
    from torchmetrics import MetricCollection

    from segscore.adapters.torchmetrics import SegmentationMetric

    distributed.init_process_group("gloo", init_method=f"file://{meet}", rank=rank, world_size=2)
    made = MetricCollection({name: SegmentationMetric(name, marks="end") for name in METRICS})
    for preds, target in batches()[rank::2]:
        made.update(torch.from_numpy(preds), torch.from_numpy(target))
    found = {name: value.item() for name, value in made.compute().items()}
    found["documents"] = made["windowdiff"].accumulator().n_documents
    print(json.dumps(found))  # noqa: T201
    distributed.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
