"""The pages of the site: a hook of mkdocs.

The README is the first page, the files of `docs` follow, then the reference: a page per group, made here from
`fieldwise.__all__`, so that none of it can go stale or be left out. A group lists the modules whose public
names it shows; the tests check that every name is in exactly one group.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fieldwise._exports import HOMES

VERDICTS: Final = ("exact_match", "exact_match_async", "levenshtein_distance", "levenshtein_distance_async")
"""Those of OpenEvals' names that are no factories of ours; docs/openevals.md has all."""
FORMS: Final = (None, "async_", "_string", "_summary")
ROOT: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Group:
    """A page of the reference.

    Attributes:
        slug: the name of its file.
        title: its heading.
        about: what is said below it.
        modules: those whose names in `fieldwise` it shows.
        others: what it shows that is imported from elsewhere than `fieldwise`, by full name.
    """

    slug: str
    title: str
    about: str
    modules: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def _evaluators(*names: str) -> tuple[str, ...]:
    return tuple(f"fieldwise.evaluators.{name}" for name in names)


GROUPS: Final = (
    Group(
        "outputs",
        "Evaluators of outputs",
        "They compare a whole output: two JSON documents, or two texts.",
        _evaluators("match", "documents", "texts"),
    ),
    Group(
        "fields",
        "Fields",
        "The fields you name, where they come from, and whether they are grounded.",
        (
            *_evaluators("fields", "grounding"),
            "fieldwise.scorers.field",
            "fieldwise.scorers.schema_fields",
            "fieldwise.core.align",
        ),
    ),
    Group(
        "judges",
        "Judged evaluators",
        "They ask a model. `create_judge` says how it is asked; `check_judge` how far it can be trusted.",
        (
            *_evaluators("judged"),
            "fieldwise.judges.model",
            "fieldwise.run._judge_check",
            "fieldwise.core.flow",
        ),
    ),
    Group(
        "agents",
        "Agents",
        "Tool calls, trajectories, graphs and spans, from whatever an agent leaves behind.",
        (
            *_evaluators("tools", "arguments", "trajectories", "trajectory_judges", "budgets"),
            "fieldwise.scorers.agents.execution",
            "fieldwise.integrations.opentelemetry",
        ),
    ),
    Group(
        "classification",
        "Classification",
        "A label per record, and metrics over a data set.",
        _evaluators("classification"),
    ),
    Group(
        "datasets",
        "Data sets",
        "Records or examples and evaluators in, a `Report` out.",
        (
            "fieldwise.run",
            "fieldwise.run._examples",
            "fieldwise.example",
            "fieldwise.integrations.examples",
        ),
    ),
    Group(
        "evaluation-sets",
        "Evaluation sets",
        "Evaluators of your own for evaluation sets in files; `fieldwise eval` runs them.",
        (
            "fieldwise.evalsets.custom.base",
            "fieldwise.evalsets.custom.calling",
            "fieldwise.evalsets.custom.models",
            "fieldwise.evalsets.custom.results",
        ),
    ),
    Group(
        "testing",
        "Testing",
        "Assertions for tests. The pytest plugin comes along with the package.",
        others=("fieldwise.testing.assert_matches", "fieldwise.testing.aassert_matches"),
    ),
    Group(
        "comparators",
        "Comparators",
        "How two unequal values are graded. An option takes what one of these returns, its name, or any "
        "`callable(expected, actual) -> float | bool`.",
        others=("fieldwise.comparators.*",),
    ),
    Group(
        "integrations",
        "Integrations",
        "Bridges to frameworks, beyond the evaluators themselves.",
        others=(
            "fieldwise.integrations.langsmith.*",
            "fieldwise.integrations.langchain.*",
            *(f"fieldwise.integrations.openevals.{name}" for name in VERDICTS),
        ),
    ),
    Group(
        "results",
        "Results and errors",
        "What evaluators return and what is raised.",
        ("fieldwise._types", "fieldwise.errors"),
    ),
)


