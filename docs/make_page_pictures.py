"""Takes pictures of pages in Chromium, for the site and the README: `make page-pictures`.

They are those of `segscore demo`, whose data is part of the package, so that anyone can make them
again. A picture has few colours, and is stored with a palette.
"""

import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

DOCS = Path(__file__).resolve().parent
sys.path.append(str(DOCS.parent / "tests"))

from PIL import Image  # noqa: E402

from browser_pages import chromium, opened  # noqa: E402
from segscore.cli import data  # noqa: E402

POEM = "Kubla Khan"
SIZE = {"width": 1280, "height": 860}
COLOURS = 128


def main() -> None:
    """Write docs/pictures/report.png."""
    with TemporaryDirectory() as folder, chromium() as browser:
        data.run_demo(Path(folder))
        path = Path(folder) / "demo-report.html"
        where = f"#document={quote(POEM, safe='')}"
        with opened(browser, path, where, viewport=SIZE, reduced_motion="reduce") as page:
            page.evaluate("document.getElementById('documents').scrollIntoView()")
            save(page.screenshot(), DOCS / "pictures" / "report.png")


def save(screenshot: bytes, path: Path) -> None:
    """Write a picture with a palette."""
    path.parent.mkdir(exist_ok=True)
    picture = Image.open(BytesIO(screenshot)).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
