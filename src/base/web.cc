#include "base/web.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/utf8.h"

namespace haul {
namespace {

constexpr std::size_t kSegmentsMax = 16;
constexpr std::size_t kQueryMax = 32;

std::unexpected<Fault> bad(std::string detail) {
  return std::unexpected{Fault{FaultKind::rejected, "bad_target", std::move(detail)}};
}

std::optional<int> digit_of(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

enum class Plus : std::uint8_t { plus, blank };

std::optional<std::string> decoded(std::string_view text, Plus plus) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus == Plus::blank) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      const auto high = i + 2 < text.size() ? digit_of(text[i + 1]) : std::nullopt;
      const auto low = i + 2 < text.size() ? digit_of(text[i + 2]) : std::nullopt;
      if (!high || !low) return std::nullopt;
      out += static_cast<char>(*high * 16 + *low);
      i += 2;
    }
  }
  return out;
}

bool is_clean(std::string_view text) {
  if (!is_utf8(text)) return false;
  return std::ranges::none_of(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
}

Result<std::vector<std::string>> read_path(std::string_view path) {
  std::vector<std::string> segments;
  while (!path.empty()) {
    path.remove_prefix(1);  // The slash before the segment.
    const std::string_view written = path.substr(0, path.find('/'));
    path.remove_prefix(written.size());
    if (written.empty() && path.empty()) break;  // The path ends in a slash.
    const auto segment = decoded(written, Plus::plus);
    if (!segment || !is_clean(*segment)) return bad("a path that cannot be decoded");
    if (segment->empty() || *segment == "." || *segment == ".." ||
        segment->find_first_of("/\\") != std::string::npos)
      return bad("a path with empty or dot segments, or slashes inside");
    segments.push_back(*segment);
    if (segments.size() > kSegmentsMax) return bad("a path too deep");
  }
  return segments;
}

Result<WebFields> read_query(std::string_view query) {
  WebFields fields;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const auto name = decoded(pair.substr(0, equals), Plus::blank);
    const auto value = decoded(pair.substr(std::min(equals + 1, pair.size())), Plus::blank);
    if (!name || !value || !is_clean(*name) || !is_clean(*value))
      return bad("a query that cannot be decoded");
    fields.emplace_back(*name, *value);
    if (fields.size() > kQueryMax) return bad("too many fields in the query");
  }
  return fields;
}

std::string_view first_of(const WebFields& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &WebFields::value_type::first);
  return found == fields.end() ? std::string_view{} : std::string_view{found->second};
}

}  // namespace

Result<WebTarget> parse_target(std::string_view text) {
  if (!text.starts_with('/')) return bad("a target begins with a slash");
  if (text.find('#') != std::string_view::npos) return bad("a target has no fragment");
  const std::size_t mark = std::min(text.find('?'), text.size());
  auto segments = read_path(text.substr(0, mark));
  if (!segments) return std::unexpected{segments.error()};
  auto query = read_query(text.substr(std::min(mark + 1, text.size())));
  if (!query) return std::unexpected{query.error()};
  return WebTarget{*std::move(segments), *std::move(query)};
}

std::string_view WebRequest::header(std::string_view name) const { return first_of(headers, name); }

std::string_view WebRequest::query(std::string_view name) const {
  return first_of(target.query, name);
}

std::optional<std::int64_t> WebReply::body_length() const {
  return stream ? length : std::optional{std::ssize(body)};
}

std::string_view reason_phrase(int status) {
  // clang-format off
  switch (status) {
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 302: return "Found";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 416: return "Range Not Satisfiable";
    case 421: return "Misdirected Request";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 507: return "Insufficient Storage";
    default:  return "Unknown";
  }
  // clang-format on
}

}  // namespace haul
