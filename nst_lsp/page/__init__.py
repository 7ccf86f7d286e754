"""The graph page: a local web page that shows a function's graph, follows the editor, and leads back into it.

It is what gopls calls a web view: served on the loopback address under a token, opened by any editor.  Nothing of it
is loaded, and no socket is open, until the first page is asked for.  docs/page.md has the protocol and who may ask.

desk        what a page needs of the session behind it
pages       the pages that are open: what each is told, and when
drawing     a moment of the session as one event, made off the event loop
encoding    pictures as JSON
messages    what a page says, parsed
site        addresses, headers, and who is let in
serving     uvicorn in the loop that is there
bundle      the page's own files, which `make page` builds
inlined     the page with its scripts and styles standing in it
single      a page in one file, for others to look at
webview     the page for an editor's webview
standalone  a page without an editor, for the command line
"""
