"""What the options say about each tool's arguments: read, checked, and put together once.

An option that speaks of arguments is a mapping from tool to path to word: `{"search": {"query": "fuzzy"}}`.
`"*"` is any tool; what a tool's own mapping says of a path goes before. Tools are known by every spelling of
their names that a model API would turn into one, see `names`.

`ignore_if` may leave the tool out, `{"page": 1}` is an argument of any tool. An object under a name is read
both ways, as a tool's mapping and as the value of an argument: either is ignored only where it is equal to
what came, so that neither stands in the way of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar

from fieldwise._types import NullPolicy
from fieldwise.comparators import resolve
from fieldwise.core.conversion import to_json
from fieldwise.core.display import shown
from fieldwise.core.equality import equal
from fieldwise.core.fields import Fields
from fieldwise.core.normalise import normalise
from fieldwise.core.policy import Policy, entry
from fieldwise.core.select import compile_path
from fieldwise.core.values import Unconvertible
from fieldwise.errors import ConfigError, PathError
from fieldwise.scorers import options
from fieldwise.scorers.agents.comparing.tool_schemas import ToolSchema, tool_schemas
from fieldwise.scorers.agents.names import tool_key

if TYPE_CHECKING:
    from fieldwise.core.policy import Aspect, Entry, Node
    from fieldwise.scorers.agents.matching import ArgsMode

T = TypeVar("T")
ByTool: TypeAlias = "dict[str, dict[str, T]]"
Unknown: TypeAlias = Literal["report", "forbid", "allow"]
EVERY: Final = "*"


@dataclass(frozen=True, slots=True)
class ToolRule:
    """How the arguments of one tool are read and compared.

    Attributes:
        mode: how the arguments of two calls have to relate.
        entries: what is said about places in them.
        fields: compares two argument objects.
        optional: arguments that need not come when they are expected.
        ignored: values that arguments may have without being spoken of.
        schema: of the tool, where it was given.
        unknown: what an argument that the schema does not have is.
        null_policy: whether null, no value and empty values are told apart.
        coerce: whether text that is a number or boolean is read as one.
    """

    mode: ArgsMode
    entries: tuple[Entry, ...] = ()
    fields: Fields = field(default_factory=lambda: Fields(Policy(())))
    optional: frozenset[str] = frozenset()
    ignored: Mapping[str, Any] = field(default_factory=dict)
    schema: ToolSchema | None = None
    unknown: Unknown = "report"
    null_policy: NullPolicy = "distinct"
    coerce: bool = False

    @property
    def judged(self) -> bool:
        """Whether a judge may have to decide."""
        return any(one.aspect == "rubric" for one in self.entries)

    @property
    def reads(self) -> bool:
        """Whether arguments are read as anything but what they are."""
        return bool(self.schema or self.ignored or self.coerce or self.null_policy != "distinct")

    def node(self, documents: tuple[Any, ...]) -> Node | None:
        """What is said about places in these arguments."""
        return self.fields.policy.tree(documents) if self.entries else None

    def firm(self, args: Mapping[str, Any]) -> list[str]:
        """The arguments that nothing is said of, so that they are right only when they are equal."""
        if not self.entries:
            return list(args)
        if any(one.selector is not None and one.selector.query is not None for one in self.entries):
            return []
        tree = self.node(())
        if tree is None or tree.every is not None:
            return []
        spoken_of = {*tree.members, *[one.key for one in self.entries]}
        return [name for name in args if name not in spoken_of]

    def read(self, args: dict[str, Any], *, expected: bool) -> dict[str, Any]:
        """Return arguments as the options read them: defaults filled in, values normalised."""
        fills = self.mode == "exact" or (self.mode == "subset") == expected
        if self.schema is not None and fills:
            args = self.schema.filled(args)
        if self.coerce or self.null_policy != "distinct":
            args = normalise(args, coerce=self.coerce, null_policy=self.null_policy)  # type: ignore[assignment]
        if self.null_policy == "null_equals_missing":
            args = {name: value for name, value in args.items() if value is not None}
        if self.ignored and self.mode == "exact":
            args = {name: value for name, value in args.items() if not self._ignores(name, value)}
        elif self.ignored and fills:
            args = {**self.ignored, **args}
        return args

    def settled(self, args: dict[str, Any]) -> dict[str, Any]:
        """Return what all arguments have in common that the options do not tell apart."""
        return replace(self, mode="exact").read(args, expected=False) if self.reads else args

    def unknown_in(self, args: Mapping[str, Any], came: Mapping[str, Any]) -> list[str]:
        """Return the arguments that the tool does not have, of those that came and are spoken of.

        Args:
            args: as `read` returned them.
            came: as they came.
        """
        if self.schema is None or self.unknown == "allow":
            return []
        found = self.schema.unknown(args)
        return [name for name in found if name in came and not self._ignores(name, args[name])]

    def _ignores(self, name: str, value: Any) -> bool:
        return name in self.ignored and equal(self.ignored[name], value)


@dataclass(frozen=True, slots=True)
class ToolRules:
    """The rules of all tools: those that are named, and of any other.

    Attributes:
        named: by the key of the tool.
        other: of a tool that is not named.
        spoken_of: whether anything is said about places in arguments.
        reads: whether arguments are read as anything but what they are.
    """

    named: Mapping[str, ToolRule]
    other: ToolRule
    spoken_of: bool
    reads: bool

    def of(self, tool: str | None) -> ToolRule:
        """Return the rule of a tool, by its key."""
        return self.named.get(tool, self.other) if tool is not None else self.other

    def known_as(self, tools: Mapping[str, str]) -> ToolRules:
        """Return the rules with those of tools under further keys, where these have none of their own."""
        further = {key: self.of(tool) for key, tool in tools.items()}
        return replace(self, named={**further, **self.named})

    @property
    def judged(self) -> bool:
        """Whether a judge may have to decide."""
        return any(one.judged for one in (*self.named.values(), self.other))


def tool_rules(
    mode: ArgsMode,
    *,
    comparators: Any = None,
    rubric: Any = None,
    lists: Any = None,
    optional: Any = None,
    ignore_if: Any = None,
    schemas: Any = None,
    unknown_arguments: Any = "report",
    null_policy: Any = "distinct",
    coerce: Any = False,
) -> ToolRules:
    """Check the options that speak of arguments.

    Raises:
        ConfigError: for a wrong one, naming it, its value and the fix.
    """
    given = {"comparators": comparators, "rubric": rubric, "lists": lists, "ignore_if": ignore_if}
    empty = {option for option, value in given.items() if isinstance(value, Mapping) and not value}
    named = next(
        (option for option, value in given.items() if value is not None and option not in empty), None
    )
    if mode == "ignore" and named is not None:
        raise ConfigError(f"{named} is given with mode='ignore', which looks at no argument; drop one")
    words: dict[Aspect, ByTool[Any]] = {
        "comparator": _by_path("comparators", comparators, resolve),
        "lists": _by_path("lists", lists, options.list_mode),
        "rubric": _by_path("rubric", rubric, options.criterion),
    }
    may_lack = _by_tool("optional", optional, lambda option, one: frozenset(options.names(option, one)))
    of_schema = tool_schemas(schemas)
    ignored, ignored_of = _ignored(ignore_if)
    policy = options.one_of("null_policy", null_policy, NullPolicy)
    common: dict[str, Any] = {
        "mode": mode,
        "unknown": options.one_of("unknown_arguments", unknown_arguments, Unknown),
        "null_policy": policy,
        "coerce": options.flag("coerce", coerce),
    }

    def rule(tool: str) -> ToolRule:
        entries = _entries(words, tool)
        return ToolRule(
            entries=entries,
            fields=Fields(Policy(entries), null_is_missing=policy == "null_equals_missing"),
            optional=may_lack.get(EVERY, frozenset()) | may_lack.get(tool, frozenset()),
            schema=of_schema.get(tool, of_schema.get(EVERY)),
            ignored={**ignored, **ignored_of.get(EVERY, {}), **ignored_of.get(tool, {})},
            **common,
        )

    said: list[Mapping[str, Any]] = [*words.values(), may_lack, of_schema, ignored_of]
    tools = {tool for one in said for tool in one} - {EVERY}
    rules = {tool: rule(tool) for tool in sorted(tools)}
    other = rule(EVERY)
    every = (other, *rules.values())
    return ToolRules(
        rules, other, spoken_of=any(one.entries for one in every), reads=any(one.reads for one in every)
    )


def _entries(words: Mapping[Aspect, ByTool[Any]], tool: str) -> tuple[Entry, ...]:
    """What is said of a tool's arguments; what is said of any tool where its own mappings say nothing."""
    own = {path for said in words.values() for path in said.get(tool, ())} if tool != EVERY else set()
    found = []
    for aspect, said in words.items():
        for path, word in said.get(EVERY, {}).items():
            if path not in own:
                found.append(entry(path, aspect, word))
        if tool != EVERY:
            found += [entry(path, aspect, word) for path, word in said.get(tool, {}).items()]
    return tuple(found)


