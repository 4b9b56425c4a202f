"""Holds tools, as they go into a request, against the types of the vendors' own Python SDKs.

`wire_types.py profiles` prints the profiles that it knows, one a line.
`wire_types.py flaws` holds the entries of flaws.ndjson, in which every type of a form has something to refuse, against the types; it fails where one
takes all of them.
`wire_types.py check FILE` reads lines `{"profile", "label", "entry"}`, an entry being what goes into the request for one tool. For each profile and
each of its types it prints a line `{"profile", "type", "tools", "refused": [{"label", "message"}]}`.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

# Takes an entry; raises with the reason where it is refused.
Check = Callable[[Any], None]


@dataclass(frozen=True)
class Typed:
    """A type that pydantic can hold a value against, or the part of an entry at a JSON Pointer.

    Members of a wrong type are refused even where they could be converted. Unknown members are refused as well, unless `extra` leaves that
    to the type: some SDKs keep or drop on purpose what they do not know."""

    package: str
    path: str
    at: str = ""
    extra: Literal["forbid"] | None = "forbid"

    def check(self) -> Check:
        import pydantic

        adapter = pydantic.TypeAdapter(load(self.path))
        return lambda entry: drop(adapter.validate_json(json.dumps(part(entry, self.at)), strict=True, extra=self.extra))


@dataclass(frozen=True)
class Botocore:
    """What botocore checks before it sends a Converse request; `around` puts the entry into the request."""

    package: str
    path: str
    around: Callable[[Any], dict[str, Any]]

    def check(self) -> Check:
        from botocore.loaders import Loader
        from botocore.model import ServiceModel
        from botocore.validate import ParamValidator

        model = ServiceModel(Loader().load_service_model("bedrock-runtime", "service-2"))
        shape = model.operation_model("Converse").input_shape
        base = {"modelId": "model", "messages": [{"role": "user", "content": [{"text": "hello"}]}]}

        def run(entry: Any) -> None:
            report = ParamValidator().validate(base | self.around(entry), shape)
            if report.has_errors():
                raise ValueError(report.generate_report())

        return run


@dataclass(frozen=True)
class Protobuf:
    """A message of Google's published API; a field that it does not have is refused. `later` are types that the API has and the package lacks."""

    package: str
    path: str
    later: tuple[str, ...] = ()

    def check(self) -> Check:
        from google.protobuf import json_format

        message = load(self.path)
        return lambda entry: drop(json_format.ParseDict(enums_of(entry, self.later), message.pb(message())))


@dataclass(frozen=True)
class JsonSchema:
    """The meta-schema of draft 2020-12, for the schema at a JSON Pointer of the entry; `text` where it stands there as JSON text."""

    at: str
    text: bool = False
    package: str = "jsonschema"
    path: str = "jsonschema:Draft202012Validator"

    def check(self) -> Check:
        validator = load(self.path)

        def run(entry: Any) -> None:
            schema = part(entry, self.at)
            validator.check_schema(json.loads(schema) if self.text else schema)

        return run


Type = Typed | Botocore | Protobuf | JsonSchema


def chat(*own: Type) -> tuple[Type, ...]:
    """A tool in the form of OpenAI's chat completions."""
    return (*own, JsonSchema("/function/parameters"))


def openai(path: str, at: str) -> tuple[Type, ...]:
    return (Typed("openai", f"openai.types.{path}"), JsonSchema(at))


def genai(path: str, protobuf: str, *other: Type) -> tuple[Type, ...]:
    """A pydantic model of google-genai, and the message of the same name in a published API."""
    package, module, later = PROTOBUF[protobuf]
    return (Typed("google-genai", f"google.genai.types:{path}"), Protobuf(package, f"{module}:{path}", later), *other)


PROTOBUF: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "gemini": ("google-ai-generativelanguage", "google.ai.generativelanguage_v1beta.types", ()),
    # The discovery document of the REST API has NULL since its revision 20250502.
    "vertex": ("google-cloud-aiplatform", "google.cloud.aiplatform_v1.types", ("NULL",)),
}
BEDROCK_TOOL = Botocore("botocore", "bedrock-runtime:ToolConfiguration", lambda entry: {"toolConfig": {"tools": [entry]}})
BEDROCK_OUTPUT = Botocore("botocore", "bedrock-runtime:OutputConfig", lambda entry: {"outputConfig": entry})
# The type of an input schema in ToolParam is a union with any object, so its own half is asked too.
ANTHROPIC_SCHEMA = Typed("anthropic", "anthropic.types.tool_param:InputSchemaTyped", at="/input_schema", extra=None)

