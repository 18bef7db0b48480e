#pragma once
// Whether the first bytes of a file can be what its name promises. Servers send login pages and
// error reports under names of pictures and films, with a false type or with none (F34).

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "io/folder.h"

namespace haul {

constexpr std::size_t kContentSample = 4'096;

// Whether a name promises bytes that no web page, JSON or other plain text can be: pictures, films,
// music, archives, PDF and the like. Not of names that say nothing, nor of .svg, .txt or .json.
bool promises_bytes(std::string_view name);

// What came instead, in words: "a web page". Empty: the file may be what its name promises.
// `head` is the file's first kContentSample bytes, or all of it if it is shorter.
std::string unexpected_in(std::string_view name, std::string_view head);

// Reads the head of a file: `unexpected_content` (permanent) if it is something else.
[[nodiscard]] Result<void> check_content(const File& file, std::string_view name);

}  // namespace haul
