#include "sink/server/library.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/path_map.h"

namespace haul::media_server {
namespace {

constexpr std::size_t kIdMax = 64;

// How well a library's kind fits: the same, unknown, another.
int fit(const ServerLibrary& library, std::string_view kind) {
  if (library.kind == kind) return 2;
  return library.kind.empty() || kind.empty() ? 1 : 0;
}

}  // namespace

bool is_plain_id(std::string_view id) {
  return !id.empty() && id.size() <= kIdMax &&
         std::ranges::all_of(id, [](char c) { return is_digit(c) || is_letter(c) || c == '-'; });
}

LibraryMatch library_of(std::span<const ServerLibrary> libraries, const std::filesystem::path& path,
                        std::string_view kind) {
  LibraryMatch match;
  std::pair<std::size_t, int> best{0, 0};  // Length of the folder, then how well the kind fits.
  for (const ServerLibrary& library : libraries)
    for (const std::string& text : library.folders) {
      const auto folder = clean_path(text);
      if (!folder || (path != *folder && !is_inside(path, *folder))) continue;
      const std::pair rank{folder->native().size(), fit(library, kind)};
      if (rank <= best) continue;
      best = rank;
      match = {&library, path == *folder};
    }
  return match;
}

}  // namespace haul::media_server
