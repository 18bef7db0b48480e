// https through a real nginx, with certificates that are right, unknown, or for another name.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <fstream>

#include "support/process/get_bench.h"
#include "support/server/fault_server.h"
#include "support/server/tls_proxy.h"

using namespace haul::testing;

namespace {

// Runs haul as a user who trusts this certificate.
Told get_trusting(const TlsProxy& tls, const GetBench& bench, const Words& words) {
  Words command = bench.command(words);
  command.insert(command.begin() + 1, "SSL_CERT_FILE=" + tls.certificate());
  return told(run_program(command));
}

}  // namespace

TEST_CASE("https: a file arrives, and a large one in segments") {
  const FaultServer server;
  const TlsProxy tls{server.port()};
  const GetBench bench;
  constexpr std::size_t kLarge = std::size_t{33} << 20U;
  const Told told =
      get_trusting(tls, bench,
                   {"--segments", "4", tls.url("/f/small.bin?size=20000"),
                    tls.url(fmt::format("/f/large.bin?size={}&limit_rate=20000000", kLarge))});

  CHECK(told.code == 0);
  CHECK(bench.holds("small.bin", FaultServer::content("small.bin", 20'000)));
  CHECK(bench.holds("large.bin", FaultServer::content("large.bin", kLarge)));
  CHECK(server.log().size() == 5);
}

TEST_CASE("https: a broken transfer resumes with a range request") {
  const FaultServer server;
  const TlsProxy tls{server.port()};
  const GetBench bench;
  const Told told = get_trusting(
      tls, bench, {tls.url("/f/broken.bin?size=3000000&reset_after=2000000&reset_times=1")});

  CHECK(told.code == 0);
  CHECK(bench.holds("broken.bin", FaultServer::content("broken.bin", 3'000'000)));
  REQUIRE(server.log().size() == 2);
  CHECK(server.log().at(1).range.starts_with("bytes="));
}

TEST_CASE("X22: an unknown certificate, or another's, is no reason to try again or to give in") {
  const FaultServer server;
  const TlsProxy tls{server.port()};
  const TlsProxy other{server.port(), "DNS:example.org"};
  GetBench unknown;
  CHECK(unknown.get({tls.url("/f/a")}).outcome("/f/a") == "failed tls_not_trusted");
  const GetBench wrong;
  CHECK(get_trusting(other, wrong, {other.url("/f/a")}).outcome("/f/a") ==
        "failed tls_not_trusted");

  CHECK(server.log().empty());
  CHECK(unknown.listing().empty());
  CHECK(wrong.listing().empty());
}

TEST_CASE("https: a redirect to plain http is refused, one to https is followed") {
  const FaultServer server;
  const TlsProxy tls{server.port()};
  const GetBench bench;
  const Told told = get_trusting(tls, bench,
                                 {tls.url("/f/down?redirect=" + server.url("/f/plain")),
                                  tls.url("/f/on?redirect=" + tls.url("/f/safe")),
                                  server.url("/f/up?redirect=" + tls.url("/f/safer"))});

  CHECK(told.outcome("/f/down") == "failed insecure_redirect");
  CHECK(told.outcome("/f/on") == "completed");
  CHECK(told.outcome("/f/up") == "completed");
  for (const LoggedRequest& request : server.log()) CHECK(request.path != "/f/plain");
}

TEST_CASE("Z-24: a file of -k says so, and without -k it is here only if its bytes are the same") {
  const FaultServer server;
  const TlsProxy tls{server.port()};
  GetBench bench;
  const Words urls{tls.url("/f/a?size=5000"), tls.url("/f/b?size=5000&etag_change_after=2")};
  REQUIRE(bench.get({"-k", urls[0], urls[1]}).code == 0);
  CHECK(bench.ask("SELECT group_concat(json_extract(evidence, '$.unchecked')) FROM items") ==
        "1,1");
  const auto gets = [&] { return std::ranges::count(server.log(), "GET", &LoggedRequest::method); };
  CHECK(bench.get({"-k", urls[0], urls[1]}).item("/f/a")["evidence"] == "already_here");
  CHECK(gets() == 2);

  Told told = get_trusting(tls, bench, urls);
  CHECK(told.code == 0);
  CHECK(gets() == 4);
  CHECK(told.item("/f/a")["evidence"] == "already_here");
  CHECK(bench.listing() == "a, b, b (2)");
  CHECK(get_trusting(tls, bench, urls).item("/f/a")["evidence"] == "already_here");
  CHECK(gets() == 4);
}

TEST_CASE("X22: --cacert takes a bundle, and a server's certificate needs the server's name too") {
  const FaultServer server;
  const TlsProxy tls{server.port(), "IP:127.0.0.1", Signer::authority};
  const TlsProxy misnamed{server.port(), "IP:127.0.0.9", Signer::authority};
  GetBench bench;
  const std::string bundle = bench.beside("bundle.pem").string();
  std::ofstream{bundle} << std::ifstream{misnamed.certificate()}.rdbuf()
                        << std::ifstream{tls.certificate()}.rdbuf();

  for (const std::string& trusted : {tls.certificate(), bundle}) {
    CAPTURE(trusted);
    CHECK(bench.get({"--cacert", trusted, tls.url("/f/a?size=3")}).outcome("/f/a") == "completed");
  }
  CHECK(bench.get({"--cacert", misnamed.certificate(), tls.url("/f/b")}).outcome("/f/b") ==
        "failed tls_not_trusted");
  CHECK(bench.get({"--cacert", bundle, misnamed.url("/f/c")}).outcome("/f/c") ==
        "failed tls_not_trusted");
}
