#include "engine/qbittorrent/source_list.h"

#include <fmt/core.h>

#include <array>
#include <filesystem>

#include "base/json.h"
#include "base/path_map.h"
#include "base/text.h"
#include "io/file/source_look.h"

namespace haul::qbittorrent {
namespace {

namespace fs = std::filesystem;

enum Field : std::uint8_t { f_name, f_size, f_priority, f_count };
constexpr std::array<std::string_view, f_count> kNames{"name", "size", "priority"};

std::unexpected<Fault> environment(std::string_view code, std::string detail) {
  return std::unexpected{Fault{FaultKind::environment, std::string{code}, std::move(detail)}};
}

std::unexpected<Fault> garbage(std::string detail) {
  return std::unexpected{Fault{FaultKind::retryable, "client_garbage", std::move(detail)}};
}

std::unexpected<Fault> not_mapped(const std::string& theirs) {
  return environment(
      "path_not_mapped",
      fmt::format("no entry of engine.qbittorrent.path_map covers {}. Add one such as "
                  "\"/downloads=/srv/torrents\" (qBittorrent's folder = this machine's folder), or "
                  "set path_map = [\"identity\"] if both see the same paths",
                  printable(theirs)));
}

std::unexpected<Fault> outside(const fs::path& path) {
  return environment("path_refused",
                     fmt::format("{} lies beneath no download_root. Set download_root to the "
                                 "folder where qBittorrent puts finished downloads",
                                 printable(path.string())));
}

}  // namespace

Result<std::vector<ContentFile>> read_content(std::string_view json) {
  constexpr std::size_t kRowsMax = 100'000;
  const auto rows = read_rows(json, kNames, kRowsMax);
  if (!rows) return garbage(rows.error().detail);
  std::vector<ContentFile> files;
  for (const JsonRow& row : *rows) {
    const auto size = row[f_size].whole();
    const bool has_name = row[f_name].kind == JsonScalar::Kind::text && !row[f_name].text.empty();
    if (!has_name || !size || *size < 0)
      return garbage("qBittorrent lists a file without a name or a size");
    // A missing priority counts as wanted: haul then looks for the file.
    const bool is_wanted = row[f_priority].whole().value_or(1) > 0;
    files.push_back({.name = row[f_name].text, .size = *size, .is_wanted = is_wanted});
  }
  if (files.size() > kSourcesMax)
    return std::unexpected{Fault{FaultKind::permanent, "too_many_files",
                                 fmt::format("the torrent has {} files; haul imports at most {}",
                                             files.size(), kSourcesMax)}};
  return files;
}

Result<std::vector<SourceFile>> look_at_sources(const Torrent& torrent,
                                                const std::vector<ContentFile>& content,
                                                const QbittorrentSettings& settings) {
  io::SourceLooker looker{"qBittorrent"};
  std::vector<SourceFile> sources;
  for (const ContentFile& file : content) {
    if (!file.is_wanted) continue;
    const std::string theirs = torrent.save_path + "/" + file.name;
    if (!clean_path(theirs))
      return environment("path_refused", printable(theirs) + " is no absolute path");
    const auto path = settings.source_paths.here(theirs);
    if (!path) return not_mapped(theirs);
    const fs::path* root = io::root_of(*path, settings.roots);
    if (!root) return outside(*path);
    auto source = looker.look(*root, *path, file.size);
    if (!source) return std::unexpected{source.error()};
    sources.push_back(*std::move(source));
  }
  if (sources.empty()) return environment("no_files", "qBittorrent lists no file that is wanted");
  return sources;
}

}  // namespace haul::qbittorrent
