#include "server/representation.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <optional>

#include "server/content.h"

namespace haul::server {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kSizeOtherwise = 1024;
constexpr WallTime kPast{std::chrono::sys_days{std::chrono::year{2024} / 1 / 1}};

struct Wanted {
  std::uint64_t first = 0;
  std::uint64_t size = 0;  // 0: the range is outside the file.
};

// One range of bytes. Empty if there is none, or none that this server understands.
std::optional<Wanted> wanted(std::string_view range, std::uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  if (!range.starts_with(kUnit)) return std::nullopt;
  range.remove_prefix(kUnit.size());
  const std::size_t dash = range.find('-');
  if (dash == std::string_view::npos || range == "-") return std::nullopt;
  try {
    const std::string_view last = range.substr(dash + 1);
    if (dash == 0) {
      const std::uint64_t tail = std::min(read_number("range", last), size);
      return Wanted{size - tail, tail};
    }
    const std::uint64_t first = read_number("range", range.substr(0, dash));
    const std::uint64_t end = last.empty() ? UINT64_MAX : read_number("range", last);
    if (end < first) return std::nullopt;
    if (first >= size) return Wanted{};
    return Wanted{first, std::min(end, size - 1) - first + 1};
  } catch (const BadSwitch&) {
    return std::nullopt;
  }
}

// RFC 9110, 13.1.5: a strong tag or the exact date matches; anything else means "changed".
bool unchanged(std::string_view if_range, const Representation& of) {
  if (if_range.empty()) return true;
  if (if_range.starts_with("W/")) return false;
  if (if_range.starts_with('"')) return if_range == of.etag;
  return if_range == of.last_modified;
}

std::string content_range(const Switches& switches, const Wanted& part, std::uint64_t total) {
  const std::string how = switches.word(
      "content_range", {"right", "wrong_start", "wrong_total", "inverted", "missing"});
  const std::uint64_t last = part.first + part.size - 1;
  if (how == "wrong_start") return fmt::format("bytes {}-{}/{}", part.first + 1, last, total);
  if (how == "wrong_total") return fmt::format("bytes {}-{}/{}", part.first, last, total + 1);
  if (how == "inverted") return fmt::format("bytes {}-{}/{}", last + 2, last, total);
  if (how == "missing") return {};
  return fmt::format("bytes {}-{}/{}", part.first, last, total);
}

std::string last_modified(const Switches& switches, bool has_changed, std::uint64_t before,
                          WallTime now) {
  const std::string when =
      switches.word("last_modified", {"past", "now", "future", "epoch", "none", "each"});
  if (when == "each") return http_date(kPast + std::chrono::seconds{before});
  if (when == "none") return {};
  if (when == "now") return http_date(now);
  if (when == "future") return http_date(now + 24h);
  if (when == "epoch") return http_date(WallTime{});
  return http_date(has_changed ? kPast + 24h : kPast);
}

}  // namespace

std::string http_date(WallTime at) {
  const std::time_t seconds = at.time_since_epoch().count();
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 64> text{};
  const std::size_t size =
      std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return {text.data(), size};
}

Representation representation(const Switches& switches, std::string_view name, std::uint64_t before,
                              WallTime now) {
  const auto change_after = switches.number("etag_change_after");
  const bool has_changed = change_after && before >= *change_after;
  Representation file;
  file.seed = switches.number("seed", seed_of(name)) + (has_changed ? 1 : 0);
  file.size = switches.number("size", kSizeOtherwise);
  file.last_modified = last_modified(switches, has_changed, before, now);
  const std::string etag = switches.text("etag", "strong");
  if (etag == "strong" || etag == "weak")
    file.etag = fmt::format("{}\"{:x}\"", etag == "weak" ? "W/" : "", file.seed);
  else if (etag == "each")
    file.etag = fmt::format("\"each-{}\"", before);
  else if (etag != "none")
    file.etag = etag;
  return file;
}

Selection select(const Request& request, const Switches& switches, const Representation& of) {
  const Selection whole{.size = of.size};
  if (switches.word("ranges", {"yes", "ignore", "none"}) != "yes") return whole;
  const auto part = wanted(request.header("range"), of.size);
  if (!part) return whole;
  if (!unchanged(request.header("if-range"), of) && !switches.number("ignore_if_range", 0))
    return whole;
  if (part->size == 0) return {.status = 416, .content_range = fmt::format("bytes */{}", of.size)};
  return {206, part->first, part->size, content_range(switches, *part, of.size)};
}

}  // namespace haul::server
