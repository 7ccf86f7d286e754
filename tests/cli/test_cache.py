"""A file is traced again when anything changed that its result rests on, and only then; each time in real workers."""

from __future__ import annotations

import venv
from pathlib import Path

import pytest

from tests.cli.checking import Project, settle

ONE = """\
import numpy as np

from helper import scaled


# nst: example(np.arange(3.0))
def f(x):
    return scaled(x) + 1
"""
HELPER = "def scaled(x):\n    return x * 2\n"
ALONE = """\
import numpy as np


# nst: example(np.arange(3.0))
def f(x):
    return x * 2
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path / "project", tmp_path / "cache")
    made.write("pyproject.toml", "[tool.nst]\n")
    return made


def test_what_has_not_changed_is_not_traced_again(project: Project):
    project.write("one.py", ONE)
    project.write("helper.py", HELPER)
    project.write("two.py", ALONE.replace("return x * 2", "if x.sum() > 1:\n        x = x + 1\n    return x"))
    assert project.traced() == ["one.py", "two.py"]
    assert project.traced() == []


def test_an_edit_of_a_file_concerns_it_and_those_that_import_it(project: Project):
    project.write("one.py", ONE)
    project.write("helper.py", HELPER)
    project.write("two.py", ALONE)
    project.traced()
    project.write("helper.py", HELPER.replace("return", "if x.sum() > 1:\n        return x\n    return"))
    assert project.traced() == ["one.py"]
    project.write("two.py", ALONE + "\n# nothing\n")
    assert project.traced() == ["two.py"]
    project.write("helper.py", HELPER)
    assert project.traced() == [], "results of before are there when the text is"


@pytest.mark.parametrize(
    "settings", ['mode = "real"', 'allow = ["write"]', 'extraPaths = ["more"]', "verify = false", "timeout = 9"]
)
def test_settings_that_a_run_is_told(settings: str, project: Project):
    project.write("two.py", ALONE)
    project.traced()
    project.write("pyproject.toml", f"[tool.nst]\n{settings}\n")
    assert project.traced() == ["two.py"]
    assert project.traced() == []


def test_settings_that_concern_what_is_said_need_no_run(project: Project):
    project.write("two.py", ALONE.replace("return x * 2", "print(x)\n    return x"))
    assert len(list(project.check().findings)) == 1
    project.traced()
    project.write("pyproject.toml", '[tool.nst]\nignore = ["NST301"]\n')
    assert project.traced() == []


# ---- modules ---------------------------------------------------------------------------------------


def test_a_module_that_shadows_another_appears(project: Project):
    project.write("pyproject.toml", '[tool.nst]\nextraPaths = ["first", "second"]\n')
    project.write("one.py", ONE)
    project.write("first/other.py", "")
    project.write("second/helper.py", HELPER)
    project.traced("one.py")
    assert project.traced("one.py") == []
    project.write("first/helper.py", HELPER.replace("* 2", "* 3"))
    assert project.traced("one.py") == ["one.py"]


def test_a_package_shadows_a_module(project: Project):
    project.write("one.py", ONE)
    project.write("helper.py", HELPER)
    project.traced("one.py")
    project.write("helper/__init__.py", HELPER.replace("* 2", "* 3"))
    assert project.traced("one.py") == ["one.py"]


def test_an_optional_module_appears_and_goes(project: Project):
    text = "try:\n    import perhaps\nexcept ImportError:\n    perhaps = None\n"
    project.write("two.py", text + ALONE.replace("x * 2", "x * 2 if perhaps else x"))
    project.traced("two.py")
    assert project.traced("two.py") == []
    appeared = project.write("perhaps.py", "")
    assert project.traced("two.py") == ["two.py"]
    appeared.unlink()
    assert project.traced("two.py") == [], "it is as it was"


def test_a_module_of_a_package_appears(project: Project):
    project.write("package/__init__.py", "")
    text = "try:\n    from . import perhaps\nexcept ImportError:\n    perhaps = None\n"
    project.write("package/two.py", text + ALONE.replace("x * 2", "x * 2 if perhaps else x"))
    project.traced()
    assert project.traced() == []
    project.write("package/perhaps.py", "")
    assert project.traced() == ["two.py"]


def test_a_folder_becomes_a_package(project: Project):
    project.write("folder/one.py", ONE)
    project.write("folder/helper.py", HELPER)
    project.traced("folder/one.py")
    project.write("folder/__init__.py", "")
    assert project.traced("folder/one.py") == ["one.py"]


def test_a_link_leads_elsewhere(project: Project):
    project.write("one.py", ONE)
    project.write("v1/helper.py", HELPER)
    project.write("v2/helper.py", HELPER.replace("* 2", "* 3"))
    link = project.root / "helper.py"
    link.symlink_to("v1/helper.py")
    project.traced("one.py")
    assert project.traced("one.py") == []
    link.unlink()
    link.symlink_to("v2/helper.py")
    assert project.traced("one.py") == ["one.py"]


def test_another_version_of_an_installed_package(project: Project, tmp_path: Path):
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False, symlinks=True)
    [packages] = environment.glob("lib/python3*/site-packages")
    import numpy as np

    (packages / "numpy.pth").write_text(f"{Path(np.__file__).parents[1]}\n")
    (packages / "extra" / "__pycache__").mkdir(parents=True)  # as pip leaves it: nothing new comes into the package
    code = packages / "extra" / "__init__.py"
    code.write_text("FACTOR = 2\n")
    (packages / "extra-1.0.dist-info").mkdir()
    mine = Project(project.root, project.cache, str(environment / "bin" / "python"))
    settle(packages)
    mine.write("two.py", "from extra import FACTOR\n" + ALONE.replace("* 2", "* FACTOR"))
    mine.traced()
    assert mine.traced() == []
    code.write_text("FACTOR = 3\n")
    settle(packages)
    assert mine.traced() == ["two.py"], "edited in place"
    assert mine.traced() == []
    (packages / "extra-1.0.dist-info").rename(packages / "extra-1.1.dist-info")
    settle(packages)
    assert mine.traced() == ["two.py"], "installed anew"
    assert mine.traced() == []
    (packages / "numpy.pth").unlink()
    (packages / "numpy").symlink_to(Path(np.__file__).parent)
    assert mine.traced() == ["two.py"], "another NumPy"


# ---- what is read ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reading", ["open('data.txt').read()", "Path('data.txt').read_text()", "str(np.loadtxt('data.txt'))"]
)
def test_a_file_that_is_read_on_import(reading: str, project: Project):
    head = f"from pathlib import Path\nimport numpy as np\nDATA = {reading}\n"
    project.write("two.py", head + ALONE.replace("x * 2", "x * float(DATA)"))
    project.write("data.txt", "2.0")
    project.traced()
    assert project.traced() == []
    project.write("data.txt", "3.0")
    assert project.traced() == ["two.py"]


@pytest.mark.parametrize(
    "question", ["os.path.exists('there')", "Path('there').exists()", "len(os.listdir('.')) > 2", "any(glob('th*'))"]
)
def test_a_file_that_is_looked_for_on_import(question: str, project: Project):
    head = f"import os\nfrom glob import glob\nfrom pathlib import Path\nTHERE = {question}\n"
    project.write("two.py", head + ALONE.replace("x * 2", "x * 2 if THERE else x"))
    project.traced()
    assert project.traced() == []
    project.write("there", "")
    assert project.traced() == ["two.py"]


def test_a_variable_of_the_environment(project: Project, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FACTOR", "2")
    project.write("two.py", "import os\nFACTOR = float(os.environ['FACTOR'])\n" + ALONE.replace("* 2", "* FACTOR"))
    project.traced()
    monkeypatch.setenv("UNRELATED", "1")
    assert project.traced() == []
    monkeypatch.setenv("FACTOR", "3")
    assert project.traced() == ["two.py"]
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert project.traced() == ["two.py"], "native code may have read it"


@pytest.mark.parametrize(
    "head",
    [
        "import time\nNOW = time.time()",
        "from datetime import datetime as d\nNOW = d.now().year",
        "import numpy as np\nNOW = np.random.default_rng().random()",
        "import uuid\nNOW = uuid.uuid4().int",
        "import subprocess\nNOW = subprocess.PIPE",
        "import later\nNOW = later.later()",
        "import ctypes\nNOW = 1 if ctypes else 2",
        "NOW = id(object())",
    ],
)
def test_what_cannot_be_asked_again_is_traced_again(head: str, project: Project):
    project.write("later.py", "import time\ndef later():\n    return time.time()\n")
    project.write("two.py", f"{head}\n{ALONE.replace('x * 2', 'x * (1 if NOW else 2)')}")
    assert project.traced("two.py", alike=False) == ["two.py"]
    assert project.traced("two.py", alike=False) == ["two.py"]


def test_a_clock_that_is_not_reached_does_not_matter(project: Project):
    clock = "import time\n\n\ndef timed(f):\n    start = time.time()\n    f()\n    return time.time() - start\n"
    project.write("two.py", ALONE + "\n\n" + clock + '\n\nif __name__ == "__main__":\n    print(timed(f))\n')
    assert project.traced() == ["two.py"]
    assert project.traced() == []


def test_a_run_that_was_stopped_or_failed_to_load_is_not_kept(project: Project):
    project.write("two.py", "import nowhere\n" + ALONE)
    assert project.traced() == project.traced() == ["two.py"]


# ---- the folder ------------------------------------------------------------------------------------


def test_a_damaged_cache_is_made_anew(project: Project):
    project.write("two.py", ALONE)
    project.traced()
    [database] = project.cache.glob("*.sqlite")
    database.write_bytes(b"no database" * 1000)
    assert project.traced() == ["two.py"]
    assert project.traced() == []


def test_a_folder_that_cannot_be_made(project: Project):
    project.write("two.py", ALONE)
    project.cache.write_text("a file")
    told: list[str] = []
    assert project.traced(told=told) == ["two.py"]
    assert len(told) == 1
    assert str(project.cache) in told[0]
