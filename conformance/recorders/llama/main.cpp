// Answers a line {"schema", "values"} with {"matches"}, or with {"refused"} where no grammar comes of the schema.
// Built by build_llama.py from llama.cpp's own converter and grammar; how those are called differs between releases, so it defines
// CONVERT(schema) and GRAMMAR(text).
#include "json-schema-to-grammar.h"
#include "../src/llama-grammar.h"
#include "../src/unicode.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

using json = nlohmann::ordered_json;

static bool takes(const std::string & text, const std::string & value) {
    llama_grammar * grammar = GRAMMAR(text.c_str());
    if (!grammar) {
        throw std::runtime_error("failed to parse grammar");
    }
    auto & stacks = llama_grammar_get_stacks(grammar);
    bool alive = true;
    for (auto point : unicode_cpts_from_utf8(value)) {
        llama_grammar_accept(grammar, point);
        if (stacks.empty()) {
            alive = false;
            break;
        }
    }
    bool ends = false;
    for (auto & stack : stacks) {
        ends = ends || (alive && stack.empty());
    }
    llama_grammar_free_impl(grammar);
    return ends;
}

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        json answer;
        try {
            json question = json::parse(line);
            std::string grammar = CONVERT(question["schema"]);
            json matches = json::array();
            takes(grammar, "");
            for (auto & value : question["values"]) {
                matches.push_back(takes(grammar, value.get<std::string>()));
            }
            answer["matches"] = matches;
        } catch (const std::exception & error) {
            answer = json::object();
            answer["refused"] = error.what();
        }
        std::cout << answer.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
    }
}
