"""One editor session: open documents, what is known of each, and the runs that find it out.

Everything happens on one event loop.  Documents and results are frozen values that are replaced, so whoever reads
sees one moment.  A newer run of a file cancels the older one; what is known stays until the newer run has better.

session     what the handlers call
runs        when which file is traced, by which worker
knowledge   the documents and what is known of them: questions only
showing     when the editor is told what
workspace   projects, settings and trust
desk        what the graph pages ask of the session
"""

from .editor import Editor
from .session import Session

__all__ = ["Editor", "Session"]
