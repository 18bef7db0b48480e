#pragma once
// Reads Metalink 4 documents (RFC 5854). They come from strangers.

#include <string_view>
#include <vector>

#include "base/fault.h"
#include "base/metalink.h"

namespace haul::io {

// Code `bad_metalink` if it is no such document, or describes what no server can have. Keeps http
// and https addresses only, and at most 16 of a file.
Result<std::vector<MetalinkFile>> read_metalink(std::string_view xml);

}  // namespace haul::io
