"""A person with Neovim: opens a file, sees what the graph lost, edits, saves, and sees it change.

Neovim, its language client, the plugin, the server and the worker are the real ones, set up with the very
lines that editors/README.md gives.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from nst_lsp.page import bundle
from tests.nvim.neovim import BIN, Neovim, neovim
from tests.nvim.sample import SOURCE, expected, graph, lens_at, line_of, new_project, open_file, seen, set_up


def test_findings_underline_the_exact_expression_in_bytes(reader: Neovim) -> None:
    assert reader.lua("return driver.client().offset_encoding") == "utf-8"
    assert seen(reader) == expected(SOURCE)


def test_hover_on_the_name_of_a_function_shows_its_graph(reader: Neovim) -> None:
    text = reader.lua("driver.go_to('scale(x)'); return driver.hover()")
    assert "np.multiply" in text or " * " in text
    assert "x.shape[0] > 2" in text


def test_hover_on_an_expression_tells_its_shape_and_values(reader: Neovim) -> None:
    whole = reader.lua("driver.go_to('- 1.0'); return driver.hover()")
    assert "x - 1.0" in whole
    assert "-1., " in whole
    name = reader.lua("driver.go_to('x - 1.0'); return driver.hover()")
    assert "float64" in name
    assert "0., 1., 2." in name


def test_hover_behind_characters_of_several_bytes(reader: Neovim) -> None:
    text = reader.lua("driver.go_to('np.sqrt'); return driver.hover()")
    assert "float64" in text
    assert "sqrt" in text


def test_lenses_say_how_large_the_graph_is_and_what_it_is_valid_for(reader: Neovim) -> None:
    lens = lens_at(reader, line_of("def scale"), "graph:")
    assert re.search(r"graph: 2 operations · valid for x\.shape\[0\] > 2", lens)


def test_a_code_action_offers_the_graph(reader: Neovim) -> None:
    titles = reader.lua(
        """driver.go_to('scale(x)')
        local client = driver.client()
        local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
        params.context = { diagnostics = {} }
        local reply = client:request_sync('textDocument/codeAction', params, 60000, 0)
        return vim.tbl_map(function(action) return action.title end, reply.result)"""
    )
    assert any("graph" in title.lower() for title in titles)


def test_a_question_about_a_rank_is_answered_with_an_example(editor: Neovim, project: Path, tidy: None) -> None:
    source = f"{SOURCE}\n\ndef blur(image: np.ndarray):\n    return image / 2\n"
    line = line_of("def blur", source)
    open_file(editor, new_project(project, source, "blur.py"))
    lens_at(editor, line_of("def größe"), "graph:")
    written = editor.lua(
        """driver.go_to('blur')
        local function wanted(action) return action.title == 'Trace blur with image of 2 dimensions' end
        vim.lsp.buf.code_action({ apply = true, filter = wanted })
        return driver.wait('an example', function()
          local line = vim.api.nvim_buf_get_lines(0, given - 1, given, true)[1]
          return line:find('example', 1, true) and line
        end)""",
        line,
    )
    assert written == "# nst: example(spec((3, 5)))"
    editor.lua("vim.cmd.write()")
    lens_at(editor, line + 1, "graph: 1 operation")


def test_the_graph_can_be_opened_closed_and_left_for_its_source(reader: Neovim) -> None:
    reader.lua("driver.go_to('return x * gain'); vim.cmd.NstGraph()")
    shown = graph(reader)
    assert shown["name"].endswith("read.py/scale")
    assert (shown["filetype"], shown["modifiable"]) == ("python", False)
    assert "x.shape[0] > 2" in shown["headline"]
    namespace: dict[str, Any] = {}
    exec(shown["text"], namespace)  # the oracle: what is shown is Python, and does what the function does
    import numpy as np

    function = next(value for value in namespace.values() if callable(value) and getattr(value, "__code__", None))
    np.testing.assert_array_equal(function(np.arange(5.0)), (np.arange(5.0) - 1.0) * 3.0)
    went = reader.lua(
        """local graph = ...
        local window = vim.fn.win_findbuf(vim.fn.bufnr('^' .. graph .. '$'))[1]
        vim.api.nvim_set_current_win(window)
        vim.fn.search('- 1.0\\\\|subtract')
        vim.cmd.normal(vim.keycode('<CR>'))
        local line = vim.api.nvim_get_current_line()
        vim.api.nvim_set_current_win(window)
        vim.cmd.normal('q')
        return { line = line, left = vim.fn.bufexists(graph) }""",
        shown["name"],
    )
    assert went == {"line": "        x = x - 1.0", "left": 0}


def test_running_a_lens_opens_its_graph_and_keeps_the_lens(reader: Neovim) -> None:
    line = line_of("def größe")
    lens = lens_at(reader, line, "graph:")
    reader.lua(
        """vim.api.nvim_win_set_cursor(0, { ..., 0 })
        vim.ui.select = function(lenses, _, choose) choose(lenses[1]) end -- the person picks the first
        vim.lsp.codelens.run()""",
        line,
    )
    assert graph(reader)["name"].endswith("größe")
    assert lens_at(reader, line, "graph:") == lens
    reader.lua("vim.cmd.bwipeout(driver.graph().name)")


def health(editor: Neovim) -> str:
    report: str = editor.lua(
        """vim.cmd.checkhealth('nst')
        local lines = vim.api.nvim_buf_get_lines(0, 0, -1, true)
        vim.cmd.bwipeout({ bang = true })
        return table.concat(lines, '\\n')"""
    )
    return report


def test_checkhealth_finds_nothing_wrong_and_names_what_runs(reader: Neovim, project: Path) -> None:
    report = health(reader)
    assert "ERROR" not in report
    assert "WARNING" not in report or not bundle.is_built()
    assert "columns in utf-8" in report
    assert f"Project {project}" in report
    assert sys.executable in report
    for word in ("Neovim 0.", "nst-lsp, version", "NumPy", "Landlock", "graph page", "trusted"):
        assert word in report


def test_checkhealth_says_what_to_do(tmp_path: Path) -> None:
    path = new_project(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.nst]\ncolour = 1\n", encoding="utf-8")
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    python.chmod(0o755)
    settings = f"vim.lsp.config('nst', {{ settings = {{ nst = {{ python = '{python}' }} }} }})\n"
    with neovim("vim.g.nst = { split = 'up' }\n" + settings + set_up("With the plugin")) as editor:
        editor.lua("vim.cmd.edit(...); driver.client()", str(path))
        report = health(editor)
        assert "vim.g.nst.split: expected one of 'left', 'right', 'above', 'below', got up" in report
        assert "ERROR no worker runs there" in report
        assert f'Try: {python} -c "import numpy"' in report
        assert "unknown setting `colour`" in report


def test_where_nothing_may_run_it_is_said(tmp_path: Path) -> None:
    refusing = """vim.lsp.config('nst', {
      settings = { nst = { trusted = false } },
      handlers = { ['window/showMessageRequest'] = function() return vim.NIL end },
    })
    """
    with neovim(refusing + set_up("With the plugin")) as editor:
        editor.lua("vim.cmd.edit(...); driver.client()", str(new_project(tmp_path)))
        editor.lua("driver.wait('the state', function() return require('nst').status():find('not trusted') end)")
        editor.lua("driver.go_to('def scale'); vim.cmd.NstGraph()")
        editor.lua(
            "driver.wait('why', function() return driver.messages():find('no graph here yet: nothing is run') end)"
        )
        assert "nothing of it is run: it is not trusted" in health(editor)


def test_every_tag_of_the_help_file_is_found(reader: Neovim) -> None:
    found = reader.lua(
        """vim.cmd.helptags('ALL')
        local file = vim.api.nvim_get_runtime_file('doc/nst.txt', false)[1]
        local text, missing, count = table.concat(vim.fn.readfile(file), '\\n'), {}, 0
        for tag in text:gmatch('|([^|%s]+)|') do
          count = count + 1
          if not pcall(vim.cmd.help, tag) then
            table.insert(missing, tag)
          end
        end
        for name in pairs(vim.api.nvim_get_commands({ builtin = false })) do
          if vim.startswith(name, 'Nst') and not pcall(vim.cmd.help, ':' .. name) then
            table.insert(missing, name)
          end
        end
        vim.cmd.helpclose()
        return { count, missing }"""
    )
    assert found[0] > 10
    assert found[1] == []


def test_saving_an_edit_changes_findings_lens_and_open_graph(writer: Neovim) -> None:
    line = line_of("def scale")
    before = lens_at(writer, line, "graph:")
    writer.lua("driver.go_to('scale(x)'); vim.cmd.NstGraph()")
    assert "sqrt" not in graph(writer)["text"]
    writer.lua("vim.cmd('%s/return x \\\\* gain/return np.sqrt(x) * 3.0/'); vim.cmd.write()")
    writer.lua("driver.wait('one finding less', function() return #driver.diagnostics() == 2 end)")
    assert seen(writer) == [finding for finding in expected(SOURCE) if finding[1] != line_of("return x * gain")]
    assert lens_at(writer, line, "graph: 3 operations") != before
    writer.lua("driver.wait('the new graph', function() return driver.graph().text:find('sqrt') end)")


def test_lines_above_move_lenses_and_findings_along(writer: Neovim) -> None:
    lens_at(writer, line_of("def größe"), "graph:")
    writer.lua("vim.api.nvim_buf_set_lines(0, 1, 1, true, { '', '# 📐' }); vim.cmd.write()")
    lens_at(writer, line_of("def größe") + 2, "graph:")
    moved = [(code, line + 2, byte, text) for code, line, byte, text in expected(SOURCE)]
    writer.lua(
        "driver.wait('moved findings', function() return driver.diagnostics()[1].line == given end)", moved[0][1]
    )
    assert seen(writer) == moved


def test_a_syntax_error_keeps_the_results_and_says_so(writer: Neovim) -> None:
    line = line_of("def scale")
    lens_at(writer, line, "graph:")
    writer.lua("vim.api.nvim_buf_set_lines(0, -1, -1, true, { 'def broken(:' }); vim.cmd.write()")
    stale = lens_at(writer, line, "stale")
    assert "graph: 2 operations" in stale
    assert set(expected(SOURCE)) <= set(seen(writer))
    writer.lua("driver.go_to('scale(x)'); vim.cmd.NstGraph()")
    assert "stale" in graph(writer)["headline"]
    writer.lua("vim.cmd('$delete'); vim.cmd.write()")
    assert "stale" not in lens_at(writer, line, r"graph: 2 operations\(.*stale\)\@!")
    writer.lua(
        "driver.wait('the findings alone', function() return #driver.diagnostics() == given end)", len(expected(SOURCE))
    )


def test_retrace_sees_what_changed_outside_the_file(editor: Neovim, project: Path, tidy: None) -> None:
    source = """\
        import pathlib

        limit = float(pathlib.Path(__file__).with_name("limit.txt").read_text())


        # nst: example(__import__("numpy").ones(3))
        def clip(x):
            return x.clip(0.0, limit)
        """
    path = new_project(project, "\n".join(line[8:] for line in source.splitlines()) + "\n", "clip.py")
    (project / "limit.txt").write_text("12.5", encoding="utf-8")
    open_file(editor, path)
    editor.lua("driver.go_to('clip(x)'); vim.cmd.NstGraph()")
    assert "12.5" in graph(editor)["text"]
    (project / "limit.txt").write_text("47.25", encoding="utf-8")
    editor.lua("vim.cmd.NstRetrace()")
    editor.lua("driver.wait('the new limit', function() return driver.graph().text:find('47.25', 1, true) end)")


def test_restart_starts_another_server_with_the_same_results(writer: Neovim) -> None:
    before = writer.lua("return driver.client().id")
    writer.lua("vim.cmd.NstRestart()")
    writer.lua("driver.wait('another server', function() return driver.client().id ~= given end)", before)
    lens_at(writer, line_of("def scale"), "graph:")
    writer.lua("driver.wait('findings', function() return #driver.diagnostics() == given end)", len(expected(SOURCE)))
    assert seen(writer) == expected(SOURCE)


def test_inlay_hints_show_shapes_behind_names(tmp_path: Path) -> None:
    settings = "vim.lsp.config('nst', { settings = { nst = { inlayHints = true } } })\nvim.lsp.inlay_hint.enable()\n"
    with neovim(settings + set_up("With the plugin")) as editor:
        open_file(editor, new_project(tmp_path))
        shown = editor.lua(
            """return driver.wait('hints', function()
              local labels = {}
              for _, one in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
                local label = one.inlay_hint.label
                labels[tostring(one.inlay_hint.position.line + 1)] = type(label) == 'string' and label or label[1].value
              end
              return next(labels) and labels
            end)"""
        )
    assert "float64[3]" in shown[str(line_of("x = x - 1.0"))]


def test_a_fix_is_applied_to_the_buffer_and_answers_its_finding(writer: Neovim) -> None:
    lens_at(writer, line_of("def scale"), "graph:")
    writer.lua(
        """driver.go_to('gain', ...)
        local function wanted(action) return vim.startswith(action.title, 'Make gain a parameter') end
        driver.wait('the fix', function()
          vim.lsp.buf.code_action({ apply = true, filter = wanted })
          return vim.wait(1000, function()
            return vim.api.nvim_buf_get_lines(0, 6, 7, true)[1] ~= 'def scale(x):'
          end, 20)
        end)
        vim.cmd.write()""",
        line_of("return x * gain"),
    )
    writer.lua("driver.wait('one finding less', function() return #driver.diagnostics() == 2 end)")
    assert ("NST205", "scale") not in [(code, text) for code, _, _, text in seen(writer)]
    assert "gain" in writer.lua("return vim.api.nvim_buf_get_lines(0, 6, 7, true)[1]")


def test_names_are_completed_in_the_comment_of_an_example_alone(writer: Neovim) -> None:
    typed = """local line, text = ...
    vim.api.nvim_buf_set_lines(0, line - 1, line - 1, true, { text })
    vim.api.nvim_win_set_cursor(0, { line, #text })"""
    asked = """local function labels()
      local client = driver.client()
      local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
      params.position.character = #vim.api.nvim_get_current_line()
      local result = client:request_sync('textDocument/completion', params, 60000, 0).result
      return vim.tbl_map(function(item) return item.label end, result and (result.items or result) or {})
    end
    """
    writer.lua(typed, line_of("def scale"), "# nst: example(np.lins")
    # The first question starts jedi, which may take longer than anybody waits for an answer.
    writer.lua(asked + "driver.wait('linspace', function() return vim.tbl_contains(labels(), 'linspace') end)")
    writer.lua(typed, 1, "np.lins")
    assert not writer.lua(asked + "return labels()")


def test_a_worker_that_is_killed_comes_back_and_nothing_is_lost(writer: Neovim) -> None:
    lens_at(writer, line_of("def scale"), "graph: 2 operations")
    asked = """local asked = { command = 'nst.doctor' }
    return driver.client():request_sync('workspace/executeCommand', asked, 60000, 0).result.projects[1].worker"""
    worker = writer.lua(asked)
    os.kill(worker, signal.SIGKILL)
    assert seen(writer) == expected(SOURCE)
    writer.lua("vim.cmd('%s/x - 1.0/np.sqrt(x) - 1.0/'); vim.cmd.write()")
    lens_at(writer, line_of("def scale"), "graph: 3 operations")
    assert seen(writer) == expected(SOURCE)
    assert writer.lua(asked) != worker


def test_without_a_server_the_commands_say_where_to_look(tmp_path: Path) -> None:
    with neovim("") as editor:
        editor.lua("vim.cmd.edit(...)", str(new_project(tmp_path)))
        editor.lua("vim.cmd.NstGraph()")
        assert ":checkhealth nst" in editor.lua("return driver.messages()")
        assert "vim.lsp.enable('nst')" in health(editor)


def test_settings_reach_the_server_and_unknown_ones_are_named(tmp_path: Path) -> None:
    settings = (
        "vim.lsp.config('nst', { settings = { nst = { codeLens = false, ignore = { 'NST205' }, colour = 1 } } })\n"
    )
    with neovim(settings + set_up("With the plugin")) as editor:
        open_file(editor, new_project(tmp_path), findings=1)
        assert {finding[0] for finding in seen(editor)} == {"NST102"}
        editor.lua("driver.wait('a message', function() return driver.messages():find('colour') end)")
        assert (
            editor.lua(
                """local client = driver.client()
            local params = { textDocument = vim.lsp.util.make_text_document_params(0) }
            return client:request_sync('textDocument/codeLens', params, 60000, 0).result or {}"""
            )
            == []
        )


def test_a_missing_server_is_named_at_once_and_by_checkhealth(tmp_path: Path) -> None:
    with neovim("vim.lsp.config('nst', { cmd = { 'no-such-server' } })\n" + set_up("With the plugin")) as editor:
        editor.lua("vim.cmd.edit(...)", str(new_project(tmp_path)))
        named = "no-such-server is not an executable"
        assert named in editor.lua("return driver.messages()")
        editor.lua("vim.cmd.messages('clear'); vim.cmd.NstGraph()")
        assert named in editor.lua("return driver.messages()")
        assert named in health(editor)


def test_without_the_plugin_neovim_shows_the_same(tmp_path: Path) -> None:
    with neovim(set_up("Without the plugin"), plugin=False) as editor:
        open_file(editor, new_project(tmp_path))
        assert seen(editor) == expected(SOURCE)
        lens_at(editor, line_of("def scale"), "graph: 2 operations")
        assert "x.shape[0] > 2" in editor.lua("driver.go_to('scale(x)'); return driver.hover()")
        assert (BIN / "nst-lsp").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")
def test_quitting_neovim_leaves_no_process_behind(tmp_path: Path) -> None:
    with neovim(set_up("With the plugin")) as editor:
        open_file(editor, new_project(tmp_path))
        started = descendants(editor.pid)
        assert len(started) >= 2, "a server and its worker"
        pids = [os.pidfd_open(pid) for pid in started]
    for descriptor in pids:
        assert ended(descriptor), f"still running: one of {started}"
        os.close(descriptor)


def descendants(pid: int) -> list[int]:
    children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [*children, *(below for child in children for below in descendants(child))]


def ended(pidfd: int) -> bool:
    """Whether the process ends; a descriptor of a process turns readable when it does."""
    import select

    return bool(select.select([pidfd], [], [], 60)[0])
