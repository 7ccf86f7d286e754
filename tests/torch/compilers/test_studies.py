"""What PyTorch's own tracers say of real functions: the places are exact, and the graphs are what torch itself runs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import torch

from tests.torch.versions import exact
from tracer.frontends.torch.compilers.marks import Marks
from tracer.worker import studying
from tracer.worker.wire import Options, Place, RemarkKind, Studied, Study, StudyCall

MODELS = Path(__file__).with_name("models.py")
LINES = MODELS.read_text(encoding="utf-8").splitlines()


@cache
def studied(function: str, study: Study, mode: str = "symbolic") -> Studied:
    answer = studying.study(StudyCall(1, str(MODELS), function, study, options=Options(mode=mode)))
    assert answer.error is None
    return answer


def at(place: Place | None) -> tuple[str, str]:
    """The line of a place, and what stands there."""
    assert place is not None
    span = place.span
    assert (place.path, span.line) == (str(MODELS), span.end_line)
    row = LINES[span.line - 1]
    return row.strip(), row[span.column - 1 : span.end_column - 1]


def remarks(answer: Studied, kind: RemarkKind) -> list[tuple[str, str]]:
    """The condition of each remark of a kind, else its message, and what stands at its place."""
    told = [one for one in answer.remarks if one.kind is kind]
    return [(one.condition or one.message, at(one.place)[1]) for one in told if one.place is not None]


# ---- AOTDispatcher ---------------------------------------------------------------------------------


def test_each_node_of_a_backward_belongs_to_the_forward_expression_that_it_differentiates():
    (graph,) = studied("Perceptron.forward", Study.BACKWARD).graphs
    made = [node for node in graph.nodes if node.operation != "input"]
    assert all(node.backward for node in made)
    belongs = {node.operation: at(node.place)[1] for node in made}
    assert belongs["aten.native_dropout_backward.default"] == "self.drop(h)"
    assert belongs["aten.threshold_backward.default"] == "torch.relu(self.inner(x))"
    order = list(dict.fromkeys(at(node.place)[1] for node in made))
    assert order == ["self.outer(h)", "self.drop(h)", "torch.relu(self.inner(x))", "self.inner(x)"]
    assert all(node.line is not None and f"{node.name} = " in graph.code.splitlines()[node.line] for node in made)


def test_a_joint_graph_has_the_inputs_by_the_users_names_and_runs():
    """It gives what autograd gives, on other arguments than the example's."""
    answer = studied("Attention.forward", Study.JOINT)
    (graph,) = answer.graphs
    names = [node.name for node in graph.nodes if node.operation == "input"]
    assert names == ["self_project_weight", "self_project_bias", "self_mask", "x", "grad_output"]
    assert [(one.input, one.reached) for one in answer.gradients] == [
        ("self.project.weight", True),
        ("self.project.bias", True),
    ]
    assert {node.backward for node in graph.nodes} == {True, False}
    weight, bias = torch.rand(24, 8, requires_grad=True), torch.rand(24, requires_grad=True)
    mask, x, grad = torch.ones(5, 5).tril().bool(), torch.rand(2, 5, 8), torch.rand(2, 5, 8)
    space: dict = {"torch": torch, "inf": float("inf"), "device": torch.device}
    exec(graph.code, space)
    output, by_weight, by_bias, *_ = space["joint"](None, weight.detach(), bias.detach(), mask, x, grad)
    q, k, v = torch.nn.functional.linear(x, weight, bias).chunk(3, dim=-1)
    scores = (q @ k.transpose(-1, -2) / 8**0.5).masked_fill(~mask, float("-inf"))
    expected = scores.softmax(-1) @ v
    torch.testing.assert_close(output, expected)
    torch.testing.assert_close((by_weight, by_bias), torch.autograd.grad(expected, [weight, bias], grad))


def test_forward_and_backward_fit_together():
    (forward,), (backward,) = (studied("Perceptron.forward", one).graphs for one in (Study.FORWARD, Study.BACKWARD))
    (joint,) = studied("Perceptron.forward", Study.JOINT).graphs
    saved = {node.name for node in backward.nodes if node.operation == "input"} - {"grad_output"}
    assert saved
    for graph in (joint, forward, backward):
        assert {node.name for node in graph.nodes if node.saved} == saved
        names = {node.name for node in graph.nodes}
        assert names.issuperset(graph.outputs)
        assert all(names.issuperset(node.inputs) for node in graph.nodes)
    assert not any(node.backward for node in forward.nodes)
    assert {node.name for node in joint.nodes if not node.backward} == {node.name for node in forward.nodes}
    assert all(node.backward or node.saved for node in backward.nodes)


