"""The commands of the plugin, called as a person calls them, with the real server behind them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.nvim.neovim import Neovim
from tests.nvim.sample import graph, lens_at, line_of, new_project, open_file
from tests.page.browser import tab

TWO = """\
import numpy as np


def helper(a):
    return np.tanh(a)


# nst: example(np.ones(3), 2.0)
# nst: example(np.ones((2, 2)), 0.5)
def first(x, factor):
    y = np.sin(x) + helper(x)
    if x.shape[0] > 2:
        return y - 1.0
    return y * factor


# nst: example(np.ones(3))
def second(x):
    return np.sqrt(x)


def third(x=np.ones(2)):
    return np.cos(x)


class Layer:
    def forward(self, x):
        return x / 2
"""


@pytest.fixture
def two(editor: Neovim, project: Path, tidy: None) -> Neovim:
    """Neovim with TWO open."""
    open_file(editor, new_project(project, TWO, "two.py"))
    lens_at(editor, line_of("def second", TWO), "graph:")
    return editor


def lit(editor: Neovim, name: str) -> list[str]:
    """The texts that are lit by a colour, in all buffers."""
    texts: list[str] = editor.lua("return driver.lit(...)", name)
    return texts


def move(editor: Neovim, text: str) -> None:
    editor.lua("driver.go_to(...); vim.api.nvim_exec_autocmds('CursorMoved', {})", text)


def test_code_and_graph_are_linked_in_both_directions(two: Neovim) -> None:
    move(two, "np.sin(x)")
    two.lua("vim.cmd.NstGraph()")
    graph(two)
    move(two, "np.sin(x)")
    assert [text.split("  #")[0].strip() for text in lit(two, "NstOperation")] == ["sin = np.sin(x)"]
    move(two, "y = np")  # no expression: what the line did
    assert len(lit(two, "NstOperation")) >= 2
    move(two, "np.tanh(a)")
    (tanh,) = lit(two, "NstOperation")
    assert "tanh" in tanh
    two.lua("vim.cmd.NstJump()")  # from the code to its operation …
    two.lua("driver.wait('the graph under the cursor', function() return vim.bo.buftype == 'nofile' end)")
    assert "tanh" in two.lua("return vim.api.nvim_get_current_line()")
    two.lua("vim.api.nvim_exec_autocmds('CursorMoved', {})")
    assert lit(two, "NstSource") == ["np.tanh(a)"]
    assert lit(two, "NstOperation") == []
    two.lua("vim.cmd.normal(vim.keycode('<CR>'))")  # … and back
    at = two.lua("return { vim.api.nvim_get_current_line(), vim.fn.expand('<cword>') }")
    assert at == ["    return np.tanh(a)", "np"]
    two.lua("vim.api.nvim_buf_set_lines(0, 0, 0, true, { '', '' })")  # places move with the text, before any save
    move(two, "np.sin(x)")
    assert len(lit(two, "NstOperation")) == 1
    two.lua("vim.cmd.wincmd('w'); vim.cmd.normal({ 'gg', bang = true }); vim.cmd.NstJump()")
    assert "no code of this file" in two.lua("return driver.messages()")


def test_the_window_follows_the_cursor_unless_it_is_to_stay(two: Neovim) -> None:
    move(two, "np.sin(x)")
    two.lua("vim.cmd.NstGraph()")
    assert graph(two)["name"].endswith("/first")
    move(two, "return np.sqrt")
    shows = """local wanted = given
    driver.wait('the graphs ' .. wanted, function()
      local names = vim.tbl_map(function(window)
        return vim.fs.basename(vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window)))
      end, vim.api.nvim_tabpage_list_wins(0))
      table.sort(names)
      return table.concat(names, ' ') == wanted
    end)"""
    two.lua(shows, "second two.py")
    two.lua("vim.cmd.NstGraph('first')")  # who names one wants that one
    two.lua(shows, "first second two.py")
    move(two, "def third")  # it has no graph: what is shown stays
    move(two, "np.sin(x)")
    two.lua(shows, "first first two.py")
    assert two.lua("return vim.fn.getcompletion('NstGraph ', 'cmdline')") == ["first", "second"]
    two.lua("vim.cmd('NstGraph nothing')")
    two.lua("driver.wait('a hint', function() return driver.messages():find('no graph here yet') end)")


def test_examples_are_chosen_and_the_graph_is_that_of_the_chosen(two: Neovim) -> None:
    two.lua("driver.go_to('def first'); vim.cmd.NstGraph()")
    assert "valid for x.shape[0] > 2" in graph(two)["headline"]
    menu = two.lua("return driver.choose('np.ones((2, 2))', function() vim.cmd.NstExample() end)")
    assert [text.split(" · ")[0] for text in menu] == ["● np.ones(3), 2.0", "  np.ones((2, 2)), 0.5"]
    two.lua("driver.wait('the second example', function() return driver.graph().headline:find('example 2 of 2') end)")
    assert "0.5" in graph(two)["text"]
    two.lua("vim.cmd.NstExample('next')")
    two.lua("driver.wait('the first again', function() return driver.graph().headline:find('example 1 of 2') end)")
    assert two.lua("return vim.fn.getcompletion('NstExample ', 'cmdline')") == ["add", "next", "1", "2"]
    two.lua("vim.cmd.NstExample('7')")
    two.lua("driver.wait('a hint', function() return driver.messages():find('first has 2 example') end)")


def test_an_example_is_written_from_what_the_server_offers_or_by_hand(two: Neovim) -> None:
    two.lua("driver.go_to('return np.cos')")
    menu = two.lua("return driver.choose('', function() vim.cmd.NstExample('add') end)")
    assert menu[-1] == "Write one by hand"
    assert len(menu) >= 2, "the default of x makes one"
    line = line_of("def third", TWO)
    written = two.lua(
        """return driver.wait('an example', function()
          local text = vim.api.nvim_buf_get_lines(0, given - 1, given, true)[1]
          return text:find('example(', 1, true) and text
        end)""",
        line,
    )
    assert written.startswith("# nst: example(")
    two.lua("vim.cmd.write()")
    lens_at(two, line + 1, "graph: 1 operation")
    two.lua("driver.go_to('return x / 2'); driver.choose('by hand', function() vim.cmd.NstExample('add') end)")
    two.lua("driver.wait('a snippet', function() return vim.snippet.active() end)")
    two.lua("vim.snippet.stop(); vim.cmd.stopinsert()")
    assert two.lua("return vim.api.nvim_buf_get_lines(0, -5, -1, true)") == [
        "class Layer:",
        "    # nst: example(Layer(), np.ones(3))",
        "    def forward(self, x):",
        "        return x / 2",
    ]


def test_function_and_graph_are_compared_on_what_one_writes(two: Neovim) -> None:
    two.lua("driver.go_to('def first'); vim.cmd('NstCompare np.ones(2), 2.0')")
    told = two.lua("return driver.wait('a float', driver.float)")
    assert "first(np.ones(2), 2.0)" in told
    assert "differs" in told
    assert f"`x.shape[0] > 2` does not hold (line {line_of('x.shape[0] > 2', TWO)})" in told
    two.lua(
        """vim.ui.input = function(options, on_confirm)
            driver.offered = vim.fn.getcompletion('anything', options.completion)
            on_confirm((options.default:gsub('3', '4')))
        end
        vim.cmd.NstCompare()"""
    )
    assert "equal" in two.lua("return driver.wait('equality', function() return driver.float('equal') end)")
    assert {"np.ones(3), 2.0", "np.array([1.]), 2.0"} <= set(two.lua("return driver.offered"))
    two.lua("vim.cmd('NstCompare np.ones(')")
    two.lua("driver.wait('an error', function() return driver.messages():find('never closed') end)")


async def test_the_page_is_opened_told_of_the_cursor_and_leads_back(two: Neovim) -> None:
    two.lua("vim.g.nst = { open = function(url) driver.opened = url end }")
    move(two, "np.sqrt")
    two.lua("vim.cmd.NstPage()")
    url = two.lua("return driver.wait('an address', function() return driver.opened end)")
    assert f"the graph is at {url}" in two.lua("return driver.messages()")
    async with tab(url) as page:
        picture = await page.drawn("np.sqrt")
        move(two, "np.sqrt")
        await page.until(lambda: page.latest("cursor") == {"type": "cursor", "nodes": ["sqrt"]})
        move(two, "np.sin(x)")
        await page.until(lambda: page.latest("cursor") == {"type": "cursor", "nodes": []})
        two.lua("vim.cmd.normal('gg'); vim.cmd.new()")
        (place,) = [one["place"] for one in picture["nodes"] if one["name"] == "sqrt"]
        assert (await page.say("reveal", place=place)).status_code == 204
        assert page.all("failed") == []
    two.lua(
        """
        driver.wait('the place that was chosen on the page', function()
          return vim.fs.basename(vim.api.nvim_buf_get_name(0)) == 'two.py'
            and vim.api.nvim_get_current_line() == '    return np.sqrt(x)'
        end)
        """
    )


def test_pytorch_is_asked_and_why_it_cannot_be_is_said(two: Neovim) -> None:
    assert two.lua("return vim.fn.getcompletion('NstStudy d', 'cmdline')") == ["dynamo"]
    two.lua("driver.go_to('return np.sqrt'); vim.cmd('NstStudy dynamo')")
    two.lua("driver.wait('the way out', function() return driver.messages():find('whose tracers this is about') end)")
    two.lua("driver.go_to('return np.cos'); vim.cmd('NstStudy backward')")
    two.lua("driver.wait('a hint', function() return driver.messages():find('no graph here yet') end)")


TORCH = Path(__file__).parents[2] / ".venv-torch" / "bin" / "python"
STEP = """\
import torch


