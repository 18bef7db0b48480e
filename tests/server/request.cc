#include "server/request.h"

#include <charconv>

namespace haul::server {
namespace {

std::string lower(std::string_view text) {
  std::string out{text};
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

// Removes and returns the text up to the mark. Removes the mark too.
std::string_view take(std::string_view& text, std::string_view mark) {
  const std::size_t end = text.find(mark);
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + mark.size());
  return taken;
}

}  // namespace

std::string_view Request::header(std::string_view name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string_view{} : found->second;
}

bool Request::wants_close() const {
  // The server does not read bodies: the next request would start with one, so it closes instead.
  const bool has_body = headers.contains("content-length") || headers.contains("transfer-encoding");
  return has_body || lower(header("connection")) == "close";
}

std::optional<Request> read_request(std::string_view head) {
  std::string_view line = take(head, "\r\n");
  Request request;
  request.method = take(line, " ");
  std::string_view target = take(line, " ");
  if (request.method.empty() || !target.starts_with('/') || !line.starts_with("HTTP/1."))
    return std::nullopt;
  request.path = take(target, "?");
  request.query = target;
  while (!head.empty()) {
    std::string_view field = take(head, "\r\n");
    const std::string name = lower(take(field, ":"));
    const auto [at, is_first] = request.headers.emplace(name, trimmed(field));
    if (!is_first) at->second.append(", ").append(trimmed(field));
  }
  return request;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    unsigned int code = 0;
    const std::string_view digits = text.substr(1, 2);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (text[0] == '%' && digits.size() == 2 && read.ptr == digits.data() + 2) {
      out += static_cast<char>(code);
      text.remove_prefix(3);
    } else {
      out += text[0];
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace haul::server
