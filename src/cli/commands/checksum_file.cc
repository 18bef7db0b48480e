// Reads files such as SHA256SUMS.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "base/ascii.h"
#include "base/request_value.h"
#include "cli/commands/get_more.h"

namespace haul::cli {
namespace {

constexpr std::size_t kLinesMax = 100'000;

struct Length {
  std::size_t digits;
  std::string_view algorithm;
};
constexpr std::array kLengths{Length{64, "sha256"}, Length{128, "sha512"}, Length{40, "sha1"},
                              Length{32, "md5"}};

std::string base_name(std::string_view path) {
  return std::string{path.substr(path.rfind('/') + 1)};
}

// "9f86…  name" or "9f86… *name".
std::optional<std::string> read_gnu(std::string_view line) {
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos || blank + 2 >= line.size()) return std::nullopt;
  const char mark = line[blank + 1];
  const auto length = std::ranges::find(kLengths, blank, &Length::digits);
  if ((mark != ' ' && mark != '*') || length == kLengths.end()) return std::nullopt;
  return fmt::format("{}:{} {}", length->algorithm, line.substr(0, blank),
                     base_name(line.substr(blank + 2)));
}

// "SHA256 (name) = 9f86…".
std::optional<std::string> read_bsd(std::string_view line) {
  const std::size_t open = line.find(" (");
  const std::size_t close = line.rfind(") = ");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open + 2)
    return std::nullopt;
  return fmt::format("{}:{} {}", lower(line.substr(0, open)), line.substr(close + 4),
                     base_name(line.substr(open + 2, close - open - 2)));
}

}  // namespace

Result<std::vector<std::string>> read_checksum_file(const std::filesystem::path& path) {
  const auto refuse = [&path](std::string_view why) {
    return std::unexpected{Fault{FaultKind::rejected, "bad_usage",
                                 fmt::format("--checksum-file: {}{}", path.string(), why)}};
  };
  std::ifstream file{path};
  if (!file) return refuse(": cannot be read");
  std::vector<std::string> sums;
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::string_view text = trimmed(line);
    if (text.empty() || text.starts_with('#')) continue;
    auto sum = read_gnu(text);
    if (!sum) sum = read_bsd(text);
    if (!sum || !read_named_checksum(*sum))
      return refuse(fmt::format(
          ":{}: expected a checksum and a file name, as sha256sum prints them", number));
    if (sums.size() == kLinesMax) return refuse(fmt::format(": more than {} lines", kLinesMax));
    sums.push_back(*std::move(sum));
  }
  if (sums.empty()) return refuse(": has no checksum");
  return sums;
}

}  // namespace haul::cli
