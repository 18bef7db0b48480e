#include "engine/qbittorrent/path_map.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"

namespace haul::qbittorrent {
namespace {

namespace fs = std::filesystem;

// The path without "." and doubled or trailing slashes. No value if it is not absolute, has "..",
// or is the root.
std::optional<fs::path> clean(std::string_view text) {
  if (!text.starts_with('/') || text.find('\0') != std::string_view::npos) return std::nullopt;
  fs::path path = "/";
  for (const fs::path& part : fs::path{text}) {
    if (part == "..") return std::nullopt;
    if (part == "/" || part == "." || part.empty()) continue;
    path /= part;
  }
  return path == "/" ? std::nullopt : std::optional{path};
}

// The rest of a path below a folder. No value if it is neither that folder nor inside it.
std::optional<fs::path> rest_after(const fs::path& path, const fs::path& folder) {
  const auto [in_path, in_folder] = std::ranges::mismatch(path, folder);
  if (in_folder != folder.end()) return std::nullopt;
  fs::path rest;
  for (auto part = in_path; part != path.end(); ++part) rest /= *part;
  return rest;
}

std::unexpected<Fault> bad(const std::string& entry) {
  return std::unexpected{
      Fault{FaultKind::rejected, "bad_config",
            fmt::format("engine.qbittorrent.path_map: '{}': expected two absolute paths such as "
                        "/downloads=/srv/torrents",
                        printable(entry))}};
}

}  // namespace

Result<PathMap> PathMap::parse(std::span<const std::string> entries) {
  PathMap map;
  for (const std::string& entry : entries) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) return bad(entry);
    const auto theirs = clean(std::string_view{entry}.substr(0, equals));
    const auto ours = clean(std::string_view{entry}.substr(equals + 1));
    if (!theirs || !ours) return bad(entry);
    map.entries_.push_back({*theirs, *ours});
  }
  return map;
}

std::optional<fs::path> PathMap::here(std::string_view theirs) const {
  auto path = clean(theirs);
  if (!path || entries_.empty()) return path;
  std::optional<fs::path> found;
  std::size_t longest = 0;
  for (const Entry& entry : entries_) {
    const auto rest = rest_after(*path, entry.theirs);
    const auto length = entry.theirs.native().size();
    if (!rest || length < longest) continue;
    longest = length;
    found = rest->empty() ? entry.ours : entry.ours / *rest;
  }
  return found;
}

bool is_inside(const fs::path& path, const fs::path& folder) {
  const auto rest = rest_after(path, folder);
  return rest && !rest->empty();
}

}  // namespace haul::qbittorrent
