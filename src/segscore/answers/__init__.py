"""What language models answer when they are asked to segment a text.

`read` turns answers into segmentations; those that cannot be read are failures with a reason. The
parsers stand in `segscore.io.answers`, so that files of answers are read as all other files are.
"""

from typing import TYPE_CHECKING

from segscore.basics.on_demand import names_on_demand

if TYPE_CHECKING:
    from segscore.io.answers.model_outputs import ModelOutputs as ModelOutputs
    from segscore.io.answers.model_outputs import read_outputs as read

_HOMES = {
    "ModelOutputs": "segscore.io.answers.model_outputs:ModelOutputs",
    "read": "segscore.io.answers.model_outputs:read_outputs",
}
__all__ = ["ModelOutputs", "read"]

__getattr__ = names_on_demand(__name__, _HOMES)
