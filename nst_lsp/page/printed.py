"""The picture of a graph that was traced once, with no session around it: for `nst graph --format html`."""

from __future__ import annotations

from pathlib import Path

from tracer.worker.wire import Studied

from ..analysis.diagnostics import diagnostics
from ..analysis.document import Document
from ..analysis.picture import Around, Picture, picture
from ..analysis.places import Places
from ..analysis.studied import beside, studied_picture
from ..analysis.text import Text
from ..analysis.view import View
from ..graphs import Shown, Target
from ..project import Project
from ..sources import disk


def printed(target: Target, shown: Shown, project: Project, studied: Studied | None = None) -> Picture | None:
    """The picture of what was traced, or of what a tracer of PyTorch's said of it; None where there is no trace."""
    if shown.traced is None or shown.report is None:
        return None
    known, sources, places = shown.traced, disk(), Places({})

    def text(path: str) -> Text:
        return sources(path) or Text("")

    function = known.function(target.function)
    outcome = function.outcome(shown.report.index) if function else None
    if function is None or outcome is None:
        return None
    now = text(target.path)
    document = Document(Path(target.path).as_uri(), target.path, 1, now, saved=now)
    view = View(document, known, places, {function.name: shown.report.index}, project.settings)
    files = {finding.place.path for finding in shown.report.findings}
    told = {
        path: diagnostics(path, text(path).source, [known], places, project.settings, project.root) for path in files
    }
    around = Around(text, project.root, told)
    if studied is None:
        return picture(view, function, outcome, around)
    outcome, around = beside(view, function, outcome, around, studied)
    return studied_picture(view, function, outcome, around, studied, stale=False)
