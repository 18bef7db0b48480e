#include "app/config/download_folder.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/config/value.h"

namespace haul::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKey = "transfer.folder";

// Without links, as far as the path exists.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  fs::path real = fs::weakly_canonical(fs::absolute(path), error);
  if (error) real = fs::absolute(path).lexically_normal();
  return real.has_filename() ? real : real.parent_path();
}

bool is_in(const fs::path& path, const fs::path& folder) {
  const auto [end, at] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

bool is_file_or_below_one(const fs::path& folder) {
  std::error_code error;
  for (fs::path path = folder; path.has_relative_path(); path = path.parent_path())
    if (const fs::file_status status = fs::status(path, error); fs::exists(status))
      return !fs::is_directory(status);
  return false;
}

// Empty: nothing is wrong.
std::string wrong_with_folder(const fs::path& given, const fs::path& data_given) {
  const fs::path folder = resolved(given);
  const fs::path data = resolved(data_given);
  if (folder == folder.root_path()) return "is the root of the file system";
  if (is_file_or_below_one(given)) return "is a file, or lies below one";
  if (folder == data) return "is haul's data folder";
  if (is_in(data, folder)) return fmt::format("haul's data folder {} lies in it", data.string());
  if (is_in(folder, data) && !is_in(folder, data / "downloads"))
    return fmt::format("lies in haul's data folder {}", data.string());
  return {};
}

}  // namespace

std::string download_folder(const Config& config, const fs::path& data) {
  const std::string folder = config.text(kKey);
  return folder.empty() ? fs::absolute(data / "downloads").string() : folder;
}

Result<void> check_download_folder(const Config& config, const fs::path& data) {
  const std::string folder = config.text(kKey);
  const std::string why = folder.empty() ? std::string{} : wrong_with_folder(folder, data);
  if (why.empty()) return {};
  return bad_config(config.from(kKey), fmt::format("{}: {} {}; choose a folder for downloads alone",
                                                   kKey, in_quotes(folder), why));
}

}  // namespace haul::app
