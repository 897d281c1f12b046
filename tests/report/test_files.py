"""Reports as files: whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from fieldwise.evalsets.model import ItemResult
from fieldwise.report.files import whole_file
from fieldwise.report.html import Run, write_page


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_a_file_is_replaced_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "r.html"
    path.write_text("before", encoding="utf-8")
    path.chmod(0o640)
    with whole_file(path) as file:
        file.write("after \ud800\n")
        assert path.read_text(encoding="utf-8") == "before"
    assert path.read_bytes() == b"after \\ud800\n"
    assert (stat.S_IMODE(path.stat().st_mode), names(tmp_path)) == (0o640, ["r.html"])


def write_half(path: Path, end: type[BaseException]) -> None:
    with whole_file(path) as file:
        file.write("half")
        raise end


@pytest.mark.parametrize("before", ["before", None])
@pytest.mark.parametrize("end", [OSError, KeyboardInterrupt])
def test_what_was_there_stays_when_writing_fails(
    tmp_path: Path, before: str | None, end: type[BaseException]
) -> None:
    path = tmp_path / "r.html"
    if before is not None:
        path.write_text(before, encoding="utf-8")
    with pytest.raises(end):
        write_half(path, end)
    assert names(tmp_path) == (["r.html"] if before else [])
    assert before is None or path.read_text(encoding="utf-8") == before


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link.html").symlink_to(tmp_path / "real" / "r.html")
    with whole_file(tmp_path / "link.html") as file:
        file.write("page")
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "real" / "r.html").read_text(encoding="utf-8") == "page"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with whole_file(path) as file:
        file.write("page")
    assert os.read(reader, 10) == b"page"
    os.close(reader)
    assert names(tmp_path) == ["pipe"]


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there is no /dev/fd here")
def test_a_file_that_another_has_open_is_written_to(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with path.open("w+", encoding="utf-8") as standard_output:
        with whole_file(f"/dev/fd/{standard_output.fileno()}") as file:
            file.write("page")
        assert standard_output.read() == "page"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), whole_file(tmp_path / "none" / "r.html"):
        pass


def test_a_page_that_cannot_be_made_leaves_the_file(tmp_path: Path) -> None:
    path = tmp_path / "r.html"
    write_page(path, Run([ItemResult("a", "A")], title="T"))
    before = path.read_bytes()
    assert before.startswith(b"<!doctype html>")
    with pytest.raises(AttributeError):
        write_page(path, Run([None], title="T"))  # type: ignore[list-item]
    assert (path.read_bytes(), names(tmp_path)) == (before, ["r.html"])
