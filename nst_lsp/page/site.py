"""The pages' addresses, and who is let in.

Anything on the machine can reach a loopback port, and a web page can make the browser ask it.  So an address begins
with a token that only the editor was told; the `Host` must be a loopback name, or a name that somebody else's server
resolves to 127.0.0.1 could read what we answer; a message must come from our own page (`Origin`); and the page may
load and run nothing but its own files.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from . import bundle, messages, rulebook
from .desk import Subject
from .drawing import GZIP, Event
from .pages import Pages, TooManyError
from .webview import is_nonce, webview

_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "worker-src 'self' blob:",
        "connect-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_LONGEST = 64 * 1024
"""Bytes of a message of a page."""
_LOOPBACK = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?", re.ASCII)
"""Of any port: an editor that runs the server elsewhere forwards ours to one of its own."""
_PAGE_NAME = re.compile(r"[\w-]{1,64}", re.ASCII)


def site(pages: Pages, token: str) -> ASGIApp:
    """The application behind a token."""

    async def index(request: Request) -> Response:
        if not bundle.is_built():
            return HTMLResponse(f"<!doctype html><title>nst</title><p>{bundle.MISSING}.", 503)
        return HTMLResponse(bundle.index())

    async def embedded(request: Request) -> Response:
        nonce = request.query_params.get("nonce", "")
        if not is_nonce(nonce):
            return PlainTextResponse("a webview names a nonce of 16 to 128 letters, digits, - and _", 400)
        try:
            return HTMLResponse(await asyncio.to_thread(webview, nonce))
        except bundle.NotBuiltError as error:
            return PlainTextResponse(str(error), 503)

    async def events(request: Request) -> Response:
        asked = request.query_params
        name, uri, function = asked.get("page", ""), asked.get("uri"), asked.get("function")
        if _PAGE_NAME.fullmatch(name) is None or uri is None or function is None:
            return PlainTextResponse("a page says its name, and what it is about by uri and function", 400)
        packs = "gzip" in request.headers.get("accept-encoding", "")
        stream = pages.events(name, Subject(uri, function), messages.STUDIES.get(asked.get("study", "")))
        try:
            first = await anext(stream)
        except TooManyError:
            return PlainTextResponse("too many pages are open", 503)
        body = _packed(first, stream) if packs else _plain(first, stream)
        headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"} if packs else {"Vary": "Accept-Encoding"}
        return StreamingResponse(body, media_type="text/event-stream", headers=headers)

    async def message(request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return PlainTextResponse("a message is JSON", 415)
        body = await _body(request)
        if body is None:
            return PlainTextResponse("the message is too long", 413)
        try:
            asked = messages.parse(json.loads(body))
        except (ValueError, RecursionError, messages.MalformedError) as error:
            return PlainTextResponse(str(error), 400)
        try:
            await pages.take(request.query_params.get("page", ""), asked)
        except KeyError:
            return PlainTextResponse("no such page is open", 404)
        return Response(status_code=204)

    async def file(request: Request) -> Response:
        name = request.path_params["name"]
        content = bundle.read(name)
        if content is None:
            return _nothing()
        return Response(content, media_type=bundle.TYPES[name[name.rindex(".") :]])

    async def rule(request: Request) -> Response:
        page = await asyncio.to_thread(rulebook.page, request.path_params["code"])
        return _nothing() if page is None else HTMLResponse(page)

    async def rule_style(request: Request) -> Response:
        return Response(rulebook.style(), media_type="text/css; charset=utf-8")

    routes = [
        Route("/", index),
        Route("/webview", embedded),
        Route("/events", events),
        Route("/message", message, methods=["POST"]),
        Route("/rules/rule.css", rule_style),
        Route("/rules/{code}", rule),
        Route("/{name}", file),
    ]
    return _Guarded(Starlette(routes=routes), token)


async def _packed(first: Event, stream: AsyncGenerator[Event]) -> AsyncIterator[bytes]:
    async with aclosing(stream):
        yield GZIP + first.packed
        async for event in stream:
            yield event.packed


async def _plain(first: Event, stream: AsyncGenerator[Event]) -> AsyncIterator[bytes]:
    async with aclosing(stream):
        yield first.text
        async for event in stream:
            yield event.text


async def _body(request: Request) -> bytes | None:
    """What was sent; None where that is too long for a message."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LONGEST:
            return None
    return body


def _nothing() -> Response:
    """Where there is nothing, or nothing for whoever asks."""
    return PlainTextResponse("Not Found", 404)


class _Guarded:
    """Lets through to the application what may come, and sends all headers with every answer."""

    def __init__(self, application: ASGIApp, token: str) -> None:
        self._application = application
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        _, _, rest = scope["path"].partition("/")
        token, slash, inside = rest.partition("/")
        refusal = _refused(scope, Headers(scope=scope), at_page=not inside)
        if refusal is not None:
            await refusal(scope, receive, guarded)
        elif not (secrets.compare_digest(token.encode(), self._token.encode()) and slash):
            await _nothing()(scope, receive, guarded)
        else:
            await self._application({**scope, "path": f"/{inside}", "raw_path": None}, receive, guarded)


def _refused(scope: Scope, headers: Headers, *, at_page: bool) -> Response | None:
    """Why a request may not even ask for the token, or None."""
    host = headers.get("host", "").lower()
    if _LOOPBACK.fullmatch(host) is None:
        return PlainTextResponse("this is served on the loopback address only", 421)
    if scope["method"] not in ("GET", "HEAD", "POST"):
        return PlainTextResponse("no such method", 405)
    if scope["method"] == "POST" and headers.get("origin") != f"http://{host}":
        return PlainTextResponse("messages come from the page itself", 403)
    if not at_page and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return PlainTextResponse("only the page itself may ask for this", 403)
    return None
