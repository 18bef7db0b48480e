#include "app/config/importer.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/config/config.h"
#include "app/config/value.h"
#include "base/ensure.h"
#include "base/path_map.h"

namespace haul::app {
namespace {

constexpr std::string_view kDownloadRoot = "importer.download_root";
constexpr std::string_view kCleanup = "importer.cleanup_source";
constexpr std::string_view kLink = "importer.link";
constexpr std::string_view kTrashDays = "importer.trash_days";

std::string wrong_with_method(const std::string& text) {
  if (library::read_import_by(text)) return {};
  return in_quotes(text) + " is not reflink, hardlink or copy";
}

constexpr ConfigKey kKeys[] = {
    {.name = kDownloadRoot,
     .kind = ConfigKind::path,
     .default_value = "",
     .about = "Folder where qBittorrent puts finished downloads, as this machine sees it. haul "
              "imports films from it, and removes files nowhere else. Must not be a library",
     .check = wrong_with_root},
    {.name = kCleanup,
     .kind = ConfigKind::boolean,
     .default_value = "true",
     .about = "Whether haul removes the downloaded files of a film after it is proven to be in "
              "the library"},
    {.name = kLink,
     .kind = ConfigKind::list,
     .default_value = "reflink,hardlink,copy",
     .about = "How files get into the library, in the order in which haul tries it: reflink, "
              "hardlink, copy",
     .check = wrong_with_method},
    {.name = kTrashDays,
     .kind = ConfigKind::number,
     .default_value = "0",
     .about = "Days that removed downloads stay in `.haul-trash` of the download root, counting "
              "only time that haul runs. 0: haul deletes them at once",
     .range = ConfigRange{0, 3'650}},
};

Result<void> check_methods(const Config& config) {
  const std::vector<std::string> methods = config.list(kLink);
  const auto refused = [&](const std::string& why) {
    return bad_config(config.from(kLink), fmt::format("{}: {}", kLink, why));
  };
  if (methods.empty()) return refused("expected at least one of reflink, hardlink and copy");
  for (auto each = methods.begin(); each != methods.end(); ++each)
    if (std::find(methods.begin(), each, *each) != each)
      return refused(in_quotes(*each) + " is there twice");
  return {};
}

}  // namespace

ConfigArea importer_area() { return {.keys = kKeys, .check = check_methods}; }

std::vector<std::filesystem::path> download_roots(const Config& config) {
  const auto root = clean_path(config.text(kDownloadRoot));
  if (!root) return {};
  return {*root};
}

std::vector<library::ImportBy> import_methods(const Config& config) {
  const std::vector<std::string> names = config.list(kLink);
  std::vector<library::ImportBy> methods;
  for (const std::string& name : names)
    if (const auto method = library::read_import_by(name)) methods.push_back(*method);
  ensure(methods.size() == names.size(), "the configuration has checked these values");
  return methods;
}

library::CleanBy clean_by(const Config& config) {
  return config.number(kTrashDays) > 0 ? library::CleanBy::trashing : library::CleanBy::deleting;
}

Millis trash_keeps_for(const Config& config) {
  return std::chrono::hours{24} * config.number(kTrashDays);
}

flow::MediaSettings media_settings(const Config& config) {
  return {.clean_source = config.is_on(kCleanup)};
}

}  // namespace haul::app
