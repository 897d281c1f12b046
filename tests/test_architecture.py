"""The shape of the code, checked: layers, where `async` may stand, what an import costs, sizes.

Each rule is a scan that yields one text per violation, `module:line: what`. Every scan is shown to
bite on a snippet first, then run over the whole of src/fieldwise, where it must yield nothing.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parent.parent / "src"

LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"_exports", "_types", "errors", "example"}),
    frozenset({"core", "comparators"}),
    frozenset({"scorers"}),
    frozenset({"judges", "integrations"}),
    frozenset({"evaluators"}),
    # what shows fieldwise to a framework; the rest of integrations is what evaluators are made with
    frozenset({"run", "records", "evalsets", "integrations.langsmith", "integrations.openevals"}),
    frozenset({"report"}),
    # the edges: the command reads its evaluators off the public names, a failed assertion shows a tree
    frozenset({"cli", "testing", "__init__", "__main__"}),
)
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}

ASYNC_ALLOWED = ("core.flow", "evaluators", "judges", "integrations", "evalsets", "run", "testing")
ASYNC_NODES = (ast.AsyncFunctionDef, ast.Await, ast.AsyncWith, ast.AsyncFor)

FRAMEWORKS = re.compile(r"(langchain\w*|langgraph\w*|langsmith|openai|openevals|opentelemetry)(\.|$)")
FRAMEWORK_USERS = ("judges", "integrations")

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60

Function = ast.FunctionDef | ast.AsyncFunctionDef
Scan = Callable[[str, str], Iterator[str]]


# ------------------------------------------------------------------------------------ reading source


def module_name(path: Path) -> str:
    """The dotted name below `fieldwise`: `core.flow`, `core` for a package, `__init__` for the root."""
    parts = path.relative_to(SRC / "fieldwise").with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


def sources() -> dict[str, tuple[Path, str]]:
    files = sorted((SRC / "fieldwise").rglob("*.py"))
    return {module_name(path): (path, path.read_text(encoding="utf-8")) for path in files}


def top_level(dotted: str) -> str:
    return dotted.partition(".")[0]


def layer(dotted: str) -> str:
    """The longest beginning of a name that has a place in LAYERS, else its first part."""
    listed = [place for place in RANK if is_below(dotted, (place,))]
    return max(listed, key=len, default=top_level(dotted))


def is_below(module: str, places: tuple[str, ...]) -> bool:
    return any(module == place or module.startswith(f"{place}.") for place in places)


def is_type_checking(node: ast.AST) -> bool:
    if not isinstance(node, ast.If):
        return False
    return ast.unparse(node.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}


def imports(source: str) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool, bool]]:
    """Every import with two facts: it is for type checkers only, it is inside a function."""
    pending: list[tuple[ast.AST, bool, bool]] = [(ast.parse(source), False, False)]
    while pending:
        node, typing_only, lazy = pending.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, typing_only, lazy
        lazy = lazy or isinstance(node, Function | ast.Lambda)
        guarded = node.body if isinstance(node, ast.If) and is_type_checking(node) else []
        pending += [(child, typing_only or child in guarded, lazy) for child in ast.iter_child_nodes(node)]


def imported(node: ast.Import | ast.ImportFrom, module: str, *, package: bool) -> list[str]:
    """The absolute dotted names that an import asks for, relative ones resolved."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = node.module or ""
    if node.level:
        home = ["fieldwise", *module.removesuffix("__init__").split(".")]
        anchor = ".".join(part for part in home if part) if package else ".".join(home[:-1])
        base = importlib.util.resolve_name("." * node.level + base, anchor)
    return [f"{base}.{alias.name}" for alias in node.names]


def is_package(module: str) -> bool:
    return module == "__init__" or (SRC / "fieldwise" / Path(*module.split(".")) / "__init__.py").exists()


