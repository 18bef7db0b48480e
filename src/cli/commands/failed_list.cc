#include "cli/commands/failed_list.h"

#include <fmt/core.h>

#include <fstream>
#include <system_error>

namespace haul::cli {

void FailedList::ended(std::span<const ItemEnd> items) {
  for (const ItemEnd& item : items) {
    any_arrived_ = any_arrived_ || item.ok || item.skipped;
    if (!item.ok && !item.skipped) failed_.push_back(item.url);
  }
  shown_.ended(items);
}

void FailedList::finish(const GetSummary& summary) {
  const bool as_a_whole =
      summary.ending == GetEnding::finished && summary.failed > 0 && failed_.empty();
  if (as_a_whole && !any_arrived_) failed_ = given_;
  shown_.finish(summary);
}

Result<void> FailedList::save(const std::filesystem::path& file) const {
  const std::filesystem::path next = file.string() + ".new";
  std::ofstream out{next, std::ios::trunc};
  for (const std::string& url : failed_) out << url << "\n";
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(next, file, error);
  if (out && !error) return {};
  return std::unexpected{Fault{FaultKind::environment, "cannot_write",
                               fmt::format("--save-failed: cannot write {}", file.string())}};
}

Result<void> check_writable(std::string_view option, const std::filesystem::path& file) {
  const std::ofstream out{file, std::ios::app};
  if (out) return {};
  return std::unexpected{Fault{FaultKind::rejected, "bad_usage",
                               fmt::format("{}: cannot write {}", option, file.string())}};
}

}  // namespace haul::cli
