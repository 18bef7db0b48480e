#include "app/config/media_library.h"

#include <utility>
#include <vector>

#include "app/config/importer.h"
#include "app/config/library.h"
#include "app/config/value.h"
#include "sink/library/roots.h"

namespace haul::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRoots[] = {"library.movies.root", "library.series.root",
                                       "importer.download_root"};

}  // namespace

std::optional<MediaLibrarySettings> media_library_settings(const Config& config,
                                                           const fs::path& data) {
  auto library = library_settings(config);
  if (!library) return std::nullopt;
  library->root_records = data / "roots";
  library->download_roots = download_roots(config);
  return MediaLibrarySettings{
      .library = *std::move(library),
      .server = media_server_settings(config),
      .trash_keeps_for = trash_keeps_for(config),
      .lacks = download_roots(config).empty() ? kConfigureDownloadRoot : ""};
}

Result<void> check_media_roots(const Config& config, const fs::path& data,
                               const std::string& home) {
  const std::string mounts = library::read_mounts();
  std::vector<library::RootFacts> roots;
  for (const std::string_view key : kRoots)
    if (const std::string given = config.text(key); !given.empty())
      roots.push_back(library::look_at_root(std::string{key}, given, mounts));
  if (roots.empty()) return {};
  library::RootRules rules{.data = library::look_at_root("", fs::absolute(data).string(), mounts)};
  rules.data_downloads = rules.data.real / "downloads";
  if (home.starts_with('/')) rules.home = library::look_at_root("", home, mounts);
  const auto problems = library::check_roots(roots, rules);
  if (problems.empty()) return {};
  return bad_config(config.from(problems.front().key), problems.front().detail);
}

}  // namespace haul::app
