"""The reference names everything public, once, and the site's pages lead somewhere."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import fieldwise
import fieldwise.comparators
import fieldwise.testing
from fieldwise._exports import HOMES

ROOT = Path(__file__).parents[1]


def hook() -> ModuleType:
    import sys

    spec = importlib.util.spec_from_file_location("pages", ROOT / "docs" / "_site" / "pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["pages"] = module  # where a dataclass looks for its annotations
    spec.loader.exec_module(module)
    return module


pages: Any = hook()
SHOWN = [name for group in pages.GROUPS for name in pages.names(group)]


def test_every_public_name_is_shown_once() -> None:
    ours = [f"fieldwise.{name}" for name in fieldwise.__all__]
    assert sorted(name for name in SHOWN if name.count(".") == 1) == sorted(ours)


def test_comparators_and_testing_are_shown_whole() -> None:
    for module in (fieldwise.comparators, fieldwise.testing):
        assert {f"{module.__name__}.{name}" for name in module.__all__} <= set(SHOWN)


def test_no_public_name_of_a_package_is_one_of_its_modules() -> None:
    folders = {
        Path(package.__path__[0]): package.__all__
        for package in (fieldwise, fieldwise.comparators, fieldwise.testing)
    }
    shadowed = {
        path for folder, names in folders.items() for path in folder.glob("*.py") if path.stem in names
    }
    assert shadowed == set(), "the reference would show the module"


@pytest.mark.parametrize("group", pages.GROUPS, ids=lambda group: group.slug)
def test_a_group_names_modules_with_public_names(group: Any) -> None:
    assert [module for module in group.modules if module not in HOMES.values()] == []
    assert pages.page(group).startswith(f"# {group.title}\n\n{group.about}\n\n::: fieldwise")


def test_forms_stand_in_order() -> None:
    (group,) = (group for group in pages.GROUPS if group.slug == "classification")
    assert [pages._label(name.rpartition(".")[2]) for name in pages.names(group)[:4]] == [
        "binary_classification",
        "binary_classification, async",
        "binary_classification, string",
        "binary_classification, summary",
    ]


@pytest.mark.parametrize("source", pages.COPIED.values())
def test_links_of_copied_pages_are_the_sites(source: str) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", pages.copied(source))
    inside = {target.partition("#")[0] for target in targets if "://" not in target} - {""}
    known = {*pages.COPIED, *(str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.*"))}
    assert inside - known == set()


def test_a_link_out_of_the_site_leaves_its_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = "[a](docs/a.md#b) [b](examples/x.py) [c](https://c.example) [d](#d) ![e](docs/images/e.svg)"
    (tmp_path / "README.md").write_text(page)
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    copied = "[a](a.md#b) b [c](https://c.example) [d](#d) ![e](images/e.svg)"
    assert pages.copied("README.md") == copied
