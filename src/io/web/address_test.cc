// Which addresses are public, which a network contains, and which a reach permits.

#include "io/web/address.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <cstring>
#include <string>

#include "base/url.h"
#include "hostile/urls.h"

namespace haul::io {
namespace {

// The socket address of a numeric address, as a resolver returns it.
struct Socket {
  explicit Socket(std::string text) {
    if (text.starts_with('[')) text = text.substr(1, text.size() - 2);
    sockaddr_in four{.sin_family = AF_INET, .sin_port = htons(80)};
    sockaddr_in6 six{.sin6_family = AF_INET6, .sin6_port = htons(80)};
    if (inet_pton(AF_INET, text.c_str(), &four.sin_addr) == 1)
      std::memcpy(&storage, &four, sizeof four);
    else if (inet_pton(AF_INET6, text.c_str(), &six.sin6_addr) == 1)
      std::memcpy(&storage, &six, sizeof six);
    else
      FAIL("not an address: " << text);
  }
  const sockaddr& get() const { return reinterpret_cast<const sockaddr&>(storage); }
  sockaddr_storage storage{};
};

bool is_public(const std::string& text) { return haul::io::is_public(Socket{text}.get()); }

bool contains(std::string_view network, const std::string& address) {
  return Network::parse(network).value().contains(Socket{address}.get());
}

struct Range {
  const char* before;  // Public; empty if this neighbour is not.
  const char* first;
  const char* last;
  const char* after;
};

// clang-format off
constexpr Range kRanges[] = {
    {"",                "0.0.0.0",          "0.255.255.255",    "1.0.0.0"},
    {"9.255.255.255",   "10.0.0.0",         "10.255.255.255",   "11.0.0.0"},
    {"100.63.255.255",  "100.64.0.0",       "100.127.255.255",  "100.128.0.0"},
    {"126.255.255.255", "127.0.0.0",        "127.255.255.255",  "128.0.0.0"},
    {"169.253.255.255", "169.254.0.0",      "169.254.255.255",  "169.255.0.0"},
    {"172.15.255.255",  "172.16.0.0",       "172.31.255.255",   "172.32.0.0"},
    {"191.255.255.255", "192.0.0.0",        "192.0.0.255",      "192.0.1.0"},
    {"192.0.1.255",     "192.0.2.0",        "192.0.2.255",      "192.0.3.0"},
    {"192.88.98.255",   "192.88.99.0",      "192.88.99.255",    "192.88.100.0"},
    {"192.167.255.255", "192.168.0.0",      "192.168.255.255",  "192.169.0.0"},
    {"198.17.255.255",  "198.18.0.0",       "198.19.255.255",   "198.20.0.0"},
    {"198.51.99.255",   "198.51.100.0",     "198.51.100.255",   "198.51.101.0"},
    {"203.0.112.255",   "203.0.113.0",      "203.0.113.255",    "203.0.114.0"},
    {"223.255.255.255", "224.0.0.0",        "239.255.255.255",  ""},
    {"",                "240.0.0.0",        "255.255.255.255",  ""},
    {"",                "::",               "::1",              ""},
    {"",                "64:ff9b::a00:0",   "64:ff9b::aff:ffff", "64:ff9b::b00:0"},
    {"64:ff9b::808:808", "64:ff9b::7f00:1", "64:ff9b::7fff:ffff", "64:ff9b::8000:0"},
    {"",                "64:ff9b:1::1",     "64:ff9b:ffff::1",  ""},
    {"",                "100::",            "100::ffff:ffff:ffff:ffff", ""},
    {"",                "1fff::1",          "1fff:ffff::1",     "2000::"},
    {"2000:ffff::1",    "2001::",           "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"},
    {"2001:db7:ffff::1", "2001:db8::",      "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"},
    {"2002:9ff:ffff::", "2002:a00::",       "2002:aff:ffff:ffff::1", "2002:b00::"},
    {"2002:808:808::1", "2002:7f00:1::",    "2002:7fff:ffff::", "2003::"},
    {"3ffe:ffff::1",    "3fff::",           "3fff:fff:ffff::1", "3fff:1000::"},
    {"3fff:ffff::1",    "4000::",           "fbff:ffff::1",     ""},
    {"",                "fc00::",           "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""},
    {"",                "fe80::",           "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""},
    {"",                "fec0::",           "feff::1",          ""},
    {"",                "ff00::",           "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""},
    {"",                "::127.0.0.1",      "::8.8.8.8",        ""},
};
// clang-format on

}  // namespace

TEST_CASE("U14 to U27: no address of a range that is not public is, and its neighbours are") {
  for (const auto& [before, first, last, after] : kRanges) {
    CHECK_MESSAGE(!is_public(first), first);
    CHECK_MESSAGE(!is_public(last), last);
    for (const std::string beside : {before, after})
      if (!beside.empty()) CHECK_MESSAGE(is_public(beside), beside);
  }
}

TEST_CASE("U19: an IPv4 address mapped into IPv6 is judged as itself") {
  for (const auto& [before, first, last, after] : kRanges) {
    if (std::strchr(first, ':') != nullptr) continue;
    CHECK_FALSE(is_public(std::string{"::ffff:"} + first));
    CHECK_FALSE(is_public(std::string{"::ffff:"} + last));
  }
  CHECK(is_public("::ffff:8.8.8.8"));
}

TEST_CASE("ordinary addresses are public") {
  for (const char* text : {"1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700::1111",
                           "2a00:1450:4001::1", "2001:4860:4860::8888"})
    CHECK_MESSAGE(is_public(text), text);
}

TEST_CASE("U11 to U27: the host of every private address of list U is not to be reached") {
  const Reach reach;
  for (const auto& [id, text, host] : testing::kPrivateUrls) {
    const Result<Url> url = parse_url(text);
    REQUIRE_MESSAGE(url.has_value(), id);
    CHECK_MESSAGE(!reach.permits(Socket{url->host}.get()), id);
  }
}

TEST_CASE("a socket that is not of the internet is neither public nor permitted") {
  const sockaddr_un local{.sun_family = AF_UNIX, .sun_path = "/run/x"};
  const auto& address = reinterpret_cast<const sockaddr&>(local);
  CHECK_FALSE(haul::io::is_public(address));
  CHECK_FALSE(Reach{.private_too = true}.permits(address));
  CHECK_FALSE(Network::parse("::/0").value().contains(address));
}

TEST_CASE("a network holds its first and last address and not their neighbours") {
  CHECK(contains("10.1.2.0/23", "10.1.2.0"));
  CHECK(contains("10.1.2.0/23", "10.1.3.255"));
  CHECK_FALSE(contains("10.1.2.0/23", "10.1.1.255"));
  CHECK_FALSE(contains("10.1.2.0/23", "10.1.4.0"));
  CHECK(contains("fd00::/9", "fd7f:ffff::1"));
  CHECK_FALSE(contains("fd00::/9", "fd80::"));
  CHECK(contains("192.168.1.5", "192.168.1.5"));
  CHECK_FALSE(contains("192.168.1.5/32", "192.168.1.4"));
  CHECK(contains("::1", "::1"));
  CHECK_FALSE(contains("::1/128", "::"));
}

TEST_CASE("a network of IPv4 holds mapped addresses, and no others of IPv6") {
  CHECK(contains("10.0.0.0/8", "::ffff:10.1.2.3"));
  CHECK(contains("::ffff:10.0.0.0/104", "10.1.2.3"));
  CHECK(contains("0.0.0.0/0", "255.255.255.255"));
  CHECK_FALSE(contains("0.0.0.0/0", "::1"));
  CHECK_FALSE(contains("10.0.0.0/8", "64:ff9b::a01:203"));
  CHECK(contains("::/0", "1.2.3.4"));
}

TEST_CASE("what is not a network is refused, and says why") {
  for (const char* text : {"",
                           "/",
                           "/8",
                           "10",
                           "10.0.0/8",
                           "10.0.0.0/",
                           "10.0.0.0/33",
                           "10.0.0.0/-1",
                           "10.0.0.0/8x",
                           "10.0.0.0/ 8",
                           " 10.0.0.0/8",
                           "10.0.0.0/8/8",
                           "::/129",
                           "10.0.0.1/8",
                           "10.0.0.1/31",
                           "fd00::1/64",
                           "localhost",
                           "[::1]",
                           "010.0.0.0/8",
                           "10.0.0.0/0"}) {
    const Result<Network> network = Network::parse(text);
    REQUIRE_MESSAGE(!network.has_value(), text);
    CHECK_MESSAGE(network.error().code == "bad_network", text);
  }
  CHECK(Network::parse("10.0.0.0/31").has_value());
  CHECK(Network::parse("0.0.0.0/0") == Network::parse("0.0.0.0/00"));
}

TEST_CASE("a reach permits the public, what is allowed, and on request all") {
  const Reach strict;
  CHECK(strict.permits(Socket{"8.8.8.8"}.get()));
  CHECK_FALSE(strict.permits(Socket{"127.0.0.1"}.get()));

  const Reach some{.allowed = {Network::parse("127.0.0.1").value()}};
  CHECK(some.permits(Socket{"127.0.0.1"}.get()));
  CHECK(some.permits(Socket{"::ffff:127.0.0.1"}.get()));
  CHECK(some.permits(Socket{"8.8.8.8"}.get()));
  CHECK_FALSE(some.permits(Socket{"127.0.0.2"}.get()));
  CHECK_FALSE(some.permits(Socket{"::1"}.get()));

  const Reach all{.private_too = true};
  CHECK(all.permits(Socket{"127.0.0.1"}.get()));
  CHECK(all.permits(Socket{"fd00::1"}.get()));
}

}  // namespace haul::io
