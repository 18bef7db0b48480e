#include "io/web/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>

namespace haul::io {
namespace {

using Bytes = std::array<std::uint8_t, 16>;

constexpr Bytes kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};  // ::ffff:0:0/96
constexpr Bytes kTranslated = {0, 0x64, 0xff, 0x9b};                   // 64:ff9b::/96
constexpr int kPrefixBits = 96;

// A block of addresses. The first 32 bits tell all blocks below apart.
struct Block {
  std::uint32_t start;
  int bits;
};
constexpr std::uint32_t v4(unsigned a, unsigned b = 0, unsigned c = 0) {
  return a << 24U | b << 16U | c << 8U;
}
// clang-format off
constexpr Block kReserved4[] = {
    {v4(0),           8},   // this network
    {v4(10),          8},   // private
    {v4(100, 64),     10},  // carrier-grade NAT
    {v4(127),         8},   // loopback
    {v4(169, 254),    16},  // link-local, cloud metadata services
    {v4(172, 16),     12},  // private
    {v4(192, 0, 0),   24},  // protocol assignments
    {v4(192, 0, 2),   24},  // documentation
    {v4(192, 88, 99), 24},  // 6to4 relays
    {v4(192, 168),    16},  // private
    {v4(198, 18),     15},  // benchmarks
    {v4(198, 51, 100), 24}, // documentation
    {v4(203, 0, 113), 24},  // documentation
    {v4(224),         4},   // multicast
    {v4(240),         4},   // reserved, broadcast
};
// Public addresses lie in 2000::/3 only; ::1, fc00::/7, fe80::/10 and ff00::/8 lie outside it.
constexpr Block kGlobal6 = {0x2000'0000, 3};
constexpr Block kReserved6[] = {
    {0x2001'0000, 23},  // protocol assignments, Teredo
    {0x2001'0db8, 32},  // documentation
    {0x3fff'0000, 20},  // documentation
};
constexpr Block kSixToFour = {0x2002'0000, 16};
// clang-format on

bool is_in(std::uint32_t start, const Block& block) {
  return (start ^ block.start) >> static_cast<unsigned>(32 - block.bits) == 0;
}

std::uint32_t word(const Bytes& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = at; i < at + 4; ++i) value = value << 8U | bytes[i];
  return value;
}

bool same_start(const Bytes& a, const Bytes& b, int bits) {
  const auto whole = static_cast<std::size_t>(bits / 8);
  if (!std::equal(a.begin(), a.begin() + bits / 8, b.begin())) return false;
  const auto left = static_cast<unsigned>(bits % 8);
  return left == 0 || static_cast<unsigned>(a[whole] ^ b[whole]) >> (8U - left) == 0;
}

bool is_public4(std::uint32_t address) {
  return std::ranges::none_of(kReserved4, [&](const Block& b) { return is_in(address, b); });
}

// The address as IPv6, with IPv4 in its mapped form. Empty for any other family.
std::optional<Bytes> bytes_of(const sockaddr& address) {
  Bytes bytes{};
  if (address.sa_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &address, sizeof in);
    bytes = kMapped;
    std::memcpy(bytes.data() + 12, &in.sin_addr, 4);
    return bytes;
  }
  if (address.sa_family != AF_INET6) return std::nullopt;
  sockaddr_in6 in{};
  std::memcpy(&in, &address, sizeof in);
  std::memcpy(bytes.data(), &in.sin6_addr, bytes.size());
  return bytes;
}

std::unexpected<Fault> bad(std::string detail) {
  return std::unexpected{Fault{FaultKind::rejected, "bad_network", std::move(detail)}};
}

}  // namespace

Result<Network> Network::parse(std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const std::string address{text.substr(0, slash)};
  Network network;
  int skipped = 0;  // Bits before the IPv4 address in its mapped form.
  in_addr four{};
  if (inet_pton(AF_INET, address.c_str(), &four) == 1) {
    skipped = kPrefixBits;
    network.bytes_ = kMapped;
    std::memcpy(network.bytes_.data() + 12, &four, 4);
  } else if (inet_pton(AF_INET6, address.c_str(), network.bytes_.data()) != 1) {
    return bad("neither an IPv4 nor an IPv6 address");
  }

  int bits = 128 - skipped;
  if (slash < text.size()) {
    const char* const end = text.data() + text.size();
    int wanted = -1;
    const auto [at, error] = std::from_chars(text.data() + slash + 1, end, wanted);
    if (error != std::errc{} || at != end || wanted < 0 || wanted > bits)
      return bad("the length after / is not one");
    bits = wanted;
  }
  network.bits_ = skipped + bits;

  for (int bit = network.bits_; bit < 128; ++bit)
    if ((network.bytes_[static_cast<std::size_t>(bit / 8)] &
         0x80U >> static_cast<unsigned>(bit % 8)) != 0)
      return bad("has bits set beyond its length");
  return network;
}

bool Network::contains(const sockaddr& address) const {
  const std::optional<Bytes> bytes = bytes_of(address);
  return bytes && same_start(*bytes, bytes_, bits_);
}

bool is_public(const sockaddr& address) {
  const std::optional<Bytes> bytes = bytes_of(address);
  if (!bytes) return false;
  if (same_start(*bytes, kMapped, kPrefixBits) || same_start(*bytes, kTranslated, kPrefixBits))
    return is_public4(word(*bytes, 12));
  const std::uint32_t start = word(*bytes, 0);
  if (is_in(start, kSixToFour)) return is_public4(word(*bytes, 2));
  return is_in(start, kGlobal6) &&
         std::ranges::none_of(kReserved6, [&](const Block& b) { return is_in(start, b); });
}

bool Reach::permits(const sockaddr& address) const {
  if (!bytes_of(address)) return false;
  if (private_too || is_public(address)) return true;
  return std::ranges::any_of(allowed, [&](const Network& n) { return n.contains(address); });
}

}  // namespace haul::io
