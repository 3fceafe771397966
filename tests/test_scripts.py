"""The command layer: what it finds, what it says when it cannot go on, and how it serves."""

from __future__ import annotations

import http.client
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import _environment as environment
from _environment import ROOT, Missing
from _server import HOST, SiteServer, port_is_free

VERBS = sorted(p for p in (ROOT / "scripts").iterdir() if p.is_file() and not p.suffix)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """A served site with a page, a page in Polish, and a 404 page in both languages."""
    site = tmp_path_factory.mktemp("site")
    files = {
        "index.html": "home",
        "404.html": "not found",
        "pl/404.html": "nie znaleziono",
        "pl/gra/index.html": "gra",
        "assets/board.mjs": "",
        "assets/board.js": "",
        "assets/board.css": "",
        "runtime/a.wasm": "",
        "runtime/a.whl": "",
        "runtime/a.zip": "",
        "runtime/a.json": "{}",
        "runtime/0123456789abcdef/a.js": "plain",
        "runtime/0123456789abcdef/a.js.br": "as brotli",
        "runtime/0123456789abcdef/a.js.gz": "as gzip",
        "assets/theme.0123abcd.min.css": "",
    }
    for name, text in files.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text, encoding="utf-8")
    with SiteServer(site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield HOST, server.server_port
        server.shutdown()


def ask(
    address: tuple[str, int], path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection(*address, timeout=10)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers=named)
        answer = connection.getresponse()
        headers = {name.title(): value for name, value in answer.getheaders()}
        return answer.status, headers, answer.read().decode()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/assets/board.mjs", "text/javascript; charset=utf-8"),
        ("/assets/board.js", "text/javascript; charset=utf-8"),
        ("/assets/board.css", "text/css; charset=utf-8"),
        ("/runtime/a.wasm", "application/wasm"),
        ("/runtime/a.whl", "application/octet-stream"),
        ("/runtime/a.zip", "application/octet-stream"),
        ("/runtime/a.json", "application/json"),
    ],
)
def test_each_kind_of_file_has_its_type(address: tuple[str, int], path: str, kind: str) -> None:
    status, headers, _ = ask(address, path)
    assert (status, headers["Content-Type"]) == (200, kind)


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/nowhere", "not found"),
        ("/nowhere/at/all/", "not found"),
        ("/pl/nowhere", "nie znaleziono"),
        ("/pl/gra/nowhere?a=b", "nie znaleziono"),
        ("/pl/", "nie znaleziono"),
        ("/../../etc/passwd", "not found"),
        ("/%2e%2e/%2e%2e/etc/passwd", "not found"),
        ("/assets/", "not found"),
    ],
)
def test_what_is_not_there_is_answered_by_the_nearest_404_page(
    address: tuple[str, int], path: str, page: str
) -> None:
    status, headers, body = ask(address, path)
    assert (status, headers["Content-Type"], body) == (404, "text/html; charset=utf-8", page)


def test_a_404_without_a_body_when_only_the_head_is_asked(address: tuple[str, int]) -> None:
    status, headers, body = ask(address, "/nowhere", "HEAD")
    assert (status, headers["Content-Length"], body) == (404, str(len("not found")), "")


def test_a_folder_is_reached_without_its_slash(address: tuple[str, int]) -> None:
    status, headers, _ = ask(address, "/pl/gra")
    assert (status, headers["Location"]) == (301, "/pl/gra/")


def test_a_rebuilt_site_shows_at_once(address: tuple[str, int]) -> None:
    _, headers, _ = ask(address, "/")
    assert headers["Cache-Control"] == "no-cache"


COMPRESSED = "/runtime/0123456789abcdef/a.js"


@pytest.mark.parametrize(
    ("takes", "encoding", "body"),
    [
        ("gzip, deflate, br, zstd", "br", "as brotli"),
        ("gzip", "gzip", "as gzip"),
        ("br;q=0, gzip;q=0.5", "gzip", "as gzip"),
        ("identity", None, "plain"),
        ("", None, "plain"),
    ],
)
def test_what_is_compressed_beforehand_goes_to_those_who_take_it(
    address: tuple[str, int], takes: str, encoding: str | None, body: str
) -> None:
    status, headers, said = ask(address, COMPRESSED, Accept_Encoding=takes)
    assert (status, said, headers.get("Content-Encoding")) == (200, body, encoding)
    assert headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert headers["Content-Length"] == str(len(body))
    assert headers["Vary"] == "Accept-Encoding"


def test_each_form_of_a_file_has_its_own_tag_and_is_not_sent_twice(
    address: tuple[str, int],
) -> None:
    tags = {
        ask(address, COMPRESSED, Accept_Encoding=encoding)[1]["Etag"]
        for encoding in ("br", "gzip", "identity")
    }
    assert len(tags) == 3
    told = {ask(address, COMPRESSED, Accept_Encoding="br", If_None_Match=tag)[0] for tag in tags}
    assert told == {200, 304}
    every = ", ".join(tags)
    status, headers, body = ask(address, COMPRESSED, If_None_Match=every)
    assert (status, body, headers["Vary"]) == (304, "", "Accept-Encoding")


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        (COMPRESSED, True),
        ("/assets/theme.0123abcd.min.css", True),
        ("/runtime/a.json", False),
        ("/assets/board.js", False),
    ],
)
def test_only_what_is_named_by_its_content_is_kept_for_ever(
    address: tuple[str, int], path: str, kept: bool
) -> None:
    _, headers, _ = ask(address, path)
    assert ("immutable" in headers["Cache-Control"]) is kept


