"""Serves a built site on this machine as a static host would, for a reader and for the tests."""

from __future__ import annotations

import os
import re
import socket
import sys
from email.utils import formatdate
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedReader
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

HOST = "127.0.0.1"

#: What a file may also lie there as, compressed beforehand, the smallest first.
ENCODINGS: Final = {"br": ".br", "gzip": ".gz"}
#: Addresses that say what is in them: the runtime's folder, and the theme's own files.
NAMED_BY_CONTENT: Final = re.compile(
    r"/runtime/[0-9a-f]{16}/[^/]+$|\.[0-9a-f]{8}\.min\.(?:css|js)(?:\.map)?$"
)
FOR_EVER: Final = "public, max-age=31536000, immutable"
#: Ask again each time, and get a short "not modified": a rebuilt site shows at once.
ASK_AGAIN: Final = "no-cache"


class SiteServer(ThreadingHTTPServer):
    """A server of one folder; port 0 takes any free port.

    Raises OSError when the port is taken or not allowed.
    """

    def __init__(self, directory: Path, port: int = 0) -> None:
        self.directory = directory.resolve()
        super().__init__((HOST, port), SiteRequest)

    @property
    def address(self) -> str:
        """What a person types into the browser, with the slash at its end."""
        return f"http://{HOST}:{self.server_port}/"

    def finish_request(self, request: Any, client_address: Any) -> None:
        SiteRequest(request, client_address, self, directory=str(self.directory))

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that leaves in the middle of a file is no error worth a traceback."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class _Served(NamedTuple):
    """One form of a file: as it is, or compressed beforehand."""

    path: Path
    encoding: str
    varies: bool
    """Whether another reader would get another form."""


class SiteRequest(SimpleHTTPRequestHandler):
    """One connection: files with their right types, and the site's page for what is not there."""

    protocol_version = "HTTP/1.1"
    timeout = 60
    # What is sent in two writes would wait for the reader's acknowledgement of the first.
    disable_nagle_algorithm = True
    #: Only what the browser insists on, or what systems disagree about.
    extensions_map = {  # noqa: RUF012 (the base class has it so)
        **SimpleHTTPRequestHandler.extensions_map,
        ".css": "text/css; charset=utf-8",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".json": "application/json",
        ".map": "application/json",
        ".mjs": "text/javascript; charset=utf-8",
        ".svg": "image/svg+xml",
        ".txt": "text/plain; charset=utf-8",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
        ".whl": "application/octet-stream",
        ".woff2": "font/woff2",
        ".xml": "application/xml",
        ".zip": "application/octet-stream",
    }

    def send_head(self) -> Any:
        """The head of the answer, and the file to send after it where there is one to send."""
        path = Path(self.translate_path(self.path))
        if path.is_dir() and urlsplit(self.path).path.endswith("/"):
            path /= "index.html"
        if not path.is_file() or self.path.endswith("/index.html/"):
            return super().send_head()
        return self._send_file(path)

    def list_directory(self, path: str | os.PathLike[str]) -> None:
        """A folder without a page is nothing a reader should find."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = self._not_found_page() if code == HTTPStatus.NOT_FOUND else None
        if page is None:
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", ASK_AGAIN)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing: the one line with the address is what a person should be left with."""

    def _send_file(self, path: Path) -> BufferedReader | None:
        served = self._form_of(path)
        state = served.path.stat()
        tag = f'"{state.st_mtime_ns:x}-{state.st_size:x}{served.encoding and "-"}{served.encoding}"'
        known = self.headers.get("If-None-Match", "").split(", ")
        unchanged = tag in known
        self.send_response(HTTPStatus.NOT_MODIFIED if unchanged else HTTPStatus.OK)
        self.send_header("ETag", tag)
        hashed = NAMED_BY_CONTENT.search(urlsplit(self.path).path)
        self.send_header("Cache-Control", FOR_EVER if hashed else ASK_AGAIN)
        if served.varies:
            self.send_header("Vary", "Accept-Encoding")
        if not unchanged:
            self._describe(path, served, state)
        self.end_headers()
        return None if unchanged else served.path.open("rb")

    def _describe(self, path: Path, served: _Served, state: os.stat_result) -> None:
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(state.st_size))
        self.send_header("Last-Modified", formatdate(state.st_mtime, usegmt=True))
        if served.encoding:
            self.send_header("Content-Encoding", served.encoding)

    def _form_of(self, path: Path) -> _Served:
        """The first compressed form that is there and that the reader takes, or the file itself."""
        forms = [
            _Served(form, encoding, varies=True)
            for encoding, ending in ENCODINGS.items()
            if (form := path.with_name(path.name + ending)).is_file()
        ]
        taken = _encodings_taken(self.headers.get("Accept-Encoding", ""))
        plain = _Served(path, "", varies=bool(forms))
        return next((form for form in forms if form.encoding in taken), plain)

    def _not_found_page(self) -> Path | None:
        """The nearest 404.html, from the folder asked for up to the root of the site."""
        root = Path(self.directory)
        asked = Path(self.translate_path(self.path))
        folders = [folder for folder in (asked, *asked.parents) if folder.is_relative_to(root)]
        pages = (folder / "404.html" for folder in (*folders, root))
        return next((page for page in pages if page.is_file()), None)


def port_is_free(port: int) -> bool:
    """Whether a server could be started on this port; an early answer, before a long build."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _encodings_taken(header: str) -> set[str]:
    """The encodings a reader takes, by its Accept-Encoding; one with the quality 0 it refuses."""
    taken = set()
    for part in header.lower().split(","):
        name, _, quality = part.partition(";")
        if not re.fullmatch(r"\s*q=0(\.0*)?\s*", quality):
            taken.add(name.strip())
    return taken
