#include "base/hostname.h"

#include <arpa/inet.h>
#include <idn2.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>

#include "base/ascii.h"
#include "base/utf8.h"

namespace haul {
namespace {

constexpr std::size_t kNameMax = 253;
constexpr std::size_t kLabelMax = 63;

std::optional<std::string> ipv6(std::string_view inner) {
  in6_addr address{};
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (inet_pton(AF_INET6, std::string{inner}.c_str(), &address) != 1) return std::nullopt;
  if (inet_ntop(AF_INET6, &address, text.data(), text.size()) == nullptr) return std::nullopt;
  return "[" + std::string{text.data()} + "]";
}

// True for four numbers as inet_ntop writes them, the form of most IPv4 addresses.
bool is_dotted(std::string_view host) {
  for (int i = 0; i < 4; ++i) {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(host.data(), host.data() + host.size(), number);
    const auto digits = static_cast<std::size_t>(end - host.data());
    if (error != std::errc{} || number > 255 || (digits > 1 && host.front() == '0')) return false;
    host.remove_prefix(digits);
    if (i < 3 && !host.starts_with('.')) return false;
    if (i < 3) host.remove_prefix(1);
  }
  return host.empty();
}

// The resolver reads 2130706433, 0x7f.1 and 0177.0.0.1 as 127.0.0.1, so haul converts them first.
std::optional<std::string> ipv4(const std::string& host) {
  in_addr address{};
  std::array<char, INET_ADDRSTRLEN> text{};
  if (inet_aton(host.c_str(), &address) == 0) return std::nullopt;
  if (inet_ntop(AF_INET, &address, text.data(), text.size()) == nullptr) return std::nullopt;
  return text.data();
}

bool ends_in_number(std::string_view host) {
  const std::string_view last = host.substr(host.rfind('.') + 1);
  return std::ranges::all_of(last, is_digit) || last.starts_with("0x");
}

bool is_label(std::string_view label) {
  const auto legal = [](char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '_'; };
  if (label.empty() || label.size() > kLabelMax || label.starts_with('-')) return false;
  return std::ranges::all_of(label, legal);
}

bool is_name(std::string_view host) {
  if (host.size() > kNameMax) return false;
  for (std::size_t dot = host.find('.'); dot != std::string_view::npos; dot = host.find('.')) {
    if (!is_label(host.substr(0, dot))) return false;
    host.remove_prefix(dot + 1);
  }
  return is_label(host);
}

// libcurl would convert the name by the locale of the process, so haul hands it ASCII only.
std::optional<std::string> to_ascii(std::string_view host) {
  if (!is_utf8(host) || host.size() > kNameMax * 4) return std::nullopt;
  char* made = nullptr;
  // Not IDN2_USE_STD3_ASCII_RULES: it drops forbidden characters, and is_name refuses them instead.
  const int flags = IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL;
  if (idn2_to_ascii_8z(std::string{host}.c_str(), &made, flags) != IDN2_OK) return std::nullopt;
  const std::unique_ptr<char, decltype(&idn2_free)> owned{made, &idn2_free};
  std::string name = lower(made);
  // IDNA turns circled digits and the like into plain ones. Only an attacker disguises a host so.
  if (!name.starts_with("xn--") && name.find(".xn--") == std::string::npos) return std::nullopt;
  return name;
}

}  // namespace

std::optional<std::string> canonical_host(std::string_view host) {
  if (host.find('\0') != std::string_view::npos) return std::nullopt;
  if (host.starts_with('[') && host.ends_with(']')) return ipv6(host.substr(1, host.size() - 2));
  std::optional<std::string> name = lower(host);
  if (!std::ranges::all_of(host, is_ascii)) name = to_ascii(host);
  if (name && name->ends_with('.')) name->pop_back();
  if (!name || !is_name(*name)) return std::nullopt;
  return ends_in_number(*name) && !is_dotted(*name) ? ipv4(*name) : name;
}

}  // namespace haul
