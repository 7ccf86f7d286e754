"""`nst graph --open` and `--format html`, as they are called."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from nst_lsp.page import bundle
from tests.page.browser import tab

SOURCE = """\
import numpy as np
from helper import twice

gain = 3.0


# nst: example(np.ones(3))
# nst: example(np.ones(4))
def f(x):
    return twice(x * gain)  # </script><!--
"""
NST = [sys.executable, "-m", "nst_lsp"]
built = pytest.mark.skipif(not bundle.is_built(), reason="the page is not built")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "helper.py").write_text("def twice(x):\n    return x + x\n", encoding="utf-8")
    file = tmp_path / "model.py"
    file.write_text(SOURCE, encoding="utf-8")
    return file


def nst(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*NST, *arguments], capture_output=True, text=True, cwd=folder, timeout=120)


@built
def test_a_page_in_one_file_has_all_that_it_needs_and_nothing_of_the_machine(model):
    done = nst("graph", "model.py::f", "--example", "1", "--format", "html", folder=model.parent)
    assert done.returncode == 0, done.stderr
    page = done.stdout
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-inline" not in policy
    assert "connect-src" not in policy
    assert not re.findall(r"<(?:script|link|img)\b[^>]*\b(?:src|href)=\"(?!data:)[^\"]*\"", page)
    (data,) = re.findall(r'<script type="application/json" id="picture">(.*?)</script>', page, re.DOTALL)
    picture = json.loads(data)
    assert (picture["uri"], picture["path"], picture["example"]) == ("", "model.py", 1)
    assert [one["path"] for one in picture["sources"]] == ["model.py", "helper.py"]
    assert "</script><!--" in picture["sources"][0]["text"]
    assert [one["code"] for one in picture["findings"]] == ["NST205"]
    assert str(model.parent) not in page
    assert page.index("Content-Security-Policy") < page.index("<script")


@pytest.mark.parametrize("style", ["code", "dot"])
def test_what_would_be_printed_can_be_written_to_a_file(model, style):
    printed = nst("graph", "model.py::f", "--format", style, folder=model.parent)
    written = nst("graph", "model.py::f", "--format", style, "-o", "graph.txt", folder=model.parent)
    assert (printed.returncode, written.returncode, written.stdout) == (0, 0, "")
    assert (model.parent / "graph.txt").read_text(encoding="utf-8").rstrip() == printed.stdout.rstrip()
    nowhere = nst("graph", "model.py::f", "--format", style, "-o", "no/such/folder", folder=model.parent)
    assert (nowhere.returncode, "no/such/folder" in nowhere.stderr) == (2, True)


def test_a_page_goes_with_no_other_form(model):
    done = nst("graph", "model.py::f", "--open", "--format", "dot", folder=model.parent)
    assert (done.returncode, done.stdout) == (2, "")


@built
async def test_a_page_without_an_editor_follows_the_file_until_it_is_interrupted(model):
    browser = model.parent / "browser"
    browser.write_text(
        f"#!{sys.executable}\n"
        + textwrap.dedent("""\
        import pathlib, sys
        pathlib.Path(sys.argv[0]).with_suffix(".opened").write_text(sys.argv[1])
    """)
    )
    browser.chmod(0o755)
    process = subprocess.Popen(
        [*NST, "graph", "model.py::f", "--open"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=model.parent,
        env={**os.environ, "BROWSER": str(browser)},
    )
    try:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        async with tab(url) as page:
            await page.drawn("x * 3.0")
            model.write_text(SOURCE.replace("3.0", "5.0"), encoding="utf-8")
            picture = await page.drawn("x * 5.0")
            (model.parent / "helper.py").write_text("def twice(x):\n    return x * 7\n", encoding="utf-8")
            await page.drawn("* 7")
            await page.say("reveal", place=picture["nodes"][1]["place"])
            await page.until(lambda: page.latest("failed"))
            assert "no editor is connected" in page.all("failed")[0]["text"]
            await page.say("export", format="dot")
            await page.until(lambda: page.latest("exported"))
            process.send_signal(signal.SIGINT)
            await page.until(lambda: page.latest("gone"))
        assert process.wait(timeout=60) == 0
        assert browser.with_suffix(".opened").read_text() == url
    finally:
        process.kill()
        process.communicate()


@built
def test_a_function_that_is_not_there_is_named_with_those_that_are(model):
    done = nst("graph", "model.py::g", "--open", folder=model.parent)
    assert done.returncode == 2
    assert "no function g with an example in model.py" in done.stderr
    assert "  model.py::f\n" in done.stderr