def test_a_site_without_a_404_page_still_answers_404(tmp_path: Path) -> None:
    with SiteServer(tmp_path) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        status, _, _ = ask((HOST, server.server_port), "/nowhere")
        server.shutdown()
    assert status == 404


def test_a_port_in_use_is_said_plainly_with_another_to_try() -> None:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert not port_is_free(port)
        said = run("serve", "--port", str(port))
    assert said.returncode == 2
    assert "Traceback" not in said.stderr
    assert re.fullmatch(
        rf"scripts/serve: port {port} of {HOST} is already in use.*--port \d+\n", said.stderr
    )


@pytest.mark.parametrize("port", ["70000", "-1", "eight"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    said = run("serve", f"--port={port}")
    assert said.returncode == 2
    assert "Traceback" not in said.stderr
    assert port in said.stderr


def run(verb: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / verb), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")


@pytest.mark.parametrize("verb", VERBS, ids=lambda path: path.name)
def test_every_verb_is_a_program(verb: Path) -> None:
    assert os.access(verb, os.X_OK)
    assert verb.read_text(encoding="utf-8").startswith("#!/usr/bin/env python3\n")


def test_a_python_is_found_by_its_version() -> None:
    python = environment.find_python(environment.PYTHON)
    assert python is not None
    ask_version = "import sys; print(*sys.version_info[:2], sep='.')"
    said = subprocess.run([python, "-c", ask_version], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == environment.PYTHON


def test_a_python_that_is_not_there_is_not_found() -> None:
    assert environment.find_python("3.999") is None


def test_a_name_that_does_not_run_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "python3.999"
    broken.write_text("#!/bin/sh\nexit 127\n", encoding="ascii")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert environment.find_python("3.999") is None


def test_a_missing_python_is_said_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "find_python", lambda version: None)
    monkeypatch.setattr(environment, "_install_packages", lambda *words: None)
    with pytest.raises(Missing, match=r"Python 3\.13.* was not found.*Install it"):
        environment._need_python()


def test_a_missing_browser_is_said_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "find_browser", lambda: None)
    monkeypatch.setattr(environment, "_install_packages", lambda *words: None)
    with pytest.raises(Missing, match=r"Chromium.* is not installed\..*apt-get install chromium"):
        environment.find_or_install_browser()


def test_a_script_that_misses_something_ends_in_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def work() -> None:
        raise Missing("no table to play on.")

    monkeypatch.setattr(sys, "argv", ["/some/where/scripts/serve"])
    with pytest.raises(SystemExit) as end:
        environment.run_script(work)
    assert end.value.code == 2
    assert capsys.readouterr().err == "scripts/serve: no table to play on.\n"


def test_a_failing_program_is_told_by_its_last_line_and_its_log() -> None:
    command = (sys.executable, "-c", "print('first'); print('no room'); raise SystemExit(1)")
    with pytest.raises(Missing, match=r"^It failed\. no room .*build/logs/trial\.txt\.$"):
        environment.call(*command, failure="It failed.", log="trial")


def test_a_program_that_is_not_there_is_told_by_name() -> None:
    with pytest.raises(Missing, match=r"^It failed\. no-such-program: No such file"):
        environment.call("no-such-program", failure="It failed.")


def test_a_fingerprint_changes_with_a_byte_a_name_and_what_is_added(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1", encoding="ascii")
    first = environment.fingerprint([tmp_path])
    assert environment.fingerprint([tmp_path]) == first
    assert environment.fingerprint([tmp_path], "more") != first
    (tmp_path / "a").write_text("2", encoding="ascii")
    second = environment.fingerprint([tmp_path])
    (tmp_path / "a").rename(tmp_path / "b")
    assert len({first, second, environment.fingerprint([tmp_path])}) == 3


def test_a_fingerprint_does_not_see_what_python_leaves_behind(tmp_path: Path) -> None:
    first = environment.fingerprint([tmp_path])
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_bytes(b"1")
    assert environment.fingerprint([tmp_path]) == first


def test_a_stamp_holds_for_its_inputs_only(tmp_path: Path) -> None:
    stamp = tmp_path / "stamps" / "step"
    assert not environment.up_to_date(stamp, "inputs")
    environment.write_stamp(stamp, "inputs")
    assert environment.up_to_date(stamp, "inputs")
    assert not environment.up_to_date(stamp, "others")


def test_the_requirements_are_all_hashed_and_name_no_index() -> None:
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    pins = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert all("==" in pin and "--hash=sha256:" in pin for pin in pins)
    assert "://" not in text


def test_the_npm_lock_names_no_registry_and_pins_exactly() -> None:
    lock = (ROOT / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    package = (ROOT / "package.json").read_text(encoding="utf-8")
    versions = re.findall(r'"(?:pyodide|axe-core)": "([^"]+)"', package)
    assert len(versions) == 2
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions)
