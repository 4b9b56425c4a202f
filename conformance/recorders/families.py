"""The engines and SDKs that can be asked, by the word under `asks` in engines.jsonl."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Took:
    """An input that was taken: for each value whether it is let in, or what is passed on and which parts of the input are not."""

    matches: list[bool] | None = None
    made: Any = None
    lost: list[str] | None = None


Ask = Callable[[Any, list[str]], Took]


def of(engine: dict[str, Any]) -> Ask:
    """The engine, ready to be asked; raises where it is not installed."""
    return FAMILIES[engine["asks"]](engine.get("options", {}))


def xgrammar(options: dict[str, Any]) -> Ask:
    # It imports torch and transformers for its Python layer; the converter needs neither.
    for name in ("torch", "torch.utils", "torch.utils.cpp_extension", "torch.utils.dlpack", "transformers"):
        sys.modules.setdefault(name, stand_in(name))
    import xgrammar
    from xgrammar.testing import _is_grammar_accept_string as takes

    def ask(schema: Any, values: list[str]) -> Took:
        grammar = xgrammar.Grammar.from_json_schema(json.dumps(schema, ensure_ascii=False), **options)
        return Took([bool(takes(grammar, value)) for value in values])

    return ask


def stand_in(name: str) -> types.ModuleType:
    """A module in which every name is a class without meaning, which may be a base class, a default or part of an annotation."""

    class Anything(type):
        def __getattr__(cls, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return cls

        def __or__(cls, other: Any) -> Any:
            return cls

        __ror__ = __or__

    class Thing(metaclass=Anything):
        def __init__(self, *_: Any, **__: Any) -> None:
            pass

        def __call__(self, *args: Any, **__: Any) -> Any:
            return args[0] if args else self

    module = types.ModuleType(name)
    module.__version__ = "0.0.0"  # type: ignore[attr-defined]
    module.__path__ = []
    # tvm_ffi looks for these by their names.
    for known in ("Tensor", "device", "dtype"):
        setattr(module, known, type(known, (), {}))

    def missing(attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        value = type(attribute, (Thing,), {})
        setattr(module, attribute, value)
        return value

    module.__getattr__ = missing  # type: ignore[method-assign]
    return module


def llguidance(options: dict[str, Any]) -> Ask:
    from llguidance import LLMatcher, LLTokenizer

    tokenizer = LLTokenizer("byte")

    def matcher(grammar: str) -> Any:
        return LLMatcher(tokenizer, grammar, log_level=0)

    def ask(schema: Any, values: list[str]) -> Took:
        grammar = LLMatcher.grammar_from_json_schema(schema, overrides=options or None)
        first = matcher(grammar)
        if first.is_error():
            raise ValueError(first.get_error())

        def takes(value: str) -> bool:
            tokens, fresh = tokenizer.tokenize_str(value), matcher(grammar)
            return fresh.try_consume_tokens(tokens) == len(tokens) and bool(fresh.is_accepting())

        return Took([takes(value) for value in values])

    return ask


def outlines(_: dict[str, Any]) -> Ask:
    try:
        from outlines_core.json_schema import build_regex_from_schema
    except ImportError:
        from outlines_core.fsm.json_schema import build_regex_from_schema

    def ask(schema: Any, values: list[str]) -> Took:
        regex = build_regex_from_schema(json.dumps(schema, ensure_ascii=False))
        try:
            compiled = re.compile(regex)
        except re.error as error:
            raise ValueError(f"regex built, but not a valid Python regex: {error}") from error
        return Took([bool(compiled.fullmatch(value)) for value in values])

    return ask


def lm_format_enforcer(_: dict[str, Any]) -> Ask:
    from lmformatenforcer import JsonSchemaParser

    def takes(schema: Any, value: str) -> bool:
        parser = JsonSchemaParser(schema)
        for character in value:
            if character not in parser.get_allowed_characters():
                return False
            parser = parser.add_character(character)
        return bool(parser.can_end())

    def ask(schema: Any, values: list[str]) -> Took:
        JsonSchemaParser(schema).get_allowed_characters()
        return Took([takes(schema, value) for value in values])

    return ask


def llama(_: dict[str, Any]) -> Ask:
    program = os.environ["LLAMA_SCHEMA"]
    if not os.path.exists(program):
        raise FileNotFoundError(program)

    def ask(schema: Any, values: list[str]) -> Took:
        request = json.dumps({"schema": schema, "values": values}, ensure_ascii=False)
        run = subprocess.run([program], input=request + "\n", capture_output=True, text=True, encoding="utf-8", timeout=25)
        if not run.stdout.strip():
            # What the whole process would die of, were the converter not in one of its own.
            os._exit(1)
        told = json.loads(run.stdout.splitlines()[0])
        if "refused" in told:
            # The grammar stands in the log as well.
            reasons = [line for line in run.stderr.splitlines() if re.search("exceed|detected|expecting|unknown|invalid|undefined", line)]
            raise ValueError("\n".join([told["refused"], *reasons[-1:]]))
        return Took(told["matches"])

    return ask


def protobuf(options: dict[str, Any]) -> Ask:
    """A message of Google's published API; a field that it does not have is refused."""
    from google.protobuf import json_format

    from wire_types import enums_of, load

    message = load(options["message"])

    def ask(schema: Any, _: list[str]) -> Took:
        json_format.ParseDict(enums_of(schema, ()), message.pb(message()))
        return Took()

    return ask


