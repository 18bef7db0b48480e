#include "base/path_map.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"

namespace haul {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIdentity = "identity";

// The rest of a path below a folder. No value if it is neither that folder nor inside it.
std::optional<fs::path> rest_after(const fs::path& path, const fs::path& folder) {
  const auto [in_path, in_folder] = std::ranges::mismatch(path, folder);
  if (in_folder != folder.end()) return std::nullopt;
  fs::path rest;
  for (auto part = in_path; part != path.end(); ++part) rest /= *part;
  return rest;
}

std::unexpected<Fault> bad(std::string_view key, const std::string& entry) {
  return std::unexpected{Fault{FaultKind::rejected, "bad_config",
                               fmt::format("{}: '{}': expected two absolute paths such as "
                                           "/downloads=/srv/torrents, or only \"identity\"",
                                           key, printable(entry))}};
}

}  // namespace

PathMap PathMap::identity() {
  PathMap map;
  map.is_identity_ = true;
  return map;
}

Result<PathMap> PathMap::parse(std::span<const std::string> entries, std::string_view key) {
  if (entries.size() == 1 && entries.front() == kIdentity) return identity();
  PathMap map;
  for (const std::string& entry : entries) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) return bad(key, entry);
    const auto theirs = clean_path(std::string_view{entry}.substr(0, equals));
    const auto ours = clean_path(std::string_view{entry}.substr(equals + 1));
    if (!theirs || !ours) return bad(key, entry);
    map.entries_.push_back({*theirs, *ours});
  }
  return map;
}

std::optional<fs::path> PathMap::here(std::string_view theirs) const {
  return mapped(theirs, &Entry::theirs, &Entry::ours);
}

std::optional<fs::path> PathMap::there(std::string_view ours) const {
  return mapped(ours, &Entry::ours, &Entry::theirs);
}

std::optional<fs::path> PathMap::mapped(std::string_view text, Folder from, Folder to) const {
  auto path = clean_path(text);
  if (!path || is_identity_) return path;
  std::optional<fs::path> found;
  std::size_t longest = 0;
  for (const Entry& entry : entries_) {
    const auto rest = rest_after(*path, entry.*from);
    const auto length = (entry.*from).native().size();
    if (!rest || length <= longest) continue;
    longest = length;
    found = rest->empty() ? entry.*to : entry.*to / *rest;
  }
  return found;
}

std::optional<fs::path> clean_path(std::string_view text) {
  if (!text.starts_with('/') || text.find('\0') != std::string_view::npos) return std::nullopt;
  fs::path path = "/";
  for (const fs::path& part : fs::path{text}) {
    if (part == "..") return std::nullopt;
    if (part == "/" || part == "." || part.empty()) continue;
    path /= part;
  }
  return path == "/" ? std::nullopt : std::optional{path};
}

bool is_inside(const fs::path& path, const fs::path& folder) {
  const auto rest = rest_after(path, folder);
  return rest && !rest->empty();
}

}  // namespace haul
