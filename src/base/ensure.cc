#include "base/ensure.h"

#include <cstdio>
#include <cstdlib>

namespace haul {

void report_broken(std::string_view what, const std::source_location& where) {
  const std::string_view path = where.file_name();
  const std::size_t src = path.rfind("src/");
  const std::string_view file = src == std::string_view::npos ? path : path.substr(src);
  // Standard error may be closed. Unlike fmt::print, this does not throw then.
  std::fprintf(stderr, "haul: broken: %.*s (%.*s:%u)\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(file.size()), file.data(), static_cast<unsigned>(where.line()));
  std::abort();
}

}  // namespace haul