def genai(options: dict[str, Any]) -> Ask:
    from google.genai import types as genai_types

    def ask(schema: Any, _: list[str]) -> Took:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            genai_types.FunctionDeclaration(name="f", **{options["field"]: schema})
        return Took()

    return ask


def converse(_: dict[str, Any]) -> Ask:
    from wire_types import BEDROCK_TOOL

    check = BEDROCK_TOOL.check()

    def ask(tool: Any, _: list[str]) -> Took:
        spec = {key: tool[key] for key in ("name", "description") if key in tool}
        if "parameters" in tool:
            spec["inputSchema"] = {"json": tool["parameters"]}
        check({"toolSpec": spec})
        return Took()

    return ask


def openai_strict(_: dict[str, Any]) -> Ask:
    from openai.lib._pydantic import _ensure_strict_json_schema as ensure

    def ask(schema: Any, _: list[str]) -> Took:
        copy = json.loads(json.dumps(schema))
        return Took(made=ensure(copy, path=(), root=copy))

    return ask


def anthropic_transform(_: dict[str, Any]) -> Ask:
    from anthropic.lib._parse._transform import transform_schema

    return lambda schema, _: Took(made=transform_schema(json.loads(json.dumps(schema))))


def meta_schema(_: dict[str, Any]) -> Ask:
    from jsonschema import Draft202012Validator

    def ask(schema: Any, _: list[str]) -> Took:
        Draft202012Validator.check_schema(schema)
        return Took()

    return ask


def ollama(_: dict[str, Any]) -> Ask:
    from ollama._types import ChatRequest

    def ask(schema: Any, _: list[str]) -> Took:
        tool = {"type": "function", "function": {"name": "f", "description": "d", "parameters": schema}}
        sent = ChatRequest(model="m", messages=[], tools=[tool]).model_dump(exclude_none=True)["tools"][0]["function"]
        return Took(lost=list(lost(schema, sent.get("parameters", {})))[:12])

    return ask


def lost(before: Any, after: Any, at: str = "") -> Any:
    """JSON Pointers to what a value has not any more."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key, value in before.items():
            name = f"{at}/{key.replace('~', '~0').replace('/', '~1')}"
            if key in after:
                yield from lost(value, after[key], name)
            else:
                yield name
    elif isinstance(before, list) and isinstance(after, (list, tuple)) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after)):
            yield from lost(old, new, f"{at}/{index}")
    elif json.dumps(before, sort_keys=True) != json.dumps(after, sort_keys=True, default=str):
        yield at


FAMILIES: dict[str, Callable[[dict[str, Any]], Ask]] = {
    "xgrammar": xgrammar,
    "llguidance": llguidance,
    "outlines": outlines,
    "lm-format-enforcer": lm_format_enforcer,
    "llama": llama,
    "protobuf": protobuf,
    "genai": genai,
    "converse": converse,
    "openai-strict": openai_strict,
    "anthropic-transform": anthropic_transform,
    "meta-schema": meta_schema,
    "ollama": ollama,
}
