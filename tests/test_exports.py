"""The public surface: `__all__` is the whole of it, sorted, and every name in it is there.

`fieldwise/__init__.py` is lazy: the table `HOMES` maps each public name to the module that defines
it, and the module's `__getattr__` imports that module when the name is first asked for.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from types import ModuleType
from typing import Any

import pytest

import fieldwise
import fieldwise.comparators
from fieldwise._exports import HOMES

PUBLIC = [
    pytest.param(fieldwise, id="fieldwise"),
    pytest.param(fieldwise.comparators, id="fieldwise.comparators"),
]


@pytest.mark.parametrize("module", PUBLIC)
def test_all_is_sorted_and_unique(module: ModuleType) -> None:
    assert list(module.__all__) == sorted(set(module.__all__))


@pytest.mark.parametrize("module", PUBLIC)
def test_every_name_resolves(module: ModuleType) -> None:
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


@pytest.mark.parametrize("module", PUBLIC)
def test_dir_lists_every_name(module: ModuleType) -> None:
    assert set(module.__all__) - set(dir(module)) == set()


@pytest.mark.parametrize("module", PUBLIC)
def test_star_import_brings_exactly_all(module: ModuleType) -> None:
    namespace: dict[str, Any] = {}
    exec(f"from {module.__name__} import *", namespace)  # noqa: S102 - there is no other way to star
    assert sorted(namespace.keys() - {"__builtins__"}) == sorted(module.__all__)


@pytest.mark.parametrize("module", PUBLIC)
def test_every_public_name_is_in_all(module: ModuleType) -> None:
    """A name without underscore that is no module and was defined by us is public: it must be listed."""
    own = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and str(getattr(value, "__module__", "")).startswith(module.__name__)
    }
    assert own - set(module.__all__) == set()


def test_all_is_the_lazy_table() -> None:
    assert {*HOMES, "__version__"} == {*fieldwise.__all__, "__version__"}


@pytest.mark.parametrize(("name", "home"), sorted(HOMES.items()))
def test_name_is_what_its_module_defines(name: str, home: str) -> None:
    assert getattr(fieldwise, name) is getattr(importlib.import_module(home), name)


def test_version_is_the_installed_one() -> None:
    assert fieldwise.__version__ == importlib.metadata.version("fieldwise")


def test_unknown_name_is_an_attribute_error() -> None:
    name = "no_such_name"
    with pytest.raises(AttributeError, match=rf"^module 'fieldwise' has no attribute '{name}'$"):
        getattr(fieldwise, name)
