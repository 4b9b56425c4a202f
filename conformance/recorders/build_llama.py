"""Builds llama.cpp's schema converter and grammar, and nothing else of it, out of the source that llama-cpp-python ships.

usage: build_llama.py FOLDER VERSION new|old    leaves FOLDER/llama-schema; needs g++ and takes about a minute"""

import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent / "llama"
# How the converter and the grammar are called in each.
CALLS = {
    "new": "json_schema_to_grammar(common_json::parse((x).dump()))",
    "old": "json_schema_to_grammar(x, true)",
}
GRAMMAR = 'llama_grammar_init_impl(nullptr, s, "root", false, nullptr, 0, nullptr, 0)'
SOURCES = ["common/json-schema-to-grammar.cpp", "src/llama-grammar.cpp", "src/unicode.cpp", "src/unicode-data.cpp"]
# Only some releases have these.
PERHAPS = ["common/json-schema.cpp", "common/json.cpp", "common/trie.cpp", "common/unicode.cpp"]
NEEDED = ("common/", "src/", "include/", "ggml/include/", "vendor/")


def run(*words: object) -> None:
    subprocess.run([str(word) for word in words], check=True)


def main(folder: Path, version: str, calls: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    run(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "llama-cpp-python", "--dest", folder,
        f"llama-cpp-python=={version}")
    root = folder / "source"
    with tarfile.open(folder / f"llama_cpp_python-{version}.tar.gz") as archive:
        mark = "/vendor/llama.cpp/"
        wanted = [m for m in archive.getmembers() if mark in m.name and m.name.split(mark, 1)[1].startswith(NEEDED)]
        archive.extractall(root, members=wanted, filter="data")
    source = next(root.glob("*/vendor/llama.cpp"))
    include = [f"-I{source / part}" for part in ("common", "include", "ggml/include", "vendor", "src", "")]
    files = [source / name for name in SOURCES] + [source / name for name in PERHAPS if (source / name).exists()]
    files += [HERE / "main.cpp", HERE / "shim.cpp"]
    define = [f"-DCONVERT(x)={CALLS[calls]}", f"-DGRAMMAR(s)={GRAMMAR}"]
    with tempfile.TemporaryDirectory() as objects:
        made = [Path(objects) / f"{at}.o" for at in range(len(files))]
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda pair: run("g++", "-std=c++17", "-O0", "-w", "-ffunction-sections", *include, *define, "-c", pair[0], "-o", pair[1]),
                          zip(files, made)))
        run("g++", "-static", *made, "-Wl,--gc-sections", "-Wl,--unresolved-symbols=ignore-all", "-o", folder / "llama-schema")


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[3] not in CALLS:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
