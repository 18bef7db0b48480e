#include "api/request_checks.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace haul::api {
namespace {

constexpr std::size_t kCorrelationMax = 64;

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 && std::ranges::all_of(text, is_digit);
}

// The part before the port of "name", "name:port" or "[address]:port". Nullopt if malformed.
std::optional<std::string_view> without_port(std::string_view host) {
  const std::size_t end = host.starts_with('[') ? host.find(']') : 0;
  if (end == std::string_view::npos) return std::nullopt;
  const std::size_t colon = host.find(':', end);
  const std::string_view name = host.substr(0, colon);
  if (host.starts_with('[') && name.size() != end + 1) return std::nullopt;
  if (colon != std::string_view::npos && !is_port(host.substr(colon + 1))) return std::nullopt;
  return name;
}

bool is_address(std::string_view host) {
  std::array<unsigned char, 16> parsed{};
  if (host.starts_with('[') && host.ends_with(']'))
    return ::inet_pton(AF_INET6, std::string{host.substr(1, host.size() - 2)}.c_str(),
                       parsed.data()) == 1;
  return ::inet_pton(AF_INET, std::string{host}.c_str(), parsed.data()) == 1;
}

}  // namespace

bool is_our_host(std::string_view host, std::span<const std::string> allowed) {
  const auto written = without_port(host);
  if (!written) return false;
  const std::string name = lower(*written);
  if (name == "localhost" || is_address(name)) return true;
  return std::ranges::any_of(allowed, [&](const std::string& each) { return lower(each) == name; });
}

bool is_same_site(const WebRequest& request) {
  const std::string_view site = request.header("sec-fetch-site");
  if (!site.empty() && site != "same-origin" && site != "none") return false;
  const std::string_view origin = request.header("origin");
  if (origin.empty()) return true;
  const std::string host = lower(request.header("host"));
  return lower(origin) == "http://" + host || lower(origin) == "https://" + host;
}

bool is_harmless(std::string_view method) { return method == "GET" || method == "HEAD"; }

bool may_use_cookie(const WebRequest& request) {
  if (!is_same_site(request)) return false;
  return is_harmless(request.method) || !request.header("x-haul").empty();
}

std::string correlation_of(const WebRequest& request, std::string made) {
  const std::string_view given = request.header("x-correlation-id");
  const auto fit = [](char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '_'; };
  if (given.empty() || given.size() > kCorrelationMax || !std::ranges::all_of(given, fit))
    return made;
  return std::string{given};
}

std::string_view cookie_of(const WebRequest& request, std::string_view name) {
  std::string_view cookies = request.header("cookie");
  while (!cookies.empty()) {
    const std::string_view pair = trimmed(cookies.substr(0, cookies.find(';')));
    cookies.remove_prefix(std::min(cookies.find(';'), cookies.size() - 1) + 1);
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('='))
      return pair.substr(name.size() + 1);
  }
  return {};
}

std::optional<std::string_view> key_of(const WebRequest& request) {
  if (const std::string_view key = request.header("x-api-key"); !key.empty()) return key;
  const std::string_view given = request.header("authorization");
  constexpr std::string_view kBearer = "bearer ";
  if (!lower(given.substr(0, kBearer.size())).starts_with(kBearer)) return std::nullopt;
  return trimmed(given.substr(kBearer.size()));
}

bool has_key_in_query(const WebRequest& request) {
  constexpr std::array<std::string_view, 5> kNames{"key", "api_key", "apikey", "token",
                                                   "access_token"};
  return std::ranges::any_of(request.target.query, [&](const auto& field) {
    return std::ranges::find(kNames, lower(field.first)) != kNames.end();
  });
}

bool is_json(std::string_view content_type) {
  return lower(trimmed(content_type.substr(0, content_type.find(';')))) == "application/json";
}

}  // namespace haul::api
