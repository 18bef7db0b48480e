#include "store/search.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/ascii.h"
#include "base/json.h"
#include "base/redact.h"

namespace haul {
namespace {

constexpr std::array<std::string_view, 10> kFields{"book_id",      "file_id",    "name",  "prompt",
                                                   "release_name", "source_url", "title", "uri",
                                                   "url",          "urls"};

// The position after the closing quote of the string that begins at `at`.
std::size_t end_of_string(std::string_view json, std::size_t at) {
  for (std::size_t quote = json.find('"', at + 1); quote != std::string_view::npos;
       quote = json.find('"', quote + 1)) {
    std::size_t backslashes = 0;
    while (json[quote - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return quote + 1;
  }
  return json.size();
}

std::size_t end_of_nested(std::string_view json, std::size_t at) {
  for (int depth = 0; at < json.size();) {
    const char c = json[at];
    at = c == '"' ? end_of_string(json, at) : at + 1;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at;
    at = std::min(json.find_first_of("\"{}[]", at), json.size());
  }
  return json.size();
}

std::size_t end_of_value(std::string_view json, std::size_t at) {
  if (at >= json.size()) return json.size();
  if (json[at] == '"') return end_of_string(json, at);
  if (json[at] == '{' || json[at] == '[') return end_of_nested(json, at);
  return std::min(json.find_first_of(",}]", at), json.size());
}

}  // namespace

Needle::Needle(std::string_view text) : lowered_{lower(text)} {}

std::optional<JobId> Needle::id() const {
  if (!std::ranges::all_of(lowered_, is_digit)) return std::nullopt;
  JobId id;
  const char* end = lowered_.data() + lowered_.size();
  const auto read = std::from_chars(lowered_.data(), end, id.value);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return id;
}

bool Needle::is_in(std::string_view request) const {
  if (lowered_.size() > kSearchMax) return false;
  std::size_t at = 1;  // After the brace.
  while (at < request.size() && request[at] == '"') {
    const std::size_t colon = end_of_string(request, at);
    const std::string_view name = request.substr(at + 1, colon - at - 2);
    const std::size_t end = end_of_value(request, colon + 1);
    if (std::ranges::find(kFields, name) != kFields.end() &&
        is_in_value(request.substr(std::min(colon + 1, end), end - std::min(colon + 1, end))))
      return true;
    at = end + 1;  // After the comma.
  }
  return false;
}

// Searches a string, or each string of an array.
bool Needle::is_in_value(std::string_view json) const {
  if (json.starts_with('"')) return is_in_string(json);
  for (std::size_t at = 1; json.starts_with('[') && at < json.size();) {
    const std::size_t end = end_of_value(json, at);
    if (json[at] == '"' && is_in_string(json.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

bool Needle::is_in_string(std::string_view json) const {
  if (json.find('\\') == std::string_view::npos) {
    const std::string_view text = json.substr(1, json.size() - 2);
    return is_in_text(text) && is_in_text(redacted(text));
  }
  const auto read = read_array("[" + std::string{json} + "]");
  return read && is_in_text(read->front()) && is_in_text(redacted(read->front()));
}

bool Needle::is_in_text(std::string_view text) const {
  const auto same = [](char c, char lowered) { return lower(c) == lowered; };
  return !std::ranges::search(text, lowered_, same).empty() || lowered_.empty();
}

}  // namespace haul
