#pragma once
// Checks whether the first bytes of a file can be what its name promises. Servers send login pages
// and error reports under names of pictures and films, with a wrong content type or none (F34).

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "io/file/folder.h"

namespace haul::io {

constexpr std::size_t kContentSample = 4'096;

// True if a name promises binary content: pictures, films, music, archives, PDF and the like. A web
// page, JSON or other plain text cannot be that. False for names that say nothing, and for .svg,
// .txt or .json.
bool promises_bytes(std::string_view name);

// What came instead, such as "a web page". Empty if the file may be what its name promises.
// `head` is the file's first kContentSample bytes, or all of it if it is shorter.
std::string unexpected_in(std::string_view name, std::string_view head);

// Reads the head of a file. Fault `unexpected_content` (permanent) if it cannot be what the name
// promises.
[[nodiscard]] Result<void> check_content(const File& file, std::string_view name);

// Whether the file begins as a web page does.
[[nodiscard]] bool is_web_page(const File& file);

}  // namespace haul::io