def names(group: Group) -> list[str]:
    """Return what a group shows, each by the full name it is imported by, in the order of its page.

    >>> names(GROUPS[0])[:2]
    ['fieldwise.create_json_match_evaluator', 'fieldwise.create_async_json_match_evaluator']
    """
    own = [f"fieldwise.{name}" for module in group.modules for name in _in_order(module)]
    return [*own, *(one for other in group.others for one in _expanded(other))]


def _in_order(module: str) -> list[str]:
    """The names of a module; the forms of an evaluator stand together, the sync one first."""
    return sorted((name for name, home in HOMES.items() if home == module), key=_form)


def _form(name: str) -> tuple[str, int]:
    """The evaluator that a factory makes, and the place of its form among the others.

    >>> _form("create_string_similarity_string_evaluator"), _form("aevaluate_records")
    (('string_similarity', 2), ('evaluate_records', 1))
    """
    if name[1:] in HOMES and name[0] == "a":
        return name[1:], 1
    parts = re.fullmatch(r"create_(async_)?(.*?)(_string|_summary)?(?:_evaluator)?", name)
    return (parts[2], FORMS.index(parts[1] or parts[3])) if parts else (name, 0)


def _expanded(other: str) -> list[str]:
    """A name, or with `.*` the public names of a module."""
    from importlib import import_module

    module, star, _ = other.partition(".*")
    return [f"{module}.{name}" for name in import_module(module).__all__] if star else [other]


def page(group: Group) -> str:
    """Return the Markdown of a page of the reference."""
    return "\n\n".join([f"# {group.title}", group.about, *map(_block, names(group))])


def _block(name: str) -> str:
    """What mkdocstrings replaces by the documentation of a name; a type's own words speak for its members."""
    written = _written(name)
    options = {
        "show_if_no_docstring": "true" if written.startswith("fieldwise._types.") else "",
        "toc_label": _label(name.rpartition(".")[2]),
    }
    lines = [f"      {option}: {value}" for option, value in options.items() if value]
    return "\n".join([f"::: {written}", "    options:", *lines])


def _label(name: str) -> str:
    """A name short enough for the table of contents.

    >>> _label("create_async_json_match_evaluator"), _label("Field")
    ('json_match, async', 'Field')
    """
    stem, form = _form(name)
    return f"{stem}, {(FORMS[form] or '').strip('_')}" if form else stem


def _written(name: str) -> str:
    """Where a name of `fieldwise` is defined."""
    package, _, last = name.rpartition(".")
    return f"{HOMES[last]}.{last}" if package == "fieldwise" else name


# ----------------------------------------------------------------------------------- the hook itself

COPIED: Final = {
    "index.md": "README.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": ".github/CONTRIBUTING.md",
}
"""Pages that are files of the project elsewhere."""


def on_config(config: Any) -> Any:
    """Lay out the navigation."""
    guides = sorted(path.name for path in (ROOT / "docs").glob("*.md"))
    config.nav = [
        {"Start": "index.md"},
        *guides,
        {"Reference": [{group.title: f"reference/{group.slug}.md"} for group in GROUPS]},
        "changelog.md",
        "contributing.md",
    ]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made here."""
    from mkdocs.structure.files import File

    made = {path: copied(source) for path, source in COPIED.items()}
    made |= {f"reference/{group.slug}.md": page(group) for group in GROUPS}
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    return files


def copied(source: str) -> str:
    """Return a file of the project with its links made those of the site.

    A link to a page of the site leads there; of one to another file of the project, the text is left.
    """
    pages = {target: path for path, target in COPIED.items()}
    text = (ROOT / source).read_text(encoding="utf-8")

    def led(link: re.Match[str]) -> str:
        bang, words, target = link.groups()
        file, hash_, anchor = target.partition("#")
        inside = pages.get(file) or (file.removeprefix("docs/") if file.startswith("docs/") else None)
        if not file or "://" in target:
            return link[0]
        return f"{bang}[{words}]({inside}{hash_}{anchor})" if inside else words

    return re.sub(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", led, text)
