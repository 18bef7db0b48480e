#include "server/switches.h"

#include <algorithm>
#include <charconv>

#include "server/request.h"

namespace haul::server {
namespace {

// clang-format off
constexpr std::string_view kNames[] = {
    // the file
    "size", "seed", "type", "disposition", "etag", "etag_change_after", "last_modified",
    "digest", "old_digest", "encoding", "set_cookie", "login", "login_after", "damage",
    // which part of it is sent
    "ranges", "content_range", "ignore_if_range",
    // other answers
    "status", "status_times", "status_after", "retry_after", "head_status", "head_length",
    "head_close", "redirect", "redirect_code", "redirect_chain", "redirect_loop", "hop",
    // framing and end
    "version", "length", "chunked",
    "reset_after", "reset_times", "close_after", "close_times", "stall_after", "stall_times",
    // speed
    "delay_ms", "drip", "limit_rate", "header_drip",
    // additions to the head
    "headers", "header_size", "early_hints",
    // pages
    "links", "next",
};
// clang-format on

}  // namespace

std::uint64_t read_number(std::string_view name, std::string_view text) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size())
    throw BadSwitch{std::string{name} + "=" + std::string{text} + ": not a number"};
  return number;
}

Switches::Switches(std::string_view query) {
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(one.size() + 1, query.size()));
    const std::size_t equals = std::min(one.find('='), one.size());
    const std::string_view value = one.substr(std::min(equals + 1, one.size()));
    all_.push_back({std::string{one.substr(0, equals)}, std::string{value}});
    if (std::ranges::find(kNames, all_.back().name) == std::end(kNames))
      throw BadSwitch{all_.back().name + ": no such switch"};
  }
}

std::string_view Switches::raw(std::string_view name) const {
  const auto found = std::ranges::find(all_, name, &Switch::name);
  return found == all_.end() ? std::string_view{} : found->value;
}

std::optional<std::string> Switches::text(std::string_view name) const {
  const auto found = std::ranges::find(all_, name, &Switch::name);
  if (found == all_.end()) return std::nullopt;
  return percent_decoded(found->value);
}

std::string Switches::text(std::string_view name, std::string_view otherwise) const {
  return text(name).value_or(std::string{otherwise});
}

std::string Switches::word(std::string_view name, std::vector<std::string_view> words) const {
  std::string given = text(name, words.front());
  if (std::ranges::find(words, given) == words.end())
    throw BadSwitch{std::string{name} + "=" + given + ": no such value"};
  return given;
}

std::optional<std::uint64_t> Switches::number(std::string_view name) const {
  const auto given = text(name);
  if (!given) return std::nullopt;
  return read_number(name, *given);
}

std::uint64_t Switches::number(std::string_view name, std::uint64_t otherwise) const {
  return number(name).value_or(otherwise);
}

std::string Switches::query_with(std::string_view name, std::uint64_t value) const {
  std::string query = std::string{name} + "=" + std::to_string(value);
  for (const Switch& one : all_)
    if (one.name != name) query += "&" + one.name + "=" + one.value;
  return query;
}

}  // namespace haul::server