# What stands for each form of an entry.
FORMS: dict[str, tuple[Type, ...]] = {
    "openai chat": openai("chat:ChatCompletionFunctionToolParam", "/function/parameters"),
    "openai responses": openai("responses:FunctionToolParam", "/parameters"),
    "openai realtime": openai("realtime:RealtimeFunctionToolParam", "/parameters"),
    "openai format": openai("shared_params:ResponseFormatJSONSchema", "/json_schema/schema"),
    "anthropic tool": (Typed("anthropic", "anthropic.types:ToolParam"), ANTHROPIC_SCHEMA, JsonSchema("/input_schema")),
    "anthropic format": (Typed("anthropic", "anthropic.types:JSONOutputFormatParam"), JsonSchema("/schema")),
    "bedrock tool": (BEDROCK_TOOL, JsonSchema("/toolSpec/inputSchema/json")),
    "bedrock format": (BEDROCK_OUTPUT, JsonSchema("/textFormat/structure/jsonSchema/schema", text=True)),
    "gemini tool": genai("Tool", "gemini"),
    # One library sends additionalProperties, for which the message has no field.
    "gemini tool of a library": (Typed("google-genai", "google.genai.types:Tool"),),
    "gemini tool, JSON Schema": genai("Tool", "gemini", JsonSchema("/functionDeclarations/0/parametersJsonSchema")),
    "gemini response": genai("GenerationConfig", "gemini"),
    "gemini response, JSON Schema": genai("GenerationConfig", "gemini", JsonSchema("/responseJsonSchema")),
    "gemini interactions": (Typed("google-genai", "google.genai.interactions:FunctionParam"), JsonSchema("/parameters")),
    "vertex tool": genai("Tool", "vertex"),
    "vertex tool, JSON Schema": genai("Tool", "vertex", JsonSchema("/functionDeclarations/0/parametersJsonSchema")),
    "vertex response": genai("GenerationConfig", "vertex"),
    "vertex response, JSON Schema": genai("GenerationConfig", "vertex", JsonSchema("/responseJsonSchema")),
    "mistral tool": chat(Typed("mistralai", "mistralai.client.models:Tool")),
    "mistral format": (Typed("mistralai", "mistralai.client.models:ResponseFormat"), JsonSchema("/json_schema/schema")),
    "cohere tool": chat(Typed("cohere", "cohere:ToolV2")),
    "cohere format": (Typed("cohere", "cohere:JsonObjectResponseFormatV2"), JsonSchema("/json_schema")),
    # This SDK drops the keywords that it does not know.
    "ollama tool": chat(Typed("ollama", "ollama:Tool", extra=None)),
    "mcp tool": (JsonSchema("/inputSchema"),),
}

# The form of each profile. A host that takes OpenAI's requests stands under OpenAI's types.
PROFILES: dict[str, str] = {
    "openai": "openai chat",
    "openai-strict": "openai chat",
    "openai-responses": "openai responses",
    "openai-responses-strict": "openai responses",
    "openai-codex": "openai responses",
    "openai-codex-strict": "openai responses",
    "openai-realtime": "openai realtime",
    "openai-structured-output": "openai format",
    "openai-structured-output-lenient": "openai format",
    "openai-compatible": "openai chat",
    "openai-compatible-strict": "openai chat",
    "azure-openai": "openai chat",
    "azure-openai-strict": "openai chat",
    "azure-openai-responses": "openai responses",
    "azure-openai-structured-output": "openai format",
    "anthropic": "anthropic tool",
    "anthropic-strict": "anthropic tool",
    "anthropic-output": "anthropic format",
    "anthropic-openai-compat": "openai chat",
    "vertex-anthropic": "anthropic tool",
    "antigravity-anthropic": "anthropic tool",
    "bedrock": "bedrock tool",
    "bedrock-strict": "bedrock tool",
    "bedrock-nova": "bedrock tool",
    "bedrock-output": "bedrock format",
    "bedrock-openai": "openai responses",
    "bedrock-openai-structured-output": "openai format",
    "gemini": "gemini tool",
    "gemini-live": "gemini tool",
    "gemini-code-assist": "gemini tool",
    "gemini-json-schema": "gemini tool, JSON Schema",
    "gemini-response": "gemini response",
    "gemini-response-json-schema": "gemini response, JSON Schema",
    "gemini-interactions": "gemini interactions",
    "gemini-openai-compat": "openai chat",
    "vertex": "vertex tool",
    "vertex-json-schema": "vertex tool, JSON Schema",
    "vertex-response": "vertex response",
    "vertex-response-json-schema": "vertex response, JSON Schema",
    "mistral": "mistral tool",
    "mistral-structured-output": "mistral format",
    "cohere": "cohere tool",
    "cohere-strict": "cohere tool",
    "cohere-structured-output": "cohere format",
    "ollama": "ollama tool",
    "ollama-cloud": "ollama tool",
    "deepseek": "openai chat",
    "deepseek-hosted": "openai chat",
    "deepseek-strict": "openai chat",
    "moonshot": "openai chat",
    "moonshot-cn": "openai chat",
    "xai": "openai chat",
    "groq": "openai chat",
    "groq-strict": "openai chat",
    "cerebras": "openai chat",
    "cerebras-strict": "openai chat",
    "github-copilot": "openai chat",
    "github-copilot-api": "openai chat",
    "github-copilot-api-strict": "openai responses",
    "openrouter": "openai chat",
    "openrouter-strict": "openai chat",
    "fireworks": "openai chat",
    "qwen": "openai chat",
    "cloudflare": "openai chat",
    "databricks": "openai chat",
    "doubleword": "openai chat",
    "minimax": "openai chat",
    "venice": "openai chat",
    "watsonx": "openai chat",
    "zhipu": "openai chat",
    "vllm": "openai chat",
    "vllm-guidance": "openai chat",
    "vllm-outlines": "openai chat",
    "vllm-lm-format-enforcer": "openai chat",
    "sglang": "openai chat",
    "sglang-llguidance": "openai chat",
    "sglang-outlines": "openai chat",
    "llama-cpp": "openai chat",
    "lmstudio": "openai chat",
    "agent-adapter-openai": "openai chat",
    "agent-adapter-openai-strict": "openai chat",
    "agent-adapter-responses": "openai responses",
    "agent-adapter-responses-strict": "openai responses",
    "agent-adapter-anthropic": "anthropic tool",
    "agent-adapter-gemini": "gemini tool of a library",
    "mistralrs": "openai chat",
    "xai-structured-output": "openai format",
    "groq-structured-output": "openai format",
    "cerebras-structured-output": "openai format",
    "github-copilot-api-structured-output": "openai format",
    "openrouter-structured-output": "openai format",
    "crusoe-structured-output": "openai format",
    "perplexity-structured-output": "openai format",
    "mcp": "mcp tool",
    "claude-ai-connector": "mcp tool",
    "portable": "mcp tool",
}


