#include "io/web/http_head.h"

#include <algorithm>

#include "base/ascii.h"

namespace haul::io {
namespace {

constexpr std::size_t kTargetMax = 8'192;
constexpr std::size_t kHeadersMax = 100;

using Lines = std::string_view;

std::optional<HeadRefusal> refuse(std::string_view detail) { return HeadRefusal{400, detail}; }

bool is_unfit(char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f'; }

// Takes the next line, without its end. Only CR LF ends a line.
std::optional<std::string_view> take_line(Lines& lines) {
  const std::size_t end = lines.find("\r\n");
  if (end == Lines::npos) return std::nullopt;
  const std::string_view line = lines.substr(0, end);
  lines.remove_prefix(end + 2);
  return line;
}

std::optional<HeadRefusal> check_request_line(std::string_view line) {
  if (std::ranges::count(line, ' ') != 2)
    return refuse("malformed request line (expected METHOD TARGET VERSION)");
  const std::string_view target =
      line.substr(line.find(' ') + 1, line.rfind(' ') - line.find(' ') - 1);
  if (target.size() > kTargetMax) return HeadRefusal{414, "the target is over 8 KiB"};
  const std::string_view version = line.substr(line.rfind(' ') + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0")
    return refuse("unsupported HTTP version (expected 1.0 or 1.1)");
  return std::nullopt;
}

// Counts of headers: one Host is required, a length or a transfer encoding may come once.
struct HeaderCounts {
  int hosts = 0;
  int lengths = 0;
  int codings = 0;
  std::size_t all = 0;
};

std::optional<HeadRefusal> check_field(std::string_view line, HeaderCounts& counts) {
  if (line.starts_with(' ') || line.starts_with('\t'))
    return refuse("a header must not continue on the next line");
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return refuse("a header without a name");
  const std::string name = lower(line.substr(0, colon));
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (name == "host") ++counts.hosts;
  if (name == "content-length") ++counts.lengths;
  if (name == "transfer-encoding") {
    ++counts.codings;
    if (lower(value) != "chunked")
      return HeadRefusal{501, "unknown transfer encoding (expected chunked)"};
  }
  if (++counts.all > kHeadersMax) return HeadRefusal{431, "too many headers"};
  return std::nullopt;
}

}  // namespace

std::optional<HeadRefusal> check_head(std::string_view raw) {
  std::string_view lines = raw;
  const auto request = take_line(lines);
  if (!request) return refuse("no request line");
  if (std::ranges::any_of(*request, is_unfit))
    return refuse("the head contains a control character");
  if (auto refusal = check_request_line(*request)) return refusal;
  HeaderCounts counts;
  for (auto line = take_line(lines); line && !line->empty(); line = take_line(lines)) {
    if (std::ranges::any_of(*line, is_unfit))
      return refuse("the head contains a control character");
    if (auto refusal = check_field(*line, counts)) return refusal;
  }
  if (counts.hosts != 1) return refuse("expected exactly one Host header");
  if (counts.lengths > 1 || counts.codings > 1 || counts.lengths + counts.codings > 1)
    return refuse("expected at most one Content-Length or Transfer-Encoding");
  return std::nullopt;
}

}  // namespace haul::io
