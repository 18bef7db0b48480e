// --netrc: a login for its own host, and for no other.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>
#include <sstream>

#include "support/process/get_bench.h"
#include "support/server/fault_server.h"

using namespace haul::testing;

namespace {

constexpr const char* kTwoHosts =
    "machine 127.0.0.1 login u password p\n"
    "machine localhost login x password wrong-1Word\n";
constexpr const char* kWrongWord = "Basic eDp3cm9uZy0xV29yZA==";  // x:wrong-1Word

std::string login_of(const LoggedRequest& request) {
  const auto found = request.headers.find("authorization");
  return found == request.headers.end() ? "" : found->second;
}

std::string read_all(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream{path}.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("get: --netrc sends each host its own login, and a host without one none") {
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};
  GetBench bench;
  std::ofstream{bench.beside(".netrc")} << kTwoHosts;
  const std::string by_name = fmt::format("http://localhost:{}/auth/b", first.port());

  CHECK(bench.get({"--netrc", first.url("/auth/a?size=3")}).outcome("/auth/a") == "completed");
  CHECK(bench.get({"--netrc", by_name}).outcome("/auth/b") == "failed http_401");
  CHECK(login_of(first.log().back()) == kWrongWord);
  CHECK(bench.get({"--netrc", second.url("/f/c?size=3")}).outcome("/f/c") == "completed");
  CHECK(login_of(second.log().back()).empty());
}

TEST_CASE("U37: --netrc gives a host that a redirect names no login of another host") {
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};
  GetBench bench;
  std::ofstream{bench.beside(".netrc")} << kTwoHosts;
  bench.get({"--netrc", first.url("/f/a?redirect=" + second.url("/f/b"))});

  REQUIRE(second.log().size() == 1);
  CHECK(login_of(first.log().at(0)) == "Basic dTpw");  // u:p
  CHECK(login_of(second.log().at(0)).empty());
}

TEST_CASE(
    "get: --netrc without a file, or with one that names no host, downloads without a login") {
  const FaultServer server;
  GetBench bench;
  CHECK(bench.get({"--netrc", server.url("/f/a?size=3")}).outcome("/f/a") == "completed");
  std::ofstream{bench.beside(".netrc")} << "not a netrc\n";
  CHECK(bench.get({"--netrc", server.url("/f/b?size=3")}).outcome("/f/b") == "completed");
  for (const LoggedRequest& request : server.log()) CHECK(login_of(request).empty());
}

TEST_CASE("U38: a password of the netrc file stands in no line, event, item or log") {
  const FaultServer server;
  GetBench bench;
  std::ofstream{bench.beside(".netrc")} << kTwoHosts;
  const auto log = bench.beside("log");
  const Told told = bench.get({"--netrc", "-v", "--log", log.string(),
                               fmt::format("http://localhost:{}/auth/b", server.port())});
  REQUIRE(login_of(server.log().back()) == kWrongWord);
  REQUIRE(read_all(log).find("GET ") != std::string::npos);

  for (const char* secret : {"wrong-1Word", "eDp3cm9uZy0xV29yZA"}) {
    CAPTURE(secret);
    CHECK(told.out.find(secret) == std::string::npos);
    CHECK(told.err.find(secret) == std::string::npos);
    CHECK(read_all(log).find(secret) == std::string::npos);
    CHECK(bench.ask(fmt::format(
              "SELECT count(*) FROM contract_batch_events WHERE payload_json LIKE '%{}%'",
              secret)) == "0");
    CHECK(bench.ask(fmt::format("SELECT count(*) FROM items WHERE detail LIKE '%{}%'", secret)) ==
          "0");
  }
}
