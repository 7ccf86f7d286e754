"""Makes `bundled/`: the server with all that it imports, as pure Python, to be run by any Python 3.11 or newer.

    python bundle/make.py

`bundled/server.py` is the script to start, `bundled/libs` holds the packages of requirements.txt (pinned, each known
by its hash) and ours.  They are wheels, unpacked as they are, so that the same sources give the same files.  NumPy is
not among them: it comes from the user's interpreter.  Of jedi, the stubs of other people's packages are left out: nine
files in ten, of packages that speak for themselves where they are installed.

It needs PyPI, or whatever pip is told to ask instead, and npm's registry where the graph page is not built yet.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from zipfile import ZipFile

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[2]
BUNDLED = HERE.parent / "bundled"
LEFT_OUT = ("jedi/third_party/django-stubs/", "jedi/third_party/typeshed/stubs/")
PAGE = "nst_lsp/page/dist/index.html"
LICENCES = ("licen", "copying", "notice")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        wheels = Path(folder)
        pip("download", "--dest", folder, "--require-hashes", "--requirement", str(HERE / "requirements.txt"),
            "--only-binary", ":all:", "--implementation", "py", "--abi", "none", "--platform", "any",
            "--python-version", "3.11")  # fmt: skip
        pip("wheel", "--wheel-dir", folder, str(PROJECT))
        shutil.rmtree(BUNDLED, ignore_errors=True)
        for wheel in sorted(wheels.glob("*.whl")):
            unpack(wheel, BUNDLED / "libs")
    if not (BUNDLED / "libs" / PAGE).is_file():
        sys.exit("The graph page is not built, and the bundle would lack it. Run `make page`, which says why.")
    shutil.copy(HERE / "server.py", BUNDLED)


def pip(command: str, *arguments: str) -> None:
    quiet = ("--quiet", "--disable-pip-version-check", "--no-deps")
    subprocess.run([sys.executable, "-m", "pip", command, *quiet, *arguments], check=True)


def unpack(wheel: Path, into: Path) -> None:
    """What is not pure Python, or comes without a licence, ends it: it must not reach anyone's machine."""
    if not wheel.stem.endswith("-none-any"):
        sys.exit(f"{wheel.name} is not for every machine")
    with ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if not name.startswith(LEFT_OUT)]
        if not any(word in Path(name).name.lower() for name in names for word in LICENCES):
            sys.exit(f"{wheel.name} has no licence")
        if any(".data/" in name for name in names):
            sys.exit(f"{wheel.name} has files that belong outside of the import path")
        archive.extractall(into, names)


if __name__ == "__main__":
    main()
