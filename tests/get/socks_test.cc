// `haul get -x` through microsocks, a real SOCKS 5 proxy, with and without a login.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <string>

#include "support/process/proxy_bench.h"
#include "support/run/skip.h"
#include "support/server/real_proxy.h"
#include "support/server/real_web.h"

using namespace haul::testing;

TEST_CASE("S2-32: -x reaches http and https servers through SOCKS 5, with and without a login") {
  // The password, and the same in a URL.
  constexpr const char* kHard = "me:p@ss:w/rd";
  constexpr const char* kEncoded = "me:p%40ss%3Aw%2Frd";
  for (const char* scheme : {"socks5", "socks5h"})
    for (const bool closed : {false, true}) {
      CAPTURE(scheme);
      CAPTURE(closed);
      ProxyBench s;
      const Microsocks proxy{closed ? kHard : ""};
      const Told told =
          s.get({"-x", proxy.url(scheme, closed ? kEncoded : ""), s.tls.url("/f/safe?size=20000"),
                 s.server.url("/f/plain?size=20000")});

      CHECK(told.code == 0);
      CHECK(s.bench.holds("safe", FaultServer::content("safe", 20'000)));
      CHECK(s.bench.holds("plain", FaultServer::content("plain", 20'000)));
      CHECK(Microsocks::has_connected_to(fmt::format("127.0.0.1:{}", s.server.port())));
      CHECK(Microsocks::has_connected_to(s.tls.url("").substr(std::string{"https://"}.size())));
      CHECK(s.places_of("p%40ss", told) == "");
      CHECK(s.places_of("p@ss", told) == "");
    }
}

TEST_CASE("get: socks5h leaves the server's name to the proxy") {
  if (!has_ipv6()) return skip("this machine has no IPv6 loopback");
  ProxyBench s;
  const FaultServer six{"::1"};
  const Microsocks proxy;
  const auto local = [](const FaultServer& server) {
    return fmt::format("localhost:{}", server.port());
  };
  // microsocks asks only the first address of a name, which may be of either version.
  s.get({"-x", proxy.url("socks5h"), "http://" + local(s.server) + "/f/four?size=3",
         "http://" + local(six) + "/f/six?size=3"});

  const bool by_four = Microsocks::has_connected_to(local(s.server));
  const bool by_six = Microsocks::has_connected_to(local(six));
  CHECK((by_four || by_six));
  CHECK(s.bench.files().size() == static_cast<std::size_t>(by_four) + (by_six ? 1 : 0));
}

TEST_CASE("get: a SOCKS 5 proxy that refuses the login lets no request through") {
  ProxyBench s;
  const Microsocks proxy{kProxyLogin};
  for (const std::string& login : {std::string{}, std::string{kWrongLogin}})
    for (const std::string& url : {s.server.url("/f/a"), s.tls.url("/f/a")}) {
      CAPTURE(login);
      CAPTURE(url);
      const Told told = s.get({"-x", proxy.url("socks5", login), url});
      CHECK(told.code == 1);
      CHECK(told.outcome("/f/a") == "failed proxy_login");
      CHECK(contains(told.item("/f/a")["detail"], login.empty()
                                                      ? "No authentication method was acceptable"
                                                      : "User was rejected by the SOCKS5 server"));
      CHECK(s.places_of(kWrongPassword, told) == "");
    }
  CHECK(s.server.log().empty());
  CHECK(s.bench.listing().empty());
}

TEST_CASE("get: a login that a SOCKS 5 proxy refuses is not tried again, and the hint names it") {
  ProxyBench s;
  const Microsocks proxy{kProxyLogin};
  for (const std::string& login : {std::string{}, std::string{kWrongLogin}}) {
    CAPTURE(login);
    const Told told = s.get({"-x", proxy.url("socks5", login), s.server.url("/f/a")}, "1");
    CHECK(requests_in(told) == 1);
    CHECK(contains(hint_in(told), "the proxy refuses the login, or requires one"));
  }
}
