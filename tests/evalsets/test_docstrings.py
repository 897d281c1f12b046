"""Every example in the docstrings of evaluation sets runs."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

from fieldwise import evalsets

MODULES = [one.name for one in pkgutil.walk_packages(evalsets.__path__, "fieldwise.evalsets.")]


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings(module: str) -> None:
    assert doctest.testmod(import_module(module)).failed == 0
