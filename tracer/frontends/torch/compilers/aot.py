"""AOTDispatcher's graphs of a call: joint, forward and backward, with the forward source of each node.

AOTDispatcher keeps no positions for plain functions.  While it traces, a function mode marks each torch call of the
user's with its place; torch copies the mark to the nodes, and autograd's anomaly mode keeps it with each gradient
function, from where it comes to the nodes of the backward (`marks`).  Conditions on contents are decided by the
example, as in our traces, and told.  What autograd itself does with the same call is compared in `gradients`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import torch
from torch import fx
from torch._functorch import config, partitioners
from torch._functorch.aot_autograd import aot_function
from torch._guards import TracingContext, tracing
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensorMode
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode, ShapeEnv
from torch.utils import _pytree as pytree

from ....worker.wire import Remark, RemarkKind, Studied, Study
from . import gradients, graphs, places
from .call import Call, Inputs
from .decisions import watched
from .marks import Marks


@dataclass(frozen=True, slots=True)
class Joint:
    """Forward and backward as one graph: its inputs are primals and tangents, its outputs results and gradients."""

    module: fx.GraphModule
    outputs: int
    """How many of its outputs are those of the forward."""
    forward: fx.GraphModule
    backward: fx.GraphModule
    inputs: Sequence[Any]
    """Primals and tangents."""


class _DoneError(Exception):
    """AOTDispatcher has made what is wanted; nothing is compiled or run."""


def study(blank: Studied, call: Call) -> Studied:
    """The graph that `blank.study` names, and what the gradients show."""
    told = replace(blank, torch=torch.__version__)
    marks = Marks()
    inputs = Inputs(call.afresh())
    with watched() as decided:
        try:
            traced = _traced_somehow(inputs, marks)
        except Exception as error:  # whatever user code or AOTDispatcher raises ends it
            if marks.is_ours(error):
                raise
            return _stopped(told, call, error, marks)
    contents = [one for one in decided if one.by_contents]
    baked = dict.fromkeys(_baked(one.words(call.function, {}), *places.told(one.at)) for one in contents)
    told = replace(told, remarks=tuple(sorted(baked, key=places.in_order)), sound=not baked, notes=_notes(inputs))
    if not isinstance(traced, Joint):
        reached = gradients.reached(call, Inputs(call), {})
        verdict = "there is no backward: no output requires grad"
        found = gradients.without_backward(call, traced, marks)
        graph = graphs.printed("forward", traced, marks.of_nodes(traced))
        return replace(told, verdict=verdict, graphs=(graph,), gradients=reached, findings=found)
    _rename(traced, inputs)
    chosen = {Study.JOINT: traced.module, Study.FORWARD: traced.forward, Study.BACKWARD: traced.backward}[blank.study]
    kept = _names(graphs.results_of(traced.forward)[traced.outputs :])
    backward = _names(chosen.graph.nodes) - kept
    if blank.study is not Study.BACKWARD:
        backward -= _names(traced.forward.graph.nodes)
    located, name = marks.of_nodes(chosen), blank.study.value
    graph = graphs.printed(name, chosen, located, backward, kept, name=name)
    with_gradient, size = _with_gradient(traced), graphs.counted(graph.operations, "operation")
    return replace(
        told,
        verdict=f"{blank.study.value} graph of {size}; {_reaches(with_gradient, inputs)}",
        graphs=(graph,),
        gradients=gradients.reached(call, inputs, with_gradient),
        findings=gradients.findings(call, traced.module, traced.outputs, marks),
    )


def _traced_somehow(inputs: Inputs, marks: Marks) -> Joint | fx.GraphModule:
    """What AOTDispatcher makes of the function; where it needs contents, those of the example are at hand."""
    try:
        return _traced(inputs, marks, contents=False)
    except (DataDependentOutputException, GuardOnDataDependentSymNode):
        return _traced(inputs, marks, contents=True)


def _traced(inputs: Inputs, marks: Marks, *, contents: bool) -> Joint | fx.GraphModule:
    """The joint graph and its parts; where nothing is to be differentiated, the only graph."""
    made: list[Joint | fx.GraphModule] = []

    def partition(joint: fx.GraphModule, given: Any, *, num_fwd_outputs: int, **more: Any) -> NoReturn:
        split = partitioners.min_cut_rematerialization_partition
        whole = fx.GraphModule(joint, joint.graph.__deepcopy__({}))
        for copied, node in zip(whole.graph.nodes, joint.graph.nodes, strict=True):
            copied.meta = dict(node.meta)
        forward, backward = split(joint, given, num_fwd_outputs=num_fwd_outputs, **more)
        made.append(Joint(whole, num_fwd_outputs, forward, backward, given))
        raise _DoneError

    def only(module: fx.GraphModule, given: Any) -> NoReturn:
        made.append(module)
        raise _DoneError

    with ExitStack() as around:
        around.enter_context(config.patch(fake_tensor_propagate_real_tensors=contents))
        fake = FakeTensorMode(allow_non_fake_inputs=True, shape_env=ShapeEnv(), static_shapes=True)
        around.enter_context(tracing(TracingContext(fake)))
        around.enter_context(marks.marking())
        try:
            given = [fake.from_tensor(tensor, static_shapes=True) for tensor in inputs.given()]
            aot_function(lambda *tensors: _tensors_of(inputs.run(*tensors)), only, only, partition)(*given)
        except _DoneError:
            pass
    return made[0]


def _stopped(told: Studied, call: Call, error: Exception, marks: Marks) -> Studied:
    """There is no graph: where AOTDispatcher gave up, and why."""
    found = gradients.of_stopped(call, error)
    place, text = places.told(marks.failed(error) or places.of_error(error))
    verdict = f"AOTDispatcher does not get past `{text}`" if text else "AOTDispatcher does not get through"
    if found:
        place, text, verdict = found[0].place, found[0].text, f"there is no backward of `{found[0].text}`"
    stop = Remark(RemarkKind.STOP, graphs.first_line(error), place=place, text=text)
    return replace(told, verdict=verdict, remarks=(stop,), findings=found)


def _tensors_of(result: Any) -> list[torch.Tensor]:
    """The tensors of a result: what is not one takes no part in a graph."""
    return [leaf for leaf in pytree.tree_leaves(result) if isinstance(leaf, torch.Tensor)]


def _baked(condition: str, place: Any, text: str) -> Remark:
    message = "contents decided this; the graph holds only where it is as for the example"
    return Remark(RemarkKind.BAKED, message, condition or text, place, text)


def _notes(inputs: Inputs) -> tuple[str, ...]:
    if inputs.supposed:
        return ("nothing in the example requires grad: all that can is taken to",)
    return ()


def _reaches(with_gradient: Collection[int], inputs: Inputs) -> str:
    wanted = [number for number, tensor in enumerate(inputs.tensors) if tensor.requires_grad]
    count = sum(number in with_gradient for number in wanted)
    return f"{count} of {len(wanted)} inputs that require grad get a gradient"


def _with_gradient(joint: Joint) -> dict[int, str]:
    """The positions of the inputs that the joint graph has a gradient for, and the nodes that these are."""
    gradients_made = graphs.results_of(joint.module)[joint.outputs :]
    return {number: node.name for number, node in enumerate(gradients_made) if isinstance(node, fx.Node)}


def _names(nodes: Iterable[Any]) -> set[str]:
    """The names of nodes among the results or the nodes of a graph."""
    return {node.name for node in nodes if isinstance(node, fx.Node)}


def _rename(joint: Joint, inputs: Inputs) -> None:
    """Call inputs as the user does, and say of tangents what they are the gradient of."""
    names = [re.sub(r"\W+", "_", name).strip("_") for name in inputs.names]
    placeholders = [node for node in joint.module.graph.nodes if node.op == "placeholder"]
    primals = [node for node in placeholders if node.name.startswith("primals")]
    if len(primals) != len(names):  # AOTDispatcher has left out inputs that are the same tensor
        return
    new = {node.name: name for node, name in zip(primals, names, strict=True)}
    tangents = [node.name for node in placeholders if node.name.startswith("tangents")]
    single = len(tangents) == 1
    new |= {name: "grad_output" if single else f"grad_output_{number}" for number, name in enumerate(tangents)}
    for module in (joint.module, joint.forward, joint.backward):
        for node in list(module.graph.nodes):
            if node.op == "placeholder" and node.name in new:
                node._rename(new[node.name])
                node.target = node.name
        module.graph.set_codegen(fx.graph.CodeGen())
        module.recompile()
