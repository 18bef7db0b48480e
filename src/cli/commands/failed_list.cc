#include "cli/commands/failed_list.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

namespace haul::cli {
namespace {

// Not a link, a device or a pipe, which keep their place.
bool is_plain_or_new(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::symlink_status(file, error);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

}  // namespace

void FailedList::ended(std::span<const ItemEnd> items) {
  for (const ItemEnd& item : items) {
    if (item.ok || item.skipped)
      arrived_.insert(item.url);
    else
      failed_.push_back(item.url);
  }
  shown_.ended(items);
}

void FailedList::finish(const GetSummary& summary) {
  // Files may also have failed as a whole, or in an earlier run.
  const bool knows_all = summary.ending == GetEnding::finished &&
                         summary.failed <= static_cast<std::int64_t>(failed_.size());
  if (!knows_all) {
    failed_.clear();
    std::ranges::copy_if(given_, std::back_inserter(failed_),
                         [this](const std::string& url) { return !arrived_.contains(url); });
  }
  shown_.finish(summary);
}

Result<void> FailedList::save(const std::filesystem::path& file) const {
  std::error_code error;
  const bool is_plain = is_plain_or_new(file);
  const std::filesystem::path next =
      is_plain ? fmt::format("{}.{}.new", file.string(), ::getpid()) : file.string();
  std::ofstream out{next, std::ios::trunc};
  for (const std::string& url : failed_) out << url << "\n";
  out.close();
  if (out && is_plain) std::filesystem::rename(next, file, error);
  if (out && !error) return {};
  return std::unexpected{Fault{FaultKind::environment, "cannot_write",
                               fmt::format("--save-failed: cannot write {}", file.string())}};
}

Result<void> check_writable(std::string_view option, const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_fifo(file, error)) return {};  // Opening it waits for a reader.
  const std::ofstream out{file, std::ios::app};
  if (out) return {};
  return std::unexpected{Fault{FaultKind::rejected, "bad_usage",
                               fmt::format("{}: cannot write {}", option, file.string())}};
}

}  // namespace haul::cli
