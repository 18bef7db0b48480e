#include "cli/commands/failed_list.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <system_error>

#include "base/url.h"
#include "base/url_options.h"
#include "cli/commands/get_input.h"

namespace haul::cli {
namespace {

// Not a link, a device or a pipe, which keep their place.
bool is_plain_or_new(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::symlink_status(file, error);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

std::map<std::size_t, UrlOptions> options_of(const GetBatch& batch) {
  std::map<std::size_t, UrlOptions> options;
  for (const auto& [position, json] : batch.each) options[position] = options_at(batch, position);
  return options;
}

bool has_login(const std::string& url) {
  const auto parsed = parse_url(url);
  return parsed && !parsed->user.empty();
}

}  // namespace

FailedList::FailedList(Progress& shown, const GetBatch& given)
    : shown_{shown}, keys_{item_keys(given.urls, options_of(given))} {
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const auto text = given.texts.find(i);
    entries_.try_emplace(keys_[i],
                         Entry{given.urls[i], text == given.texts.end() ? "" : text->second});
  }
}

void FailedList::add(const std::string& key, const std::string& url, const std::string& options) {
  keys_.push_back(key);
  entries_.try_emplace(key, Entry{url, options});
}

// A file that a page linked to was not given, so it has no options.
void FailedList::ended(std::span<const ItemEnd> items) {
  for (const ItemEnd& item : items) {
    const std::string& key = item.key.empty() ? item.url : item.key;
    const auto given = entries_.find(key);
    if (item.ok || item.skipped)
      arrived_.insert(key);
    else
      failed_.push_back(given == entries_.end() ? Entry{item.url} : given->second);
  }
  shown_.ended(items);
}

void FailedList::finish(const GetSummary& summary) {
  // Files may also have failed as a whole, or in an earlier run.
  const bool knows_all = summary.ending == GetEnding::finished &&
                         summary.failed <= static_cast<std::int64_t>(failed_.size());
  if (!knows_all) {
    failed_.clear();
    std::set<std::string> listed;
    for (const std::string& key : keys_)
      if (!arrived_.contains(key) && listed.insert(key).second) failed_.push_back(entries_.at(key));
  }
  shown_.finish(summary);
}

Result<void> FailedList::save(const std::filesystem::path& file) const {
  std::error_code error;
  const bool is_plain = is_plain_or_new(file);
  const std::filesystem::path next =
      is_plain ? fmt::format("{}.{}.new", file.string(), ::getpid()) : file.string();
  std::ofstream out{next, std::ios::trunc};
  const bool is_secret = std::ranges::any_of(failed_, [](const Entry& each) {
    return each.options.find("header") != std::string::npos || has_login(each.url);
  });
  using std::filesystem::perms;
  if (is_secret && is_plain)
    std::filesystem::permissions(next, perms::owner_read | perms::owner_write, error);
  for (const Entry& each : failed_) out << each.url << "\n" << each.options;
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
