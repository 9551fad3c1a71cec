"""Things that NumPy can read, and nothing else: what tensors of other libraries have in common."""

from typing import Any

import numpy as np


class ArrayLike:
    """Only `__array__`: it has no length and cannot be iterated."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.values if dtype is None else self.values.astype(dtype)


class OnAnotherDevice:
    """What a tensor on a graphics card says, if nobody brought it back."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError("can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() first.")
