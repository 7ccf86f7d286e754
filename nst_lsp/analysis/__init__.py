"""Pure analysis: documents and trace results in, plain data in the editor's vocabulary out.

No I/O, no LSP types, no state.  Positions are those of `tracer.worker.wire`: lines and columns from 1, columns
in characters, the end exclusive.  Broken input gives less data, never an exception.
"""
