#include "io/web/forwarded.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>

#include "base/ascii.h"

namespace haul::io {
namespace {

std::optional<sockaddr_storage> read_address(const std::string& text) {
  sockaddr_storage storage{};
  auto* four = reinterpret_cast<sockaddr_in*>(&storage);
  auto* six = reinterpret_cast<sockaddr_in6*>(&storage);
  if (::inet_pton(AF_INET, text.c_str(), &four->sin_addr) == 1)
    four->sin_family = AF_INET;
  else if (::inet_pton(AF_INET6, text.c_str(), &six->sin6_addr) == 1)
    six->sin6_family = AF_INET6;
  else
    return std::nullopt;
  return storage;
}

// One spelling per address, so that limits per address count it once.
std::optional<std::string> canonical(const std::string& text) {
  const auto address = read_address(text);
  if (!address) return std::nullopt;
  std::array<char, INET6_ADDRSTRLEN> out{};
  const void* from =
      address->ss_family == AF_INET
          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(&*address)->sin_addr)
          : &reinterpret_cast<const sockaddr_in6*>(&*address)->sin6_addr;
  if (!::inet_ntop(address->ss_family, from, out.data(), out.size())) return std::nullopt;
  return std::string{out.data()};
}

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 && std::ranges::all_of(text, is_digit);
}

// "192.0.2.1", "192.0.2.1:80", "2001:db8::1" or "[2001:db8::1]:80".
std::optional<std::string> address_in(std::string_view node) {
  node = trimmed(node);
  if (node.starts_with('[')) {
    const std::size_t end = node.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view rest = node.substr(end + 1);
    if (!rest.empty() && (!rest.starts_with(':') || !is_port(rest.substr(1)))) return std::nullopt;
    return canonical(std::string{node.substr(1, end - 1)});
  }
  if (std::ranges::count(node, ':') == 1) {
    if (!is_port(node.substr(node.find(':') + 1))) return std::nullopt;
    node = node.substr(0, node.find(':'));
  }
  return canonical(std::string{node});
}

// The node of for=… in one element of Forwarded. Empty if it has none.
std::string_view node_of(std::string_view element) {
  while (!element.empty()) {
    const std::string_view pair = trimmed(element.substr(0, element.find(';')));
    element.remove_prefix(std::min(element.find(';'), element.size() - 1) + 1);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (lower(trimmed(pair.substr(0, equals))) != "for") continue;
    std::string_view node = trimmed(pair.substr(std::min(equals + 1, pair.size())));
    if (node.size() >= 2 && node.starts_with('"') && node.ends_with('"'))
      node = node.substr(1, node.size() - 2);
    return node;
  }
  return {};
}

using Nodes = std::vector<std::string>;

// All elements of all headers of this name, in order.
Nodes nodes_of(const WebFields& headers, std::string_view name) {
  Nodes nodes;
  for (const auto& [each, value] : headers) {
    if (each != name) continue;
    for (std::string_view rest = value;;) {
      const std::string_view element = rest.substr(0, rest.find(','));
      nodes.emplace_back(name == "forwarded" ? node_of(element) : element);
      if (element.size() == rest.size()) break;
      rest.remove_prefix(element.size() + 1);
    }
  }
  return nodes;
}

std::string last_untrusted(std::string at, const Nodes& nodes, std::span<const Network> proxies) {
  for (const std::string& node : std::views::reverse(nodes)) {
    if (!is_trusted(at, proxies)) break;
    const auto address = address_in(node);
    if (!address) break;
    at = *address;
  }
  return at;
}

}  // namespace

bool is_trusted(const std::string& address, std::span<const Network> proxies) {
  if (proxies.empty()) return false;
  const auto read = read_address(address);
  return read && std::ranges::any_of(proxies, [&](const Network& network) {
           return network.contains(reinterpret_cast<const sockaddr&>(*read));
         });
}

std::string forwarded_address(const std::string& peer, const WebFields& headers,
                              std::span<const Network> proxies) {
  if (!is_trusted(peer, proxies)) return peer;
  const Nodes by_x = nodes_of(headers, "x-forwarded-for");
  const Nodes by_standard = nodes_of(headers, "forwarded");
  const std::string from_x = last_untrusted(peer, by_x, proxies);
  const std::string from_standard = last_untrusted(peer, by_standard, proxies);
  if (!by_x.empty() && !by_standard.empty() && from_x != from_standard) return peer;
  return by_x.empty() ? from_standard : from_x;
}

}  // namespace haul::io
