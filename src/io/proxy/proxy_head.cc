#include "io/proxy/proxy_head.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/ascii.h"
#include "io/web/http_date.h"

namespace haul::io {
namespace {

constexpr std::int64_t kWaitMaxMs = 600'000;  // Z-11
constexpr std::string_view kBlankLine = "\r\n\r\n";

// Headers about one connection. The proxy drops them, because each request has a connection of its
// own to the server.
constexpr std::string_view kOfConnection[] = {"connection",          "keep-alive",
                                              "proxy-connection",    "proxy-authenticate",
                                              "proxy-authorization", "upgrade"};

std::unexpected<Fault> bad(std::string detail) {
  return std::unexpected{Fault{FaultKind::rejected, "bad_proxy_request", std::move(detail)}};
}

// The first line without its end, and the other lines with their ends.
struct Head {
  std::string_view first;
  std::string_view others;
};
Head split(std::string_view head) {
  const std::size_t end = head.find("\r\n");
  if (end == std::string_view::npos) return {head, {}};
  return {head.substr(0, end), head.substr(end + 2)};
}

std::string_view name_of(std::string_view line) { return trimmed(line.substr(0, line.find(':'))); }
std::string_view value_of(std::string_view line) {
  const std::size_t colon = line.find(':');
  return colon == std::string_view::npos ? std::string_view{} : trimmed(line.substr(colon + 1));
}

template <class Tell>
void each_line(std::string_view lines, Tell tell) {
  while (!lines.empty()) {
    const std::size_t end = lines.find("\r\n");
    if (end == 0 || end == std::string_view::npos) return;
    tell(lines.substr(0, end));
    lines.remove_prefix(end + 2);
  }
}

std::string without_connection(std::string_view lines) {
  std::string kept;
  each_line(lines, [&](std::string_view line) {
    const std::string name = lower(name_of(line));
    if (std::ranges::find(kOfConnection, name) == std::end(kOfConnection))
      kept += fmt::format("{}\r\n", line);
  });
  return kept + "Connection: close\r\n\r\n";
}

std::string value_named(std::string_view lines, std::string_view name) {
  std::string found;
  each_line(lines, [&](std::string_view line) {
    if (found.empty() && lower(name_of(line)) == name) found = value_of(line);
  });
  return found;
}

// The part after the host, as the program wrote it, because some servers sign it byte by byte.
std::string_view path_of(std::string_view target) {
  const std::size_t host = target.find("://");
  const std::size_t path = target.find_first_of("/?", host + 3);
  return path == std::string_view::npos ? std::string_view{} : target.substr(path);
}

std::int64_t wait_asked(std::string_view lines, Time now) {
  const std::string text = value_named(lines, "retry-after");
  std::int64_t seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, seconds);
  if (!text.empty() && at == end) {
    if (error == std::errc::result_out_of_range) return text.front() == '-' ? 0 : kWaitMaxMs;
    return std::clamp<std::int64_t>(seconds, 0, kWaitMaxMs / 1'000) * 1'000;
  }
  const auto date = read_http_date(text);
  return date ? std::clamp<std::int64_t>((*date - now).count(), 0, kWaitMaxMs) : 0;
}

}  // namespace

std::uint16_t ProxyRequest::port() const {
  if (url.port.empty()) return url.scheme == "https" ? 443 : 80;
  return static_cast<std::uint16_t>(std::atoi(url.port.c_str()));
}

std::optional<std::size_t> head_end(std::string_view bytes) {
  const std::size_t at = bytes.find(kBlankLine);
  if (at == std::string_view::npos) return std::nullopt;
  return at + kBlankLine.size();
}

Result<ProxyRequest> read_proxy_request(std::string_view head, std::string_view login) {
  const auto [first, others] = split(head);
  const std::size_t one = first.find(' ');
  const std::size_t two = first.find(' ', one + 1);
  if (one == std::string_view::npos || two == std::string_view::npos) return bad("no request");
  const std::string_view method = first.substr(0, one);
  const std::string_view target = first.substr(one + 1, two - one - 1);
  ProxyRequest request;
  request.known = value_named(others, "proxy-authorization") == login;
  const bool tunnel = method == "CONNECT";
  auto url = parse_url(tunnel ? fmt::format("https://{}/", target) : std::string{target});
  if (!url) return std::unexpected{url.error()};
  if (!tunnel && url->scheme != "http") return bad("https comes through a tunnel");
  request.url = *std::move(url);
  if (tunnel) {
    request.kind = ProxyRequest::Kind::tunnel;
    return request;
  }
  const std::string_view path = path_of(target);
  request.head = fmt::format("{} {}{} HTTP/1.1\r\n{}", method, path.starts_with('/') ? "" : "/",
                             path, without_connection(others));
  return request;
}

std::optional<ProxyAnswer> read_proxy_answer(std::string_view head, Time now) {
  const auto [first, others] = split(head);
  ProxyAnswer answer;
  if (!first.starts_with("HTTP/1.") || first.size() < 12) return std::nullopt;
  const std::string_view digits = first.substr(9, 3);
  if (std::from_chars(digits.data(), digits.data() + 3, answer.status).ptr != digits.data() + 3)
    return std::nullopt;
  answer.is_final = answer.status >= 200 || answer.status == 101;
  answer.head = answer.is_final ? fmt::format("{}\r\n{}", first, without_connection(others))
                                : std::string{head};
  if (answer.status == 429 || answer.status == 503) answer.wait_ms = wait_asked(others, now);
  return answer;
}

std::string basic_login(std::string_view user_and_password) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < user_and_password.size(); i += 3) {
    const std::string_view three = user_and_password.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8U | (j < three.size() ? static_cast<unsigned char>(three[j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += j <= three.size() ? kDigits[bits >> (18U - 6U * j) & 0x3fU] : '=';
  }
  return "Basic " + text;
}

}  // namespace haul::io