# nst: example(torch.ones(2))
def step(x):
    y = x * 2
    print("hello")
    return y.tanh()
"""


@pytest.mark.skipif(not TORCH.exists(), reason="make test-torch makes an environment with PyTorch")
def test_what_dynamo_said_stays_in_the_lens_and_is_shown_beside_the_code(editor: Neovim, tidy: None, tmp_path: Path):
    path = new_project(tmp_path, STEP, "step.py")
    (tmp_path / "pyproject.toml").write_text(f'[tool.nst]\npython = "{TORCH}"\ntimeout = 60\n')
    open_file(editor, path, 1)
    line = line_of("def step", STEP)
    lens_at(editor, line, "ask Dynamo")
    editor.lua("driver.go_to('def step'); driver.choose('ask Dynamo', vim.lsp.codelens.run)")
    answer = """return driver.wait('an answer', function()
      for _, window in ipairs(vim.api.nvim_list_wins()) do
        local buffer = vim.api.nvim_win_get_buf(window)
        if vim.startswith(vim.api.nvim_buf_get_name(buffer), 'nst-study://') then
          return { vim.bo[buffer].filetype, table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), '\\n') }
        end
      end
    end)"""
    filetype, text = editor.lua(answer)
    assert filetype == "python"
    assert "Dynamo breaks the graph" in text
    assert text.startswith("# step, example 0: 2 graphs, 1 break, ")
    lens_at(editor, line, "Dynamo: 2 graphs, 1 break, ")
    assert editor.lua("return vim.api.nvim_get_current_line()") == "def step(x):"


def test_what_a_save_changed_is_shown_side_by_side(two: Neovim) -> None:
    two.lua("driver.go_to('def second'); vim.cmd.NstDiff()")
    two.lua("driver.wait('a hint', function() return driver.messages():find('no save has changed') end)")
    two.lua("vim.cmd('%s/np.sqrt(x)/np.sqrt(np.exp(x))/'); vim.cmd.write()")
    lens_at(two, line_of("def second", TWO), "graph: 2 operations")
    two.lua("vim.cmd.NstDiff()")
    texts = two.lua(
        """driver.wait('a tab page', function() return #vim.api.nvim_list_tabpages() == 2 end)
        return vim.tbl_map(function(window)
          local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true)
          return { table.concat(lines, '\\n'), vim.wo[window].diff }
        end, vim.api.nvim_tabpage_list_wins(0))"""
    )
    (before, before_differs), (after, after_differs), (why, _) = texts
    assert ("np.exp" in before, "np.exp" in after, before_differs, after_differs) == (False, True, True, True)
    assert "operation added: `np.exp(x)`" in why
    two.lua("vim.cmd.normal('q')")
    assert two.lua("return #vim.api.nvim_list_tabpages()") == 1


def test_the_status_says_what_goes_on(two: Neovim) -> None:
    two.lua("driver.wait('quiet', function() return require('nst').status() == 'nst' end)")
    heard = two.lua(
        """local heard = {}
        vim.api.nvim_create_autocmd('User', {
          pattern = 'NstStatus',
          callback = function() table.insert(heard, require('nst').status()) end,
        })
        vim.cmd.NstRetrace()
        driver.wait('quiet again', function() return heard[#heard] == 'nst' end)
        return heard"""
    )
    assert "nst: tracing two.py" in heard
    assert two.lua("vim.cmd.new(); return require('nst').status()") == ""


def test_the_report_is_shown(reader: Neovim, project: Path) -> None:
    reader.lua("vim.cmd.NstDoctor()")
    text = reader.lua(
        """return driver.wait('the report in a window of its own', function()
          if vim.bo.buftype == 'nofile' then
            return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\\n')
          end
        end)"""
    )
    assert text.startswith("server\n  nst-lsp: ")
    assert "client: Neovim" in text
    assert f"project {project}" in text


def test_the_log_is_opened(reader: Neovim, project: Path) -> None:
    reader.lua("vim.cmd.NstLogs()")
    text = reader.lua(
        """return driver.wait('the log beside the code', function()
          for _, window in ipairs(vim.api.nvim_list_wins()) do
            local buffer = vim.api.nvim_win_get_buf(window)
            if vim.endswith(vim.api.nvim_buf_get_name(buffer), 'nst-lsp.log') then
              return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), '\\n')
            end
          end
        end)"""
    )
    assert f"runs what is in {project}" in text
    assert "nst-lsp " in text
