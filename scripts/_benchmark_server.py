"""A server for measuring: it counts what it sends, and can be as slow as a distant one."""

from __future__ import annotations

import time
from pathlib import Path
from threading import Lock, Thread
from typing import IO, Any, Final, Self

from _server import SiteRequest, SiteServer

SLOW_RATE: Final = 10_000_000 / 8
"""Bytes a second: 10 Mbit/s, for all connections together."""
SLOW_ANSWER: Final = 0.025
"""Seconds from a question to the first byte of its answer, and for opening a connection."""
PIECE: Final = 8_192


class Line:
    """What all connections share: so many bytes a second, one piece after the other."""

    def __init__(self, rate: float, delay: float) -> None:
        self.rate, self.delay = rate, delay
        self._free = 0.0
        self._lock = Lock()

    def wait(self, size: int) -> None:
        """Wait until a piece of this many bytes has gone through."""
        with self._lock:
            self._free = max(self._free, time.monotonic()) + size / self.rate
            until = self._free
        time.sleep(max(0, until - time.monotonic()))


class MeasuringServer(SiteServer):
    """Serves a folder while it is used as a context, over a slow line if told to."""

    def __init__(self, directory: Path, *, slow: bool = False) -> None:
        super().__init__(directory)
        self.line = Line(SLOW_RATE, SLOW_ANSWER) if slow else None
        self.sent: list[tuple[str, int]] = []
        """The path and the size of each file that was sent."""

    def __enter__(self) -> Self:
        Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    def finish_request(self, request: Any, client_address: Any) -> None:
        MeasuredRequest(request, client_address, self, directory=str(self.directory))

    def bytes_of(self, part: str) -> int:
        """How many bytes of the files with this in their path were sent."""
        return sum(size for path, size in self.sent if part in path)


class MeasuredRequest(SiteRequest):
    """One connection of a MeasuringServer."""

    server: MeasuringServer

    def setup(self) -> None:
        super().setup()
        self._delay()

    def send_head(self) -> Any:
        self._delay()
        return super().send_head()

    def copyfile(self, source: IO[bytes], outputfile: IO[bytes]) -> None:  # type: ignore[override]
        size = 0
        while piece := source.read(PIECE if self.server.line else 1 << 20):
            if self.server.line:
                self.server.line.wait(len(piece))
            outputfile.write(piece)
            size += len(piece)
        self.server.sent.append((self.path, size))

    def _delay(self) -> None:
        if self.server.line:
            time.sleep(self.server.line.delay)