def test_a_gradient_names_the_node_that_it_is():
    for study in (Study.JOINT, Study.BACKWARD):
        answer = studied("detached", study)
        shapes = {node.name: node.shape for node in answer.graphs[0].nodes}
        assert {one.input: one.node is not None for one in answer.gradients} == {"x": False, "y": False, "z": True}
        assert all(shapes[one.node] == one.shape for one in answer.gradients if one.node is not None)


def test_contents_that_a_condition_asks_for_are_those_of_the_example():
    answer = studied("talkative", Study.JOINT)
    assert remarks(answer, RemarkKind.BAKED) == [("h.sum().item() > 3", "h.sum().item() > 3")]
    assert not answer.sound
    assert answer.graphs


def test_a_backward_that_raises_is_told_at_the_operation_with_the_write_that_broke_it():
    answer = studied("overwritten", Study.JOINT)
    (finding,) = answer.findings
    assert (finding.code, at(finding.place)) == ("NST501", ("y = x.exp()", "x.exp()"))
    assert [at(one.place) for one in finding.related] == [("y.add_(1)", "y.add_(1)")]
    assert not answer.graphs


def test_a_captured_tensor_that_requires_grad_has_none_from_the_graph():
    answer = studied("weighted", Study.BACKWARD)
    (finding,) = answer.findings
    assert (finding.code, finding.severity.value, at(finding.place)[1]) == ("NST204", "warning", "WEIGHT")
    assert finding.witness is not None
    assert finding.witness.graph == "no gradient"


def test_a_captured_module_has_its_parameters_frozen_also_where_there_is_no_backward():
    (finding,) = studied("looked_up", Study.JOINT).findings
    assert (finding.code, at(finding.place)[1]) == ("NST204", "TABLE(numbers)")
    assert "`TABLE.weight`" in finding.message


def test_where_gradients_end_is_told_for_the_inputs_that_get_none():
    gradients = {one.input: one for one in studied("detached", Study.JOINT).gradients}
    assert {name: one.reached for name, one in gradients.items()} == {"x": False, "y": False, "z": True}
    assert [at(one.place)[1] for one in gradients["x"].cuts] == ["x.detach()"]
    assert [at(one.place)[1] for one in gradients["y"].cuts] == ["y.exp()"]
    assert not gradients["z"].cuts


def test_writes_in_place_are_statements_and_no_findings():
    answer = studied("buffered", Study.JOINT)
    assert not answer.findings
    places = {at(node.place)[1] for node in answer.graphs[0].nodes if node.place is not None}
    assert places == {"x[0] = 2.0", "x.mul_(3)", "x.mul_(3).sin()"}


def test_a_backward_of_the_users_own_belongs_to_the_call_of_its_forward():
    (graph,) = studied("custom", Study.BACKWARD).graphs
    made = {node.operation: at(node.place)[1] for node in graph.nodes if node.operation != "input"}
    assert made["aten.mul.Tensor"] == "Wrong.apply(x)"
    assert not studied("custom", Study.JOINT).findings


def test_a_function_without_floating_numbers_has_no_backward():
    answer = studied("counted", Study.BACKWARD)
    assert "no backward" in answer.verdict
    assert not answer.gradients


def test_an_example_of_a_module_itself_has_its_parameters_as_inputs():
    answer = studied("made", Study.JOINT)
    assert [one.input for one in answer.gradients] == [
        "self.inner.weight",
        "self.inner.bias",
        "self.outer.weight",
        "self.outer.bias",
    ]
    assert not answer.findings


def test_a_function_that_gives_another_gradient_each_time_is_not_held_against_its_graph():
    assert not studied("counting", Study.JOINT).findings
    assert not studied("dropping", Study.JOINT).findings


# ---- Dynamo ----------------------------------------------------------------------------------------


@exact
def test_breaks_stand_at_their_expressions_and_guards_in_the_users_words():
    answer = studied("talkative", Study.DYNAMO)
    assert {node.shape for graph in answer.graphs for node in graph.nodes} == {"", "float32[4, 3]", "float32[]"}
    breaks = [one for one in answer.remarks if one.kind is RemarkKind.BREAK]
    assert [at(one.place)[1] for one in breaks] == ['print("half way")', "h.sum().item()"]
    assert all(one.message for one in breaks)
    assert len(answer.graphs) == 3
    guards = dict(remarks(answer, RemarkKind.GUARD))
    assert guards["SCALE == 3.0"] == "SCALE"
    assert guards["power == 2.0"] == "power"
    assert guards["x.shape[0] > 2"] == "x.shape[0] > 2"
    assert guards["h.sum().item() == 60.0"] == "h.sum().item()"
    assert guards["x is float32[4, 3]"] == "x"


@exact
def test_a_guard_after_a_break_stands_at_its_own_condition():
    assert ("x.shape[0] > 2", "x.shape[0] > 2") in remarks(studied("resumed", Study.DYNAMO), RemarkKind.GUARD)


