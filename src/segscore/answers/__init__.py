"""What language models answer when they are asked to segment a text.

`read` turns answers into segmentations; those that cannot be read are failures with a reason.
`score` scores a single answer, for harnesses that see one at a time. The readers of shapes stand in
`segscore.io.answers`, so that files of answers are read as all other files are.
"""

from typing import TYPE_CHECKING

from segscore.basics.on_demand import names_on_demand

if TYPE_CHECKING:
    from segscore.answers.model_outputs import ModelOutputs as ModelOutputs
    from segscore.answers.model_outputs import read_outputs as read
    from segscore.answers.model_outputs import score_answer as score

_HOMES = {
    "ModelOutputs": "segscore.answers.model_outputs:ModelOutputs",
    "read": "segscore.answers.model_outputs:read_outputs",
    "score": "segscore.answers.model_outputs:score_answer",
}
__all__ = ["ModelOutputs", "read", "score"]

__getattr__ = names_on_demand(__name__, _HOMES)