def _by_path(option: str, value: Any, read: Callable[[str, Any], T]) -> ByTool[T]:
    """Check a mapping from tool to path to word."""

    def words(named: str, said: Any) -> dict[str, T]:
        if not isinstance(said, Mapping):
            raise ConfigError(
                f"{named}={shown(said)}: must be a mapping from argument to word; for an argument of any "
                f"tool write {option}={{'*': {{'argument': …}}}}"
            )
        for path in said:
            _check_path(named, path)
        return {path: read(f"{named}[{shown(path)}]", word) for path, word in said.items()}

    return _by_tool(option, value, words)


def _by_tool(option: str, value: Any, read: Callable[[str, Any], T]) -> dict[str, T]:
    """Check a mapping from tool to something."""
    if value is not None and not isinstance(value, Mapping):
        raise ConfigError(f"{option}={shown(value)}: must be a mapping from tool, or '*' for any, {{'*': …}}")
    found: dict[str, T] = {}
    for tool, said in (value or {}).items():
        if not isinstance(tool, str) or not tool:
            raise ConfigError(f"{option}: the key {shown(tool)} must be the name of a tool, or '*'")
        key = EVERY if tool == EVERY else tool_key(tool)
        if key in found:
            raise ConfigError(f"{option}: {shown(tool)} and another key name the same tool; keep one")
        found[key] = read(f"{option}[{shown(tool)}]", said)
    return found


def _check_path(option: str, path: Any) -> None:
    if not isinstance(path, str):
        raise ConfigError(f"{option}: the key {shown(path)} must be text, an argument or a path")
    try:
        selector = compile_path(path)
    except PathError:
        return  # a literal name
    if not selector.steps:
        raise ConfigError(f"{option}: {shown(path)} names all arguments at once; name one of them")


def _ignored(value: Any) -> tuple[dict[str, Any], ByTool[Any]]:
    """Check the option `ignore_if`; return what it says of arguments of any tool, and what of each tool's."""
    try:
        said = {name: to_json(one) for name, one in options.mapping("ignore_if", value).items()}
    except Unconvertible as error:
        raise ConfigError(f"ignore_if: {error}") from None
    if EVERY in said and not isinstance(said[EVERY], dict):
        raise ConfigError(
            f"ignore_if['*']={shown(said[EVERY])}: must be a mapping from argument to value; for an argument "
            "of any tool write ignore_if={'argument': value}"
        )
    named = {tool: one for tool, one in said.items() if tool and isinstance(one, dict)}
    by_tool: ByTool[Any] = _by_tool("ignore_if", named, lambda _, one: one)
    return {name: one for name, one in said.items() if name != EVERY}, by_tool