@exact
def test_settings_of_submodules_are_guarded_at_their_call():
    answer = studied("Perceptron.forward", Study.DYNAMO)
    guards = dict(remarks(answer, RemarkKind.GUARD))
    assert guards["self.drop.training == True"] == guards["self.drop.p == 0.5"] == "self.drop(h)"
    assert guards["x.shape[1] == 3"] == "self.inner(x)"
    assert (answer.sound, len(answer.graphs)) == (True, 1)


def test_items_of_containers_are_guarded_as_they_are_written():
    guards = dict(remarks(studied("options", Study.DYNAMO), RemarkKind.GUARD))
    assert guards["given['n'] == 3"] == 'given["n"]'
    assert guards["flag == True"] == "flag"
    assert not [one for one in guards if one.startswith("torch.")]  # what nobody gives another value


def test_without_symbolic_sizes_none_is_guarded_by_itself():
    guards = dict(remarks(studied("talkative", Study.DYNAMO, "real"), RemarkKind.GUARD))
    assert "x.shape[0] > 2" not in guards
    assert guards["x is float32[4, 3]"] == "x"


def test_a_compiled_function_is_asked_as_the_plain_one_and_nothing_is_compiled():
    assert studied("compiled", Study.DYNAMO).sound
    assert studied("compiled", Study.JOINT).graphs[0].operations
    assert studied("compiled", Study.EXPORT).sound
    assert not torch._dynamo.utils.counters["inductor"]


@exact
def test_a_function_of_which_nothing_is_captured_is_not_sound():
    answer = studied("addressed", Study.DYNAMO)
    assert (answer.sound, answer.graphs) == (False, ())
    assert "plain Python" in answer.verdict
    assert [(one.kind, at(one.place)[1]) for one in answer.remarks] == [(RemarkKind.BREAK, "x.data_ptr() % 2")]


# ---- torch.export ----------------------------------------------------------------------------------


@exact
def test_what_an_export_would_assume_is_told_once_at_its_place():
    answer = studied("talkative", Study.EXPORT)
    assert remarks(answer, RemarkKind.GUARD) == [("x.shape[0] > 2", "x.shape[0] > 2")]
    assert remarks(answer, RemarkKind.BAKED) == [("h.sum().item() > 3", "h.sum().item() > 3")]
    assert "on the example it gives the same" in answer.verdict


@exact
def test_an_export_has_the_users_names_and_places():
    answer = studied("Perceptron.forward", Study.EXPORT)
    assert remarks(answer, RemarkKind.GUARD) == [("x.shape[1] == 3", "self.inner(x)")]
    nodes = answer.graphs[0].nodes
    names = [node.name for node in nodes if node.operation == "input"]
    assert names == ["self_inner_weight", "self_inner_bias", "self_outer_weight", "self_outer_bias", "x"]
    assert [at(node.place)[1] for node in nodes if node.operation != "input"] == [
        "self.inner(x)",
        "torch.relu(self.inner(x))",
        "self.drop(h)",
        "self.outer(h)",
    ]


def test_without_symbolic_sizes_an_export_has_nothing_to_report():
    assert studied("Perceptron.forward", Study.EXPORT, "real").sound


# ---- what runs share ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("study", "mode"), [(Study.JOINT, "symbolic"), (Study.EXPORT, "real")])
def test_a_run_does_not_find_what_another_has_kept(study, mode):
    """Else a tracer meets stand-ins of its own, from an earlier run, and gives up."""
    answer = studied("Positions.forward", study, mode)
    (graph,) = answer.graphs
    made = {at(node.place)[1] for node in graph.nodes if node.place is not None}
    assert {"x.new_ones(3)", "torch.arange(length, dtype=torch.float32)", "torch.linspace(0, 1, length)"} <= made
    assert study is Study.JOINT or "on the example it gives the same" in answer.verdict


# ---- our own faults ----------------------------------------------------------------------------------


@pytest.mark.parametrize("study", [Study.JOINT, Study.EXPORT])
def test_a_fault_of_ours_is_not_told_as_the_tracers(study, monkeypatch):
    monkeypatch.setattr(Marks, "marking", None)
    with pytest.raises(TypeError, match="NoneType"):
        studying.study(StudyCall(1, str(MODELS), "custom", study))


# ---- what cannot be asked ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "example", "why"),
    [("plain", 0, "is a tensor or a module"), ("talkative", 3, "no example 3; it has 0"), ("gone", 0, "no example")],
)
def test_what_cannot_be_asked_is_refused_with_the_reason(function, example, why):
    answer = studying.study(StudyCall(1, str(MODELS), function, Study.JOINT, example))
    assert answer.refused
    assert why in (answer.error or "")
