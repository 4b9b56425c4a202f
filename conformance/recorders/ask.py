"""Asks one engine about schemas: whether it takes them, which values the result lets in, and what it passes on.

usage: ask.py ENGINE    an engine as engines.jsonl has it, as JSON; questions stand on stdin, answers go to stdout, one JSON object a line

A question has `case`, `kind`, `input`, and perhaps `good` and `bad` values. The engine runs in a process of its own, so that a crash costs
one question; what takes longer than LIMIT seconds counts as one."""

import json
import os
import re
import select
import subprocess
import sys
import time
from typing import Any

LIMIT = 30
LONGEST = 300
# What differs from run to run, or between the machines on which a wheel was built.
NOISE = [
    (re.compile(r"\[\d\d:\d\d:\d\d\] (?:\S*/)?([\w.]+):\d+: "), r"\1: "),
    (re.compile(r"\s*For further information visit \S+"), ""),
    (re.compile(r"0x[0-9a-f]{6,}"), "0x"),
]


def text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def words(error: BaseException) -> str:
    told = f"{type(error).__name__}: {error}"
    for pattern, kept in NOISE:
        told = pattern.sub(kept, told)
    return told.strip()[:LONGEST]


def answer(ask: Any, question: dict[str, Any]) -> dict[str, Any]:
    """What becomes of a question, in the fields of an answer's line."""
    good, bad = question.get("good", []), question.get("bad", [])
    try:
        took = ask(question["input"], [text(value) for value in good + bad])
    except Exception as error:  # each engine has errors of its own
        return {"outcome": "rejected", "message": words(error)}
    if took.matches is not None:
        narrow = [value for value, in_ in zip(good, took.matches) if not in_]
        leak = [value for value, in_ in zip(bad, took.matches[len(good) :]) if in_]
        outcome = {(True, True): "wrong", (True, False): "too_narrow", (False, True): "silently_ignored"}.get((bool(narrow), bool(leak)))
        found = {key: values for key, values in (("narrow", narrow), ("leak", leak)) if values}
        return {"outcome": outcome or ("enforced" if bad else "accepted"), **found}
    if took.lost:
        return {"outcome": "stripped", "lost": took.lost}
    if took.made is not None and text(took.made) != text(question["input"]):
        return {"outcome": "rewritten", "made": took.made}
    return {"outcome": "accepted"}


def work(engine: dict[str, Any]) -> None:
    """Answers questions until there are no more. What an engine prints goes to the error output."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.setrecursionlimit(20_000)
    import families

    ask = families.of(engine)
    for line in sys.stdin:
        print(text(answer(ask, json.loads(line))), file=out, flush=True)


class Worker:
    """The engine in a process of its own, started anew when it has died."""

    def __init__(self, engine: str) -> None:
        self.engine = engine
        self.process: subprocess.Popen[str] | None = None

    def ask(self, question: str) -> dict[str, Any]:
        if self.process is None:
            command = [sys.executable, os.path.abspath(__file__), "--work", self.engine]
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8"
            )
        assert self.process.stdin and self.process.stdout
        try:
            self.process.stdin.write(question + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return self.died(self.process.wait())
        if not select.select([self.process.stdout], [], [], LIMIT)[0]:
            self.process.kill()
            self.process.wait()
            self.process = None
            return {"outcome": "crashed", "message": f"no answer after {LIMIT} s"}
        line = self.process.stdout.readline()
        return json.loads(line) if line else self.died(self.process.wait())

    def died(self, status: int) -> dict[str, Any]:
        self.process = None
        return {"outcome": "crashed", "message": f"the process ended with {status}"}


def main(argv: list[str]) -> None:
    match argv:
        case ["--work", engine]:
            work(json.loads(engine))
        case [engine]:
            sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
            import families

            families.of(json.loads(engine))  # an engine that is not installed is an error here, not a crash a question
            worker = Worker(engine)
            for line in sys.stdin:
                began = time.monotonic()
                print(text({"case": json.loads(line)["case"], **worker.ask(line.strip()), "seconds": round(time.monotonic() - began, 3)}), flush=True)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
