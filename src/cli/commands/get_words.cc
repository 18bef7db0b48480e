#include "cli/commands/get_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "base/redact.h"
#include "base/text.h"

namespace haul::cli {
namespace {

struct Option {
  std::string_view field;
  std::string_view flag;
};
constexpr std::array kOptions{
    Option{"filters.exclude_extensions", "--exclude"},
    Option{"filters.only_types", "--only"},
    Option{"filters.min_size", "--min-size"},
    Option{"filters.max_size", "--max-size"},
    Option{"filters.date_from", "--since"},
    Option{"filters.date_to", "--until"},
    Option{"limits.speed_limit", "--speed-limit"},
    Option{"limits.per_host", "--per-host"},
    Option{"limits.delay", "--delay"},
    Option{"limits.retries", "--retries"},
    Option{"ca_file", "--cacert"},
    Option{"category", "--category"},
    Option{"checksums", "--checksum-file"},
    Option{"compressed", "--compressed"},
    Option{"connect_timeout", "--connect-timeout"},
    Option{"insecure", "--insecure"},
    Option{"ip_version", "-4 or -6"},
    Option{"logins", "-u"},
    Option{"max_time", "--max-time"},
    Option{"no_proxy", "--no-proxy"},
    Option{"checksum", "--checksum"},
    Option{"cookies", "--cookies"},
    Option{"discover", "--discover"},
    Option{"engine", "--engine"},
    Option{"existing", "--update, --overwrite, --no-clobber or --keep-both"},
    Option{"folder", "-d"},
    Option{"hash", "--hash"},
    Option{"headers", "--header"},
    Option{"mirrors", "--mirror"},
    Option{"name", "-o"},
    Option{"netrc", "--netrc"},
    Option{"pages_max", "--pages-max"},
    Option{"proxy", "--proxy"},
    Option{"remote_time", "--remote-time"},
    Option{"segments", "--segments"},
    Option{"user_agent", "--user-agent"},
};

constexpr std::size_t kShownMax = 200;  // Bytes of a URL in a message.

// The number in "[3]".
std::optional<std::size_t> position_in(std::string_view text) {
  if (!text.starts_with('[')) return std::nullopt;
  std::size_t position = 0;
  const auto [at, error] = std::from_chars(text.data() + 1, text.data() + text.size(), position);
  const bool is_whole = error == std::errc{} && at != text.data() + text.size() && *at == ']';
  return is_whole ? std::optional{position} : std::nullopt;
}

std::string where_is(const GetBatch& batch, std::size_t position) {
  std::string quoted =
      fmt::format("\"{}\"", printable(redacted(batch.urls[position]).substr(0, kShownMax)));
  const std::size_t line = batch.lines[position];
  if (line == 0) return quoted;
  const std::string file = batch.input == "-" ? "standard input" : batch.input;
  return fmt::format("{}:{}: {}", file, line, quoted);
}

// Replaces fields that the reason names by their options.
std::string with_flags(std::string why) {
  for (const Option& option : kOptions)
    if (const auto at = why.find(option.field);
        at != std::string::npos && option.field.find('.') != std::string_view::npos)
      why.replace(at, option.field.size(), option.flag);
  return why;
}

}  // namespace

bool has_option(std::string_view field) {
  return std::ranges::find(kOptions, field, &Option::field) != kOptions.end();
}

std::string in_words_of_get(const GetBatch& batch, std::string detail) {
  constexpr std::string_view kUrls = "urls";
  std::string_view text = detail;
  if (text.starts_with("request.")) text.remove_prefix(std::string_view{"request."}.size());
  const std::size_t end = text.find(": ");
  if (end == std::string_view::npos) return detail;
  const std::string_view path = text.substr(0, end);
  const std::string why = with_flags(std::string{text.substr(end)});
  const std::string_view field = path.substr(0, std::min(path.find('['), path.size()));
  const auto position = position_in(path.substr(field.size()));
  if (field == kUrls && position && *position < batch.urls.size())
    return where_is(batch, *position) + why;
  const auto option = std::ranges::find(kOptions, field, &Option::field);
  if (option == kOptions.end()) return detail;
  if (position) return fmt::format("{} number {}{}", option->flag, *position + 1, why);
  return std::string{option->flag} + why;
}

}  // namespace haul::cli
