from typing import Literal

from typing_extensions import disjoint_base

@disjoint_base
class Builder:
    documents: list[str]
    coders: list[str]
    label_names: list[str]
    group_names: list[str]
    texts: dict[int, tuple[int, int, int, bytes]]
    first_global: int
    first_local: int
    def __new__(cls, known: list[str] = ...) -> Builder: ...
    def append(
        self,
        document: str,
        coder: str | None,
        n_units: int,
        packed: bytes,
        labels: tuple[str | None, ...] | None = None,
        kind: Literal["person", "system", "consensus"] | None = None,
        group: str | None = None,
        local: bool = False,
        line: int = 0,
    ) -> None: ...
    def scan(
        self, block: bytes, start: int, last: bool, number: int = 0
    ) -> tuple[int, int, bool]: ...
    def columns(self) -> tuple[bytes, bytes, bytes]: ...
    def about_rows(self) -> tuple[bytes, bytes, bytes, bytes]: ...
    def labels(self) -> bytes | None: ...
