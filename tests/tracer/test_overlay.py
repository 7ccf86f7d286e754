"""Texts of editors in place of the disk's: for the file, for what it imports, and for files that are not there yet."""

from __future__ import annotations

import sys

import pytest

from tracer import load_module


@pytest.fixture
def write(tmp_path):
    """Files of a folder; its modules are forgotten afterwards."""

    def write(**texts: str) -> None:
        for name, text in texts.items():
            path = tmp_path / (name.replace("__", "/") + ".py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)

    finders, path, modules = list(sys.meta_path), list(sys.path), set(sys.modules)
    yield write
    sys.meta_path[:], sys.path[:] = finders, path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def loaded(folder, name, text=None, **overlay):
    texts = {str(folder / f"{other.replace('__', '/')}.py"): source for other, source in overlay.items()}
    return load_module(folder / name, text, root=str(folder), overlay=texts)


def test_an_open_helper_is_used_however_it_is_imported(tmp_path, write):
    write(pkg__helper="value = 'disk'\n", pkg__main="", top="value = 'disk'\n")
    (tmp_path / "pkg" / "__init__.py").write_text("value = 'disk'\n")
    text = (
        "import pkg, top\nfrom . import helper\nfrom .helper import value\nfound = pkg.value, top.value, helper.value\n"
    )
    texts = {str(tmp_path / "pkg" / "__init__.py"): "value = 'open'\n", str(tmp_path / "top.py"): "value = 'open'\n"}
    texts[str(tmp_path / "pkg" / "helper.py")] = "value = 'open'\n"
    module = load_module(tmp_path / "pkg" / "main.py", text, root=str(tmp_path), overlay=texts)
    assert module.found == ("open", "open", "open")
    assert (module.value, module.__name__) == ("open", "pkg.main")


def test_files_that_are_not_on_the_disk_are_found(tmp_path, write):
    write(main="")
    text = "import new, package.inner\nfound = new.value, package.value, package.inner.value\n"
    overlay = {
        str(tmp_path / "new.py"): "value = 1\n",
        str(tmp_path / "package" / "__init__.py"): "value = 2\n",
        str(tmp_path / "package" / "inner.py"): "from . import value as above\nvalue = above + 1\n",
    }
    assert load_module(tmp_path / "main.py", text, root=str(tmp_path), overlay=overlay).found == (1, 2, 3)


def test_a_file_that_is_not_there_hides_nothing_before_it_on_the_path(tmp_path, write):
    write(main="", first__both="value = 'disk'\n")
    text = f"import sys\nsys.path.insert(0, {str(tmp_path / 'first')!r})\nimport both\nfound = both.value\n"
    module = loaded(tmp_path, "main.py", text, both="value = 'open'\n")
    assert module.found == "disk"


def test_the_source_that_python_shows_is_the_one_that_runs(tmp_path, write):
    write(main="def f():\n    return 'disk'\n", helper="def h(): return 'disk'\n")
    text = """\
import inspect, traceback
import helper


def f():
    return 1 / 0


try:
    f()
except ZeroDivisionError:
    shown = traceback.format_exc()
source, other = inspect.getsource(f), inspect.getsource(helper)
"""
    module = loaded(tmp_path, "main.py", text, helper="def h(): return 'open'\n")
    assert module.source == "def f():\n    return 1 / 0\n"
    assert module.other == "def h(): return 'open'\n"
    assert "    return 1 / 0\n" in module.shown


def test_names_of_files_that_are_no_names_of_modules(tmp_path, write):
    write()
    for name in ("my.script.py", "1st try.py", "class.py", "ünï 𝛼.py"):
        (tmp_path / name).write_text("value = __file__\n")
        assert load_module(tmp_path / name).value == str(tmp_path / name)


def test_a_notebook_hides_no_module_and_may_await(tmp_path, write):
    write(helper="value = 1\n")
    (tmp_path / "__init__.py").touch()
    text = "import asyncio, numpy, helper\nawait asyncio.sleep(0)\nfound = numpy.ones(2).sum() + helper.value\n"
    module = load_module(tmp_path / "numpy.ipynb", text)
    assert (module.found, module.__name__) == (3.0, "numpy_ipynb")
