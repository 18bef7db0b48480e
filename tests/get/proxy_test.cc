// `haul get -x` through real proxies: tinyproxy, and nginx for what tinyproxy answers in its own
// way.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <string>
#include <string_view>

#include "support/process/proxy_bench.h"
#include "support/server/forward_proxy.h"
#include "support/server/free_port.h"
#include "support/server/real_proxy.h"

using namespace haul::testing;

TEST_CASE("S2-32: -x reaches an https server through a tunnel, and an http server without one") {
  ProxyBench s;
  const Tinyproxy proxy{s.tls};
  const std::string tunnel = "CONNECT " + s.tls.url("").substr(std::string{"https://"}.size());
  const Told told = s.get(
      {"-x", proxy.url(), s.tls.url("/f/safe?size=20000"), s.server.url("/f/plain?size=20000")});

  CHECK(told.code == 0);
  CHECK(s.bench.holds("safe", FaultServer::content("safe", 20'000)));
  CHECK(s.bench.holds("plain", FaultServer::content("plain", 20'000)));
  CHECK(proxy.requests(tunnel) == 1);
  CHECK(proxy.requests("GET " + s.server.url("/f/plain")) == 1);
  CHECK(proxy.requests("") == 2);
  CHECK(s.bench.get({"-x", proxy.url(), s.tls.url("/f/unknown")}).outcome("/f/unknown") ==
        "failed tls_not_trusted");  // The tunnel ends at the server's own certificate.
}

TEST_CASE("get: a transfer that breaks inside a proxy's tunnel resumes through another tunnel") {
  ProxyBench s;
  const Tinyproxy proxy{s.tls};
  const Told told =
      s.bench.get({"--cacert", s.tls.certificate(), "--segments", "1", "-x", proxy.url(),
                   s.tls.url("/f/a?size=3000000&reset_after=2000000&reset_times=1")});

  CHECK(told.code == 0);
  CHECK(s.bench.holds("a", FaultServer::content("a", 3'000'000)));
  REQUIRE(s.server.log().size() == 2);
  CHECK(s.server.log().at(1).range == "bytes=2000000-");
  CHECK(proxy.requests("CONNECT ") == 2);
}

TEST_CASE("S2-32: a login in -x or the environment opens the proxy, and no output has it") {
  for (const bool in_environment : {false, true}) {
    CAPTURE(in_environment);
    ProxyBench s;
    const Tinyproxy proxy{s.tls, kProxyLogin};
    Words words{s.tls.url("/f/safe?size=3"), s.server.url("/f/plain?size=3")};
    if (in_environment) {
      s.bench.set("https_proxy=" + proxy.url(kProxyLogin));
      s.bench.set("http_proxy=" + proxy.url(kProxyLogin));
    } else {
      words.insert(words.begin(), {"-x", proxy.url("me:quiet%2D1Word")});  // As URLs have it.
    }
    const Told told = s.get(words);

    CHECK(told.code == 0);
    CHECK(s.bench.listing() == "plain, safe");
    CHECK(proxy.requests("") == 2);
    CHECK(s.places_of(kProxyPassword, told) == "");
    CHECK(s.places_of("quiet%2D1Word", told) == "");
    for (const LoggedRequest& request : s.server.log())
      CHECK_FALSE(request.headers.contains("proxy-authorization"));
  }
}

TEST_CASE("get: a proxy that refuses the login lets no request through, and nothing lands") {
  ProxyBench s;
  const Tinyproxy proxy{s.tls, kProxyLogin};
  const ForwardProxy other{kProxyLogin};
  for (const std::string& login : {std::string{}, std::string{kWrongLogin}}) {
    CAPTURE(login);
    const Told safe = s.get({"-x", proxy.url(login), s.tls.url("/f/safe")});
    CHECK(safe.code == 1);
    CHECK(safe.outcome("/f/safe") == "failed proxy_login");
    CHECK(s.places_of(kWrongPassword, safe) == "");
    // Without a tunnel the proxy's answer is that of the request.
    CHECK(s.get({"-x", other.url(login), s.server.url("/f/a")}).outcome("/f/a") ==
          "failed http_407");
  }
  const Told plain = s.get({"-x", proxy.url(), s.server.url("/f/plain")});

  CHECK(plain.outcome("/f/plain") == "failed http_407");
  CHECK(contains(hint_in(plain), "the proxy requires a login: put it into --proxy"));
  CHECK(s.server.log().empty());
  CHECK(s.bench.listing().empty());
}

TEST_CASE(
    "get: a tunnel that the proxy refuses fails at once, and not as if the server had refused") {
  ProxyBench s;
  const Tinyproxy proxy{s.tls, kProxyLogin};
  const TlsProxy elsewhere{s.server.port()};  // tinyproxy opens no tunnel to this port.
  const Told none = s.get({"-x", proxy.url(), s.tls.url("/f/none")}, "1");
  const Told away = s.get({"-x", proxy.url(kProxyLogin), elsewhere.url("/f/elsewhere")}, "1");

  CHECK(none.outcome("/f/none") == "failed proxy_login");
  CHECK(contains(hint_in(none), "or requires one: put it into --proxy"));
  CHECK(requests_in(none) == 1);
  CHECK(away.outcome("/f/elsewhere") == "failed proxy_refused");
  CHECK(contains(away.item("/f/elsewhere")["detail"], "403"));
  CHECK(requests_in(away) == 1);
}

TEST_CASE("get: no output has the password of an -x without a scheme, or of a malformed one") {
  for (const char* before : {"me:quiet-1Word@", "http://me:a/quiet-1Word@", "me:a/quiet-1Word@",
                             "http://me:a?quiet-1Word@", "http://me:a quiet-1Word@",
                             "me:a@quiet-1Word@", "HTTP://me:a@quiet-1Word@", "me:quiet-1Word@[::1",
                             "me:quiet-1Word%00@", "http://me:quiet-1Word%0A@"}) {
    CAPTURE(before);
    ProxyBench s;
    const Tinyproxy proxy{s.tls, kProxyLogin};
    const Told told = s.get(
        {"-x", fmt::format("{}127.0.0.1:{}", before, proxy.port()), s.server.url("/f/a?size=3")});
    const bool is_valid = std::string_view{before} == "me:quiet-1Word@";
    CHECK((told.code == 0) == is_valid);
    CHECK(s.bench.listing() == (is_valid ? "a" : ""));
    if (told.code != 2) CHECK(s.places_of(kProxyPassword, told) == "");
    CHECK_FALSE(contains(told.out + told.err, kProxyPassword));
  }
}

TEST_CASE("get: a proxy in the environment that libcurl would pass by or print fails the file") {
  const std::uint16_t port = free_port();
  for (const char* before : {"http://me:quiet-1Word%0A@127.0.0.1:", "me:a@quiet-1Word@127.0.0.1:",
                             "me:a/quiet-1Word@127.0.0.1:"}) {
    CAPTURE(before);
    ProxyBench s;
    s.bench.set(fmt::format("http_proxy={}{}", before, port));
    const Told told = s.get({s.server.url("/f/a")}, "1");
    CHECK(told.outcome("/f/a") == "failed bad_proxy");
    CHECK(contains(told.item("/f/a")["detail"], "http_proxy: "));
    CHECK(requests_in(told) == 1);
    CHECK(s.places_of(kProxyPassword, told) == "");
    CHECK(s.server.log().empty());
    CHECK(s.get({"--no-proxy", s.server.url("/f/b?size=3")}).code == 0);
    CHECK(s.get({s.tls.url("/f/c?size=3")}).code == 0);  // This variable is not for https.
    s.bench.set("no_proxy=127.0.0.1");
    CHECK(s.get({s.server.url("/f/d?size=3")}).code == 0);
  }
}

TEST_CASE("get: a proxy whose address libcurl cannot read is not printed") {
  ProxyBench s;
  s.bench.set("http_proxy=me:quiet-1Word@127.0.0.1:99999");
  const Told told = s.get({s.server.url("/f/a")}, "1");
  CHECK(told.outcome("/f/a") == "failed bad_proxy");
  CHECK(s.places_of(kProxyPassword, told) == "");
  CHECK(s.server.log().empty());
}

TEST_CASE("get: a proxy that refuses takes no bytes that are here: the same command goes on") {
  ProxyBench s;
  const Tinyproxy proxy{s.tls, kProxyLogin};
  const std::string url = s.tls.url(
      "/f/a?size=3000000&close_after=2000000&close_times=1&status=503&status_after=1&"
      "status_times=1");
  const auto get = [&](const std::string& login) {
    return s.bench.get({"--cacert", s.tls.certificate(), "--segments", "1", "--retries", "1", "-x",
                        proxy.url(login), url});
  };
  REQUIRE(get(kProxyLogin).code == 1);
  CHECK(get(kWrongLogin).outcome("/f/a?") == "failed proxy_login");
  const Told told = get(kProxyLogin);

  CHECK(told.code == 0);
  CHECK(s.bench.holds("a", FaultServer::content("a", 3'000'000)));
  CHECK(s.server.log().back().range == "bytes=2000000-");
}

TEST_CASE("get: a proxy that is down fails the file, and haul does not ask the server without it") {
  ProxyBench s;
  const std::uint16_t port = free_port();
  for (const char* scheme : {"http", "socks5", "socks5h"})
    for (const std::string& url : {s.server.url("/f/a"), s.tls.url("/f/a")}) {
      CAPTURE(scheme);
      CAPTURE(url);
      const Told told = s.get({"-x", fmt::format("{}://127.0.0.1:{}", scheme, port), url});
      CHECK(told.code == 1);
      CHECK(told.outcome("/f/a") == "failed cannot_connect");
      CHECK(contains(told.item("/f/a")["detail"], fmt::format("127.0.0.1 port {}", port)));
    }
  CHECK(s.server.log().empty());
  CHECK(s.bench.listing().empty());
}
