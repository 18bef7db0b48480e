#include "engine/qbittorrent/folders.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/json.h"
#include "engine/qbittorrent/probe.h"

namespace haul::qbittorrent {
namespace {

std::unexpected<Fault> garbage(std::string detail) {
  return std::unexpected{Fault{FaultKind::retryable, "client_garbage", std::move(detail)}};
}

// The text of a member. Empty if it is missing.
std::string text_of(const std::vector<JsonField>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &JsonField::name);
  return found == fields.end() || found->is_null ? std::string{} : found->text;
}

std::string joined(std::string folder, std::string_view rest) {
  while (folder.ends_with('/')) folder.pop_back();
  return folder + "/" + std::string{rest};
}

// The body of a good answer.
Result<std::string> body_of(const Result<ProbeAnswer>& answer) {
  if (!answer) return std::unexpected{answer.error()};
  if (!is_good(answer->reply.status))
    return garbage(fmt::format("qBittorrent answered {}", answer->reply.status));
  return answer->reply.body;
}

}  // namespace

Result<std::string> read_save_path(std::string_view preferences, std::string_view categories,
                                   std::string_view category) {
  const auto chosen = read_object(preferences);
  const auto known = read_object(categories);
  std::string base = chosen ? text_of(*chosen, "save_path") : std::string{};
  if (base.empty() || !known) return garbage("qBittorrent does not say where it saves torrents");
  const bool by_category = text_of(*chosen, "auto_tmm_enabled") == "true" ||
                           text_of(*chosen, "use_category_paths_in_manual_mode") == "true";
  if (category.empty() || !by_category) return base;
  const auto its = read_object(text_of(*known, category));
  std::string path = its ? text_of(*its, "savePath") : std::string{};
  if (path.starts_with('/')) return path;
  return joined(base, path.empty() ? category : path);
}

Result<std::vector<std::string>> read_folder(std::string_view body) {
  const auto paths = read_array(body);
  if (!paths) return garbage("qBittorrent's answer is not a list of files");
  std::vector<std::string> names;
  for (const std::string& path : *paths) names.push_back(path.substr(path.find_last_of("/\\") + 1));
  return names;
}

Result<ClientFolders> probe_folders(const Clock& clock, const QbittorrentSettings& settings) {
  const auto preferences = ask_once(clock, settings, {.action = "app/preferences"});
  const auto chosen = body_of(preferences);
  if (!chosen) return std::unexpected{chosen.error()};
  const auto categories = body_of(ask_once(clock, settings, {.action = "torrents/categories"}));
  if (!categories) return std::unexpected{categories.error()};
  auto path = read_save_path(*chosen, *categories, settings.category);
  if (!path) return std::unexpected{path.error()};
  return ClientFolders{.version = preferences->version, .save_path = *std::move(path)};
}

// An older client answers 404 to this action, and a newer one to a folder that it does not have.
Result<std::vector<std::string>> list_client_folder(const Clock& clock,
                                                    const QbittorrentSettings& settings,
                                                    const std::string& folder) {
  const auto answer = ask_once(
      clock, settings,
      {.action = "app/getDirectoryContent", .query = {{"dirPath", folder}, {"mode", "files"}}});
  if (!answer) return std::unexpected{answer.error()};
  const auto refused = [](const char* code, std::string detail) {
    return std::unexpected{Fault{FaultKind::permanent, code, std::move(detail)}};
  };
  if (answer->version < kListsFolders)
    return refused("cannot_list", "this qBittorrent does not list folders: 5.0 and later do");
  if (answer->reply.status == 404)
    return refused("no_such_folder", "qBittorrent has no such folder");
  const auto body = body_of(answer);
  if (!body) return std::unexpected{body.error()};
  return read_folder(*body);
}

}  // namespace haul::qbittorrent
