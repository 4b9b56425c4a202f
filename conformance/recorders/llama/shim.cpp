// The few helpers of llama.cpp's common library and its logger that the converter and the grammar use.
#include "ggml.h"

#include <cstdarg>
#include <cstdio>
#include <string>
#include <vector>

std::string string_join(const std::vector<std::string> & parts, const std::string & between) {
    std::string out;
    for (size_t at = 0; at < parts.size(); at++) {
        out += (at ? between : "") + parts[at];
    }
    return out;
}

std::vector<std::string> string_split(const std::string & text, const std::string & at) {
    std::vector<std::string> out;
    size_t from = 0;
    for (size_t found; (found = text.find(at, from)) != std::string::npos; from = found + at.size()) {
        out.push_back(text.substr(from, found - from));
    }
    out.push_back(text.substr(from));
    return out;
}

std::string string_repeat(const std::string & text, size_t times) {
    std::string out;
    for (size_t at = 0; at < times; at++) {
        out += text;
    }
    return out;
}

void llama_log_internal(ggml_log_level, const char * format, ...) {
    va_list values;
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
}
