"""Bytes with something changed."""

from random import Random

_INTERESTING = (
    b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\r", b"\r\n", b"\n\n", b"\t", b"\x0b", b"\x0c", b"\x1b[31m", b"\x1a",
    b'"', b"'", b"\\", b"\\u0000", b"\\ud800", b"{", b"}", b"[", b"]", b"<", b">", b"&#0;", b"<!DOCTYPE x>", b",", b";",
    b":", b"|", b"-", b"0", b"1", b"-1", b"00", b"1e9", b"1.5", b"9" * 20, b"9" * 5000, b"NaN", b"Infinity", b"null", b"true",
    b"2147483648", b"9007199254740993", b"9223372036854775808", "é".encode(), "😀".encode(), "\u2028".encode(),
    "\u200f".encode(), b"[" * 3000, b'{"a":' * 3000, b"x" * 3000, b"",
)  # fmt: skip


def mutated(content: bytes, random: Random) -> bytes:
    """The content after one to four changes."""
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        content = random.choice(_CHANGES)(content, random)
    return content


def _flip(content: bytes, random: Random) -> bytes:
    if not content:
        return content
    changed = bytearray(content)
    changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _insert(content: bytes, random: Random) -> bytes:
    at = random.randint(0, len(content))
    return content[:at] + random.choice(_INTERESTING) + content[at:]


def _replace(content: bytes, random: Random) -> bytes:
    start, end = _range(content, random)
    return content[:start] + random.choice(_INTERESTING) + content[end:]


def _delete(content: bytes, random: Random) -> bytes:
    start, end = _range(content, random)
    return content[:start] + content[end:]


def _double(content: bytes, random: Random) -> bytes:
    start, end = _range(content, random)
    return content[:end] + content[start:end] * random.choice((1, 1, 2, 50)) + content[end:]


def _cut(content: bytes, random: Random) -> bytes:
    return content[: random.randint(0, len(content))]


def _swap_lines(content: bytes, random: Random) -> bytes:
    lines = content.splitlines(keepends=True)
    random.shuffle(lines)
    return b"".join(lines)


def _random_number(content: bytes, random: Random) -> bytes:
    digits = [i for i, byte in enumerate(content) if 48 <= byte <= 57]
    if not digits:
        return content
    at = random.choice(digits)
    return (
        content[:at]
        + str(random.randrange(10 ** random.randint(1, 20))).encode()
        + content[at + 1 :]
    )


def _range(content: bytes, random: Random) -> tuple[int, int]:
    start = random.randint(0, len(content))
    return start, min(len(content), start + random.choice((1, 1, 2, 4, 10, 40)))


_CHANGES = (_flip, _flip, _insert, _replace, _delete, _double, _cut, _swap_lines, _random_number)
