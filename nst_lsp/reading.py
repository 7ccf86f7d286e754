"""Messages as they come, good or bad: each is handled, answered with the right error, or dropped, and none does harm.

pygls 2.1 takes every object with a `jsonrpc` member for a message, even inside of another, and what it cannot read
ends in the log while the client waits.  Here a message is looked at as a whole first: whether it is one at all,
whether its time has come (`refusal`), whether anybody knows the method, and whether its parameters can be read.
Answers to our own requests may be late, wrong or to nothing; whoever still waits is told.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
)
from pygls.protocol import LanguageServerProtocol

_log = logging.getLogger(__name__)
_WITHOUT_PARAMETERS = frozenset({lsp.SHUTDOWN, lsp.EXIT})


class Reading(LanguageServerProtocol):
    """pygls' protocol with messages read by these rules."""

    def refusal(self, method: str) -> JsonRpcException | None:
        """Why a message with this method is not welcome now."""
        raise NotImplementedError

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Called for every object of a message, from the inside out; the whole is looked at once it is there."""
        return data

    def handle_message(self, message: Any) -> None:
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION or not _has_good_id(message):
            number = message.get("id") if isinstance(message, dict) and _has_good_id(message) else None
            self.refuse(number, JsonRpcInvalidRequest("this is no message of JSON-RPC 2.0, or a batch"))
        elif "method" in message:
            self._called(message)
        elif "id" in message and ("result" in message or "error" in message):
            self._answered(message)
        else:
            self.refuse(message.get("id"), JsonRpcInvalidRequest("a message without a method"))

    def refuse(self, number: str | int | None, error: JsonRpcException) -> None:
        """Answer with an error; None stands for a request whose number nobody could read."""
        self._send_data(lsp.ResponseErrorMessage(id=number, error=error.to_response_error()))

    def unreadable(self, error: Exception) -> None:
        """Something came that is not JSON."""
        self.refuse(None, JsonRpcParseError(f"not JSON: {error}"))

    def _called(self, message: dict[str, Any]) -> None:
        """A request or a notification; of the latter, what is wrong is dropped."""
        method, asks = message["method"], "id" in message
        error = self.refusal(method) if isinstance(method, str) else None
        error = error or self._wrong_method(method, asks)
        if error is None:
            try:
                super().handle_message(super().structure_message(_plain(message)))
            except JsonRpcException:
                error = JsonRpcInvalidParams(f"the parameters of {method} could not be read")
        if error is not None and asks:
            self.refuse(message["id"], error)
        elif error is not None:
            _log.info("dropped: %s", error)

    def _wrong_method(self, method: Any, asks: bool) -> JsonRpcException | None:
        """Whether nobody could do it, or not in this way."""
        if not isinstance(method, str):
            return JsonRpcInvalidRequest("the method is not a string")
        types = lsp.METHOD_TO_TYPES.get(method)
        if types is not None and asks != (types[1] is not None):
            return JsonRpcInvalidRequest(f"{method} is a {'notification' if asks else 'request'}")
        if method not in self.fm.features and method not in self.fm.builtin_features and method != lsp.CANCEL_REQUEST:
            return JsonRpcMethodNotFound(f"there is no method {method}")
        return None

    def _answered(self, message: dict[str, Any]) -> None:
        """An answer to a request of ours; one that cannot be read counts as an error."""
        number = message["id"]
        future = self._request_futures.get(number) if number in self._result_types else None
        if future is None:
            return
        if future.done():  # nobody waits any more
            del self._request_futures[number], self._result_types[number]
            return
        try:
            answer = super().structure_message(message)
        except JsonRpcException as error:
            answer = lsp.ResponseErrorMessage(id=number, error=error.to_response_error())
        self._result_types.pop(number, None)
        super().handle_message(answer)

    def _run_generator(self, future: Future[Any] | None, **more: Any) -> None:
        """A handler that is cancelled by what it waits for ends its request, which pygls forgets to answer."""
        if future is not None and future.cancelled():
            more["gen"].close()
            more["result_future"].cancel()
        else:
            super()._run_generator(future, **more)

    def _execute_handler(
        self,
        msg_id: str | int,
        handler: Callable[..., Any],
        callback: Callable[[Any], Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """As in pygls, but what is over is forgotten: it keeps every notification that it ever had, keystrokes too."""

        def over(future: Any) -> None:
            callback(future)
            self._request_futures.pop(msg_id, None)

        super()._execute_handler(msg_id, handler, over, args, kwargs)

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        if msg_id in self._request_futures:  # else it was answered meanwhile, which is nothing to complain of
            super()._handle_cancel_notification(msg_id)


def _has_good_id(message: dict[str, Any]) -> bool:
    number = message.get("id", 0)
    return isinstance(number, (int, str)) and not isinstance(number, bool)


def _plain(message: dict[str, Any]) -> dict[str, Any]:
    """The members that a request or notification has, as lsprotocol wants them."""
    members: dict[str, Any] = {name: message[name] for name in ("jsonrpc", "id", "method") if name in message}
    without = message["method"] in _WITHOUT_PARAMETERS
    return {**members, "params": None if without else message.get("params")}