def code_lines(function: Function) -> int:
    """The length of a function from its `def`, its docstring left out: words are free."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function, clean=False) is None or first.end_lineno is None:
        return lines
    return lines - (first.end_lineno - first.lineno + 1)


# --------------------------------------------------------------------------------------------- scans


def leftward(module: str, source: str) -> Iterator[str]:
    """Imports of our own reach the same layer or one to the left, also those for types."""
    own = RANK[layer(module)]
    for node, _, _ in imports(source):
        for name in imported(node, module, package=is_package(module)):
            if top_level(name) != "fieldwise":
                continue
            below = layer(name.removeprefix("fieldwise").removeprefix("."))
            if RANK.get(below, RANK["__init__"]) > own:
                yield f"{module}:{node.lineno}: imports {name}, which is to its right"


def frameworks_stay_out(module: str, source: str) -> Iterator[str]:
    """At run time a framework is imported by its own adapter only, inside a function."""
    for node, typing_only, lazy in imports(source):
        for name in imported(node, module, package=is_package(module)):
            if typing_only or not FRAMEWORKS.match(name):
                continue
            if not is_below(module, FRAMEWORK_USERS):
                yield f"{module}:{node.lineno}: imports {name}; that belongs in judges or integrations"
            elif not lazy:
                yield f"{module}:{node.lineno}: imports {name} at module level; import it inside a function"


def async_stays_in(module: str, source: str) -> Iterator[str]:
    """`async` and `await` occur at the edge; in _types they may only declare."""
    if is_below(module, ASYNC_ALLOWED):
        return
    for node in ast.walk(ast.parse(source)):
        declares = module == "_types" and isinstance(node, ast.AsyncFunctionDef) and is_declaration(node)
        comprehends = isinstance(node, ast.comprehension) and node.is_async
        if (isinstance(node, ASYNC_NODES) and not declares) or comprehends:
            line = getattr(node, "lineno", None) or getattr(node, "target").lineno  # noqa: B009 - a union
            yield f"{module}:{line}: {type(node).__name__} outside {', '.join(ASYNC_ALLOWED)}"


def is_declaration(function: Function) -> bool:
    rest = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return all(ast.unparse(statement) == "..." for statement in rest)


def sizes(module: str, source: str) -> Iterator[str]:
    """Files and functions stay readable in one sitting."""
    lines = len(source.splitlines())
    if lines > MAX_FILE_LINES:
        yield f"{module}:1: {lines} lines, over {MAX_FILE_LINES}"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Function) and code_lines(node) > MAX_FUNCTION_LINES:
            lines = code_lines(node)
            yield f"{module}:{node.lineno}: {node.name} has {lines} lines, over {MAX_FUNCTION_LINES}"


def finished(module: str, source: str) -> Iterator[str]:
    """Nothing is left for later."""
    for number, line in enumerate(source.splitlines(), start=1):
        for word in re.findall(r"\b(?:TODO|FIXME|XXX)\b|raise NotImplementedError", line):
            yield f"{module}:{number}: {word}"


def documented(module: str, source: str) -> Iterator[str]:
    """Modules, public classes, and public functions and methods of public classes have docstrings.

    Exempt: the members of a Protocol, for whom its own docstring speaks, and overloads.
    """
    tree = ast.parse(source)
    if ast.get_docstring(tree) is None:
        yield f"{module}:1: no module docstring"
    for name, node in public_definitions(tree):
        if ast.get_docstring(node) is None:
            yield f"{module}:{node.lineno}: {name} has no docstring"


def public_definitions(tree: ast.Module) -> Iterator[tuple[str, Function | ast.ClassDef]]:
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef) and is_public(node):
            yield node.name, node
        if isinstance(node, ast.ClassDef) and is_public(node) and not is_protocol(node):
            members = [member for member in node.body if isinstance(member, Function)]
            yield from ((f"{node.name}.{member.name}", member) for member in members if is_public(member))


def is_public(node: Function | ast.ClassDef) -> bool:
    overload = any(ast.unparse(decorator).endswith("overload") for decorator in node.decorator_list)
    return not node.name.startswith("_") and not overload


def is_protocol(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).split("[")[0].endswith("Protocol") for base in node.bases)


SCANS: tuple[Scan, ...] = (leftward, frameworks_stay_out, async_stays_in, sizes, finished, documented)


# ------------------------------------------------------------------------------- each scan can fail

LONG = "def f() -> None:\n    '''Doc\n\n    more'''\n" + "    x = 1\n" * 60

BITES: tuple[tuple[Scan, str, str, list[str]], ...] = (
    (leftward, "core.walk", "import fieldwise.cli", ["1: imports fieldwise.cli, which is to its right"]),
    (leftward, "errors", "def f():\n    from fieldwise.core import flow",
     ["2: imports fieldwise.core.flow, which is to its right"]),
    (leftward, "core.walk", "from ..scorers import strings",
     ["1: imports fieldwise.scorers.strings, which is to its right"]),
    (leftward, "core", "from .. import run", ["1: imports fieldwise.run, which is to its right"]),
    (leftward, "run", "from fieldwise import Report", ["1: imports fieldwise.Report, which is to its right"]),
    (leftward, "report", "import fieldwise", ["1: imports fieldwise, which is to its right"]),
    (leftward, "cli", "import fieldwise", []),
    (leftward, "errors", "if TYPE_CHECKING:\n    import fieldwise.run",
     ["2: imports fieldwise.run, which is to its right"]),
    (leftward, "_types", "if TYPE_CHECKING:\n    pass\nelse:\n    import fieldwise.run",
     ["4: imports fieldwise.run, which is to its right"]),
    (leftward, "comparators.wording", "from fieldwise.core import compare", []),
    (leftward, "cli", "from fieldwise import run, errors", []),
    (leftward, "evaluators.texts", "from fieldwise.integrations.langsmith import run_evaluator",
     ["1: imports fieldwise.integrations.langsmith.run_evaluator, which is to its right"]),
    (leftward, "integrations.tracing", "from fieldwise.evaluators import texts",
     ["1: imports fieldwise.evaluators.texts, which is to its right"]),
    (leftward, "integrations.langsmith", "from fieldwise.evaluators import texts", []),
    (leftward, "integrations.langsmithy", "from fieldwise.evaluators import texts",
     ["1: imports fieldwise.evaluators.texts, which is to its right"]),
    (frameworks_stay_out, "core.walk", "def f():\n    import langsmith.client",
     ["2: imports langsmith.client; that belongs in judges or integrations"]),
    (frameworks_stay_out, "judges.openai", "from openai import OpenAI",
     ["1: imports openai.OpenAI at module level; import it inside a function"]),
    (frameworks_stay_out, "judges.openai", "def f():\n    from openai import OpenAI", []),
    (frameworks_stay_out, "evaluators", "if TYPE_CHECKING:\n    from openevals.types import X", []),
    (frameworks_stay_out, "core.walk", "import openairplane", []),
    (async_stays_in, "core.pool", "async def f():\n    await g()",
     ["1: AsyncFunctionDef", "2: Await"]),
    (async_stays_in, "core.walk", "x = [y async for y in z]", ["1: comprehension"]),
    (async_stays_in, "_types", "async def f():\n    'doc'\n    return 1", ["1: AsyncFunctionDef"]),
    (async_stays_in, "_types", "async def f(): ...", []),
    (async_stays_in, "judges.callable", "async def f():\n    await g()", []),
    (async_stays_in, "running", "async def f(): ...", ["1: AsyncFunctionDef"]),
    (sizes, "run", "\n" * 401, ["1: 401 lines, over 400"]),
    (sizes, "run", LONG, ["1: f has 61 lines, over 60"]),
    (sizes, "run", LONG.removesuffix("    x = 1\n"), []),
    (finished, "run", "# TODO: y\nraise NotImplementedError", ["1: TODO", "2: raise NotImplementedError"]),
    (documented, "run", "def f(): ...\nclass C:\n    'doc'\n    def g(self): ...\n    def _h(self): ...",
     ["1: no module docstring", "1: f has no docstring", "4: C.g has no docstring"]),
    (documented, "run", "'doc'\nclass P(Protocol):\n    'doc'\n    def g(self): ...", []),
)  # fmt: skip


@pytest.mark.parametrize(
    ("scan", "module", "snippet", "expected"),
    [pytest.param(*row, id=f"{row[0].__name__}-{number}") for number, row in enumerate(BITES)],
)
def test_scan_bites(scan: Scan, module: str, snippet: str, expected: list[str]) -> None:
    places = f" outside {', '.join(ASYNC_ALLOWED)}"
    found = [text.removeprefix(f"{module}:").removesuffix(places) for text in scan(module, snippet)]
    assert found == expected


# ------------------------------------------------------------------------------------- the real code


@pytest.mark.parametrize("scan", [pytest.param(scan, id=scan.__name__) for scan in SCANS])
def test_source_keeps_the_rule(scan: Scan) -> None:
    violations = [text for module, (_, source) in sources().items() for text in scan(module, source)]
    assert violations == []


def test_every_module_has_a_layer() -> None:
    assert sources(), f"no source below {SRC}"
    assert {top_level(name) for name in sources()} - RANK.keys() == set()


# ----------------------------------------------------------------------------------- what loads what

FIRST_SCORE = """
evaluator = fieldwise.create_json_match_evaluator()
results = evaluator(outputs={"a": 1}, reference_outputs={"a": 2})
assert [(r["key"], r["score"]) for r in results] == [("json_match:a", 0.0)], results
"""
PROBE = """
import sys
before = set(sys.modules)
import fieldwise
{code}
print(*{{name.partition(".")[0] for name in set(sys.modules) - before}})
"""
HEAVY = ("asyncio", "click", "json_repair", "numpy", "pydantic", "rapidfuzz", "rich", "scipy")


def loaded_by(code: str) -> set[str]:
    """The top-level modules that a fresh interpreter loads for this code and had not loaded before."""
    script = PROBE.format(code=code)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return set(run.stdout.split())


@pytest.mark.parametrize("code", [pytest.param("", id="import"), pytest.param(FIRST_SCORE, id="first-score")])
def test_loads_nothing_heavy(code: str) -> None:
    loaded = loaded_by(code)
    assert "fieldwise" in loaded
    assert {name for name in loaded if name in HEAVY or FRAMEWORKS.match(name)} == set()


def test_the_probe_sees_what_is_loaded() -> None:
    assert {"asyncio", "click"} <= loaded_by("import asyncio, click")
