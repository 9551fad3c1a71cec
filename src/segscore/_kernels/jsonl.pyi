from typing_extensions import disjoint_base

@disjoint_base
class Builder:
    documents: list[str]
    coders: list[str]
    label_names: list[str]
    def append(
        self,
        document: str,
        coder: str,
        n_units: int,
        packed: bytes,
        labels: tuple[str | None, ...] | None = None,
    ) -> None: ...
    def scan(self, block: bytes, start: int, last: bool) -> tuple[int, int, bool]: ...
    def columns(self) -> tuple[bytes, bytes, bytes, bytes]: ...
    def labels(self) -> bytes | None: ...
