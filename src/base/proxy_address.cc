#include "base/proxy_address.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <utility>

#include "base/ascii.h"
#include "base/hostname.h"
#include "base/request_value.h"

namespace haul {
namespace {

constexpr std::int64_t kPortMax = 65'535;
constexpr const char* kWanted = "expected a proxy such as http://host:3128 or socks5h://host:1080";

// "host", "host:3128" or "[::1]:3128", with or without a trailing slash.
bool is_host_and_port(std::string_view text) {
  if (text.ends_with('/')) text.remove_suffix(1);
  const std::size_t colon = text.ends_with(']') ? std::string_view::npos : text.rfind(':');
  const std::string_view host = text.substr(0, colon);
  if (!canonical_host(host)) return false;
  if (colon == std::string_view::npos) return true;
  const std::string_view digits = text.substr(colon + 1);
  const auto port = read_whole(digits);
  return port && *port >= 1 && *port <= kPortMax && std::ranges::all_of(digits, is_digit);
}

bool is_control(unsigned char c) { return c < 0x20 || c == 0x7f; }

// The character of an escape that begins at text[0]. 256 if it is none.
unsigned escaped_character(std::string_view text) {
  unsigned value = 256;
  if (text.size() < 3) return 256;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 3, value, 16);
  return error == std::errc{} && end == text.data() + 3 ? value : 256;
}

// The characters between "://" and "@". Empty if there are none.
std::string_view login_in(std::string_view proxy) {
  const std::size_t scheme = proxy.find("://");
  const std::string_view rest = scheme == std::string_view::npos ? proxy : proxy.substr(scheme + 3);
  const std::size_t at = rest.rfind('@');
  return at == std::string_view::npos ? std::string_view{} : rest.substr(0, at);
}

std::string wrong_with_login(std::string_view login) {
  constexpr const char* kEncode = "percent-encode /, ?, #, @ and blanks in the proxy's login";
  constexpr const char* kControl = "the proxy's login must have no control characters";
  for (std::size_t at = 0; at < login.size(); ++at) {
    const auto c = static_cast<unsigned char>(login[at]);
    if (is_control(c)) return kControl;
    if (std::string_view{"/?#@ "}.find(login[at]) != std::string_view::npos) return kEncode;
    if (c != '%') continue;
    const unsigned meant = escaped_character(login.substr(at));
    if (meant > 255) continue;  // libcurl takes it as it is.
    if (is_control(static_cast<unsigned char>(meant))) return kControl;
  }
  return {};
}

struct ProxyVariable {
  std::string name;
  std::string value;
};

// The first of these that is set, or an empty one.
ProxyVariable first_set(const Variables& variables, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (std::string value = variables(name); !value.empty()) return {name, std::move(value)};
  return {};
}

}  // namespace

std::string wrong_with_proxy(std::string_view text) {
  constexpr std::array<std::string_view, 6> kSchemes{"http",    "https",  "socks4",
                                                     "socks4a", "socks5", "socks5h"};
  const std::size_t colon = text.find("://");
  const std::string_view rest = colon == std::string_view::npos ? text : text.substr(colon + 3);
  const bool is_known = colon == std::string_view::npos ||
                        std::ranges::find(kSchemes, lower(text.substr(0, colon))) != kSchemes.end();
  if (!is_known) return kWanted;
  if (std::string wrong = wrong_with_login(login_in(text)); !wrong.empty()) return wrong;
  return is_host_and_port(rest.substr(rest.rfind('@') + 1)) ? "" : kWanted;
}

std::string wrong_with_proxy_variable(UrlScheme scheme, const Variables& variables) {
  // HTTP_PROXY is left out: a CGI program gets it from a request's header.
  const ProxyVariable used =
      scheme == UrlScheme::http
          ? first_set(variables, {"http_proxy", "all_proxy", "ALL_PROXY"})
          : first_set(variables, {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"});
  const std::string wrong = wrong_with_login(login_in(used.value));
  return wrong.empty() ? wrong : fmt::format("{}: {}", used.name, wrong);
}

}  // namespace haul
