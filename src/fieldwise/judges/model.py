"""A judge made of a model: `create_judge(client)`.

How it works. A request becomes calls (`contract`), one unless there are very many questions. Each goes past
the cache to the limits and from there to the client, and its reply is read back into answers (`replies`).
Several calls of one request are made at once. Votes, when wanted, ask the whole of this more than once.

A `ModelJudge` keeps no state between requests but what its parts keep: limits, cache, the client. Share it
between evaluators, threads and event loops, and they share those.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, Unpack

from fieldwise.core.display import shown
from fieldwise.core.flow import Answer, Verdict
from fieldwise.core.prompts import check_template
from fieldwise.errors import BudgetExceeded, ConfigError, JudgeError
from fieldwise.judges import contract, options
from fieldwise.judges.cache import Recall, as_cache
from fieldwise.judges.clients.functions import FunctionClient, is_function
from fieldwise.judges.clients.langchain import LangChainClient, is_runnable
from fieldwise.judges.clients.named import NamedModel
from fieldwise.judges.clients.openai import OpenAIClient, is_openai_shaped
from fieldwise.judges.limits import LIMITS
from fieldwise.judges.replies import verdict
from fieldwise.judges.signatures import refuse_misfit
from fieldwise.judges.votes import Votes
from fieldwise.scorers.judging import NoAnswer, read_answer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from fieldwise.core.flow import JudgeRequest
    from fieldwise.core.prompts import TemplateFormat
    from fieldwise.judges import interfaces
    from fieldwise.judges.contract import Asked, Words
    from fieldwise.judges.interfaces import Client, Limiter, Reply
    from fieldwise.judges.limits import LimitOptions, Limits

_CACHED: Final = {"judge_calls": -1, "cached_calls": 1}
"""Usage of a reply that took no call: whoever is answered counts one call a reply."""


@LIMITS.named
def create_judge(
    client: Any,
    *,
    model: str | None = None,
    prompt: Any = None,
    system: str | None = None,
    template_format: TemplateFormat = "f-string",
    temperature: float | None = 0.0,
    max_tokens: int | None = 4096,
    limits: Limits | None = None,
    cache: Any = None,
    votes: int | Votes = 1,
    per_key: bool = False,
    structured_output_kwargs: Mapping[str, Any] | None = None,
    **limiting: Unpack[LimitOptions],
) -> ModelJudge:
    """Make a judge of a model client, for `judge=` of any evaluator, or of several that share its limits.

    Args:
        client: a LangChain chat model or Runnable, an OpenAI or AsyncOpenAI client or one of that shape, the
            name of a model ("openai:gpt-4o-mini"), or a callable that takes a `JudgeRequest`. An async client
            with a transport (`http_client`) or credentials of its own is used on an event loop of the judges'
            alone: give it to nothing else, for its connections belong to that loop.
        model: which model an OpenAI client is to ask; only there.
        prompt: words of your own for rubrics: a template, a LangChain prompt or a callable that returns
            messages. It may name {questions} (everything), or {criteria}, {outputs} and {reference_outputs},
            also as {{Criteria}}, {{ActualOutput}} and {{ExpectedOutput}}. What it leaves out is added.
        system: a system message of your own.
        template_format: of a prompt that is text: "f-string", "plain" or "mustache".
        temperature: of the model; chat models that you made keep their own, and their own `max_tokens`.
        max_tokens: the most tokens of a reply.
        limits: a `Limits` to share with other judges, in place of its own: `timeout` to `price`.
        cache: True, the path of a file, or a LangChain cache: keeps replies.
        votes: how often a verdict that is in doubt is asked for, or `Votes(n, always=True)`.
        per_key: one call for each question instead of one for each record.
        structured_output_kwargs: passed to `with_structured_output` of a chat model, such as
            `{"method": "json_schema"}`.
        limiting: limits of its own; see `LimitOptions`.

    Raises:
        ConfigError: naming the option, its value and the fix.

    Example:
        >>> judge = create_judge(lambda request: {one.id: True for one in request.questions})
        >>> from fieldwise.core.flow import JudgeRequest, Question
        >>> judge(JudgeRequest((Question("name", "name", "same person", "Ada", "A. L."),))).answers
        {'name': True}
    """
    own: dict[str, Any] = {"temperature": temperature, "max_tokens": max_tokens, "per_key": per_key}
    own |= {"prompt": prompt, "system": system, "cache": cache}
    own["structured_output_kwargs"] = structured_output_kwargs
    options.check(**own)
    limiter = options.limiter(limits, LIMITS.complete(limiting, "create_judge"))
    check_template("prompt", prompt, contract.VALUES, template_format)
    words = contract.Words(prompt, system, template_format)
    asker: _Asker
    if isinstance(client, ModelJudge):
        raise ConfigError("client is a judge already: pass the client that it was made of")
    if is_function(client):
        options.refuse_for_functions(model=model, **own)
        refuse_misfit(client)
        asker = _Function(FunctionClient(client), limiter)
    else:
        settings = {"temperature": temperature, "max_tokens": max_tokens, "timeout": limiter.client_timeout}
        made = _client(client, model, settings, dict(structured_output_kwargs or {}))
        asker = _Model(made, words, limiter, as_cache(cache), per_key=per_key)
    poll = votes if isinstance(votes, Votes) else Votes(votes)
    return ModelJudge(client, asker, None if votes == 1 else poll)


def _client(client: Any, model: str | None, settings: dict[str, Any], structured: dict[str, Any]) -> Client:
    if is_openai_shaped(client):
        return OpenAIClient(client, model, **settings)
    if model is not None:
        raise ConfigError(
            f"model={shown(model)}: only an OpenAI client is told which model to ask; leave it out, or pass "
            "it as the client"
        )
    if isinstance(client, str):
        return NamedModel(client, **settings, structured=structured)
    if is_runnable(client):
        return LangChainClient(client, structured=structured)
    raise ConfigError(
        f"judge={type(client).__name__}: pass a LangChain model, an OpenAI client with model=, the name of a "
        "model, or a callable that takes a JudgeRequest"
    )


class ModelJudge:
    """A judge; make one with `create_judge`. Call it, or await `acall`.

    Attributes:
        client: what it was made of.
        awaits_only: whether it serves async evaluators only.
        awaited: the judge as an async callable, for whoever takes one.
    """

    def __init__(self, client: Any, asker: _Asker, votes: interfaces.Votes | None = None) -> None:
        self.client = client
        self._asker = asker
        self._votes = votes
        self.awaits_only = asker.awaits_only
        self.awaited = Awaited(self)

    def __call__(self, request: JudgeRequest) -> Verdict:
        """Answer a request.

        Raises:
            JudgeError: the model could not answer, and why; `BudgetExceeded` where a ceiling forbade it.
            ConfigError: it serves async evaluators only.
        """
        if self.awaits_only:
            raise ConfigError("this judge is async: await its acall, or use the create_async_… factory")
        if self._votes is None:
            return self._asker.ask(request, fresh=False)
        return self._votes.decide(request, self._asker.ask)

    def fresh(self, request: JudgeRequest) -> Verdict:
        """Answer a request past the cache; a sync judge, as when called.

        Raises:
            JudgeError: as when called.
        """
        if self._votes is None:
            return self._asker.ask(request, fresh=True)
        return self._votes.decide(request, lambda part, _: self._asker.ask(part, fresh=True))

    async def acall(self, request: JudgeRequest) -> Verdict:
        """Answer a request without blocking the loop.

        Raises:
            JudgeError: as when called.
        """
        if self._votes is None:
            return await self._asker.aask(request, fresh=False)
        return await self._votes.adecide(request, self._asker.aask)


class Awaited:
    """A judge as an async callable."""

    def __init__(self, judge: ModelJudge) -> None:
        self.judge = judge

    async def __call__(self, request: JudgeRequest) -> Verdict:
        """Answer a request.

        Raises:
            JudgeError: as the judge.
        """
        return await self.judge.acall(request)


# --------------------------------------------------------------------------------------------- asking


class _Function:
    """Asks a function."""

    def __init__(self, client: FunctionClient, limits: Limiter) -> None:
        self._client = client
        self._limits = limits
        self.awaits_only: bool = client.awaits_only

    def ask(self, request: JudgeRequest, fresh: bool) -> Verdict:  # noqa: FBT001, ARG002 - functions have no cache
        return self._limits.run(partial(self._client.answer, request))

    async def aask(self, request: JudgeRequest, fresh: bool) -> Verdict:  # noqa: FBT001, ARG002
        return await self._limits.arun(partial(self._client.aanswer, request))


class _Model:
    """Asks a model, in one call or in several at once."""

    def __init__(
        self, client: Client, words: Words, limits: Limiter, cache: interfaces.Cache | None, *, per_key: bool
    ) -> None:
        self._client = client
        self._words = words
        self._limits = limits
        self._recall = None if cache is None else Recall(cache)
        self._per_key = per_key
        self.awaits_only: bool = client.awaits_only

    def ask(self, request: JudgeRequest, fresh: bool) -> Verdict:  # noqa: FBT001 - a seam with the votes
        asked = contract.calls(request, self._words, per_key=self._per_key)
        if len(asked) == 1:
            return self._one(asked[0], fresh)
        from fieldwise.core.pool import DaemonPool

        pool = DaemonPool(len(asked))
        try:
            futures = [pool.submit(_settled, partial(self._one, part, fresh)) for part in asked]
            return _merged(asked, [future.result() for future in futures])
        finally:
            pool.close()

    async def aask(self, request: JudgeRequest, fresh: bool) -> Verdict:  # noqa: FBT001 - as above
        asked = contract.calls(request, self._words, per_key=self._per_key)
        if len(asked) == 1:
            return await self._aone(asked[0], fresh)
        import asyncio

        parts = [_asettled(self._aone(part, fresh)) for part in asked]
        return _merged(asked, await asyncio.gather(*parts))

    def _one(self, asked: Asked, fresh: bool) -> Verdict:  # noqa: FBT001 - as above
        make = partial(self._limits.run, partial(self._client.ask, asked.call))
        if self._recall is None or fresh:
            return verdict(make(), asked)
        whole = partial(_is_whole, asked)
        return _read(asked, *self._recall.reply(self._client.label, asked.call, make, whole))

    async def _aone(self, asked: Asked, fresh: bool) -> Verdict:  # noqa: FBT001 - as above
        make = partial(self._limits.arun, partial(self._client.aask, asked.call))
        if self._recall is None or fresh:
            return verdict(await make(), asked)
        whole = partial(_is_whole, asked)
        return _read(asked, *await self._recall.areply(self._client.label, asked.call, make, whole))


_Asker = _Function | _Model


def _read(asked: Asked, reply: Reply, known: bool) -> Verdict:  # noqa: FBT001 - what a recall returns
    found = verdict(reply, asked)
    return Verdict(found.answers, _CACHED) if known else found


def _is_whole(asked: Asked, reply: Reply) -> bool:
    """Whether a reply answers everything, and is worth keeping."""
    try:
        answers = verdict(reply, asked).answers
    except JudgeError:
        return False
    questions = asked.questions.values()
    if asked.own_schema:
        return all(one.id in answers for one in questions)
    return all(isinstance(read_answer(one, answers.get(one.id)), Answer) for one in questions)


def _settled(call: Callable[[], Verdict]) -> Verdict | JudgeError:
    try:
        return call()
    except JudgeError as error:
        return error


async def _asettled(call: Awaitable[Verdict]) -> Verdict | JudgeError:
    try:
        return await call
    except JudgeError as error:
        return error


def _merged(asked: Sequence[Asked], parts: Sequence[Verdict | JudgeError]) -> Verdict:
    """One verdict of several; where a part failed, its questions have no answer, and are asked again."""
    failed: list[JudgeError] = [part for part in parts if isinstance(part, JudgeError)]
    over = [error for error in failed if isinstance(error, BudgetExceeded)]
    if len(failed) == len(parts):
        raise (over or failed)[0]
    answers: dict[str, Any] = {}
    usage: dict[str, Any] = {"judge_calls": len(parts) - 1}
    for one, part in zip(asked, parts, strict=True):
        if isinstance(part, JudgeError):
            answers.update({question.id: NoAnswer(str(part)) for question in one.questions.values()})
            continue
        answers.update(part.answers)
        for name, amount in (part.usage or {}).items():
            usage[name] = usage.get(name, 0) + amount
    return Verdict(answers, usage)