def load(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


def drop(_: object) -> None:
    """For a check that is done once the value has been made."""


def part(entry: Any, pointer: str) -> Any:
    """The value at a JSON Pointer whose names need no escapes."""
    for name in pointer.split("/")[1:]:
        entry = entry[int(name)] if isinstance(entry, list) else entry[name]
    return entry


def enums_of(node: Any, later: tuple[str, ...], names: bool = False) -> Any:
    """With the words under `type` as `json_format` reads them: in capitals, which the live API does not ask for, and without those that came
    later. `names`: the keys are no keywords."""
    if isinstance(node, list):
        return [enums_of(item, later) for item in node]
    if not isinstance(node, dict):
        return node
    out = {}
    for key, value in node.items():
        if key == "type" and isinstance(value, str) and not names:
            out[key] = "TYPE_UNSPECIFIED" if value.upper() in later else value.upper()
        elif key in ("default", "enum", "example") and not names:
            out[key] = value
        else:
            out[key] = enums_of(value, later, key in ("properties", "defs") and not names)
    return out


@functools.cache
def check_of(kind: Type) -> Check:
    return kind.check()


def refusal(kind: Type, entry: Any) -> str | None:
    """Why a type refuses an entry; None where it takes it."""
    try:
        check_of(kind)(entry)
    except Exception as error:  # each SDK has errors of its own
        return f"{type(error).__name__}: {error}"
    return None


def name_of(kind: Type) -> str:
    return f"{kind.package} {importlib.metadata.version(kind.package)} {kind.path.rpartition(':')[2]}"


def unmoved() -> list[str]:
    """The types that take the flawed entry of their form, and the forms that have none."""
    with open(Path(__file__).with_name("flaws.ndjson"), encoding="utf-8") as file:
        flawed = {line["form"]: line["entry"] for line in map(json.loads, file)}
    without = [f"{form}: no entry in flaws.ndjson" for form in FORMS if form not in flawed]
    return without + [f"{form}: {name_of(kind)} takes {entry}" for form, entry in flawed.items() for kind in FORMS[form] if not refusal(kind, entry)]


def judge(profile: str, entries: list[tuple[str, Any]]) -> Iterator[dict[str, Any]]:
    for kind in FORMS[PROFILES[profile]]:
        messages = ((label, refusal(kind, entry)) for label, entry in entries)
        refused = [{"label": label, "message": message} for label, message in messages if message is not None]
        yield {"profile": profile, "type": name_of(kind), "tools": len(entries), "refused": refused}


def main(words: list[str]) -> None:
    # google-genai only warns of a value that its enumerations do not have.
    warnings.filterwarnings("error", message=".* is not a valid ")
    match words:
        case ["profiles"]:
            print("\n".join(PROFILES))
        case ["flaws"]:
            sys.exit("\n".join(unmoved()) or None)
        case ["check", path]:
            entries: dict[str, list[tuple[str, Any]]] = {}
            with open(path, encoding="utf-8") as file:
                for line in map(json.loads, file):
                    entries.setdefault(line["profile"], []).append((line["label"], line["entry"]))
            for profile, of_profile in entries.items():
                for answer in judge(profile, of_profile):
                    print(json.dumps(answer), flush=True)
        case _:
            sys.exit("usage: wire_types.py profiles | flaws | check FILE")


if __name__ == "__main__":
    main(sys.argv[1:])
