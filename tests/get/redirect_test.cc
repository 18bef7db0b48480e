// Redirects: at most ten, only to http and https, and no secret leaves the origin it was given for.
// get_public_test.cc checks that none leads from a public address to a private one.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "support/process/get_bench.h"
#include "support/server/fault_server.h"
#include "support/server/tls_proxy.h"

using namespace haul::testing;

namespace {

std::string header_of(const LoggedRequest& request, const std::string& name) {
  const auto found = request.headers.find(name);
  return found == request.headers.end() ? "" : found->second;
}

std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

// "/f/a mine=yes, /f/b none": which cookies came with each request, sorted by path.
std::string cookies(const FaultServer& server) {
  std::vector<std::string> lines;
  for (const LoggedRequest& request : server.log()) {
    const std::string cookie = header_of(request, "cookie");
    lines.push_back(request.path + " " + (cookie.empty() ? "none" : cookie));
  }
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : ", ") + line;
  return text;
}

}  // namespace

TEST_CASE("redirects: ten are followed, the eleventh is not; a loop ends the same way") {
  struct HopCase {
    std::string path;
    std::string outcome;
    std::size_t requests;
  };
  // clang-format off
  const std::vector<HopCase> cases = {
      {"/f/ten?redirect_chain=10",            "completed", 11},
      {"/f/eleven?redirect_chain=11",         "failed too_many_redirects", 11},
      {"/f/fifty?redirect_chain=50", "failed too_many_redirects", 11}, // U35
      {"/f/loop?redirect_loop=2", "failed too_many_redirects", 11}, // U34
      {"/f/itself?redirect_loop=1",           "failed too_many_redirects", 11},
      {"/f/file?redirect_code=307&redirect=file:///etc/passwd", "failed bad_redirect", 1}, // U32
      {"/f/ftp?redirect=ftp://127.0.0.1/x",   "failed bad_redirect", 1},
      {"/f/ssh?redirect=http://127.0.0.1:22/", "failed bad_redirect", 1},
      {"/f/script?redirect=javascript:alert(1)", "failed bad_redirect", 1},
      {"/f/nowhere?redirect=",                "failed bad_redirect", 1},
      {"/f/relative?redirect=../f/there",     "completed", 1},
      {"/f/301?redirect_chain=1&redirect_code=301", "completed", 2},
      {"/f/303?redirect_chain=1&redirect_code=303", "completed", 2},
      {"/f/307?redirect_chain=1&redirect_code=307", "completed", 2},
      {"/f/308?redirect_chain=1&redirect_code=308", "completed", 2},
      {"/f/300?redirect_chain=1&redirect_code=300", "failed http_300", 1},
      {"/f/304?status=304",                   "failed http_304", 1},
  };
  // clang-format on
  const FaultServer server;
  GetBench bench;
  Words urls;
  for (const HopCase& one : cases) urls.push_back(server.url(one.path));
  const Told told = bench.get(urls);

  for (const HopCase& one : cases) {
    CAPTURE(one.path);
    const std::string path = one.path.substr(0, one.path.find('?'));
    CHECK(told.outcome(path + "?") == one.outcome);
    std::size_t requests = 0;
    for (const LoggedRequest& request : server.log()) requests += request.path == path ? 1 : 0;
    CHECK(requests == one.requests);
  }
}

TEST_CASE("redirects: a file is named after where it was found, not after where it was asked for") {
  const FaultServer server;
  GetBench bench;
  bench.get({server.url("/f/asked?redirect=/f/found.bin")});
  CHECK(bench.listing() == "found.bin");
}

TEST_CASE("U37: user, headers and cookies go along within the origin, and to no other") {
  const FaultServer first;
  const FaultServer other_port;
  const FaultServer other_host{"127.0.0.2"};
  GetBench bench;
  const std::string jar = bench.beside("jar").string();
  std::ofstream{jar} << "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tmine\tyes\n";
  const std::string with_user = fmt::format("http://u:p@127.0.0.1:{}", first.port());
  const Told told = bench.get({"--cookies", jar, "--header", "X-Token: secret",
                               with_user + "/auth/a?redirect=/auth/b",
                               with_user + "/auth/c?redirect=" + encoded(other_host.url("/f/d")),
                               with_user + "/auth/e?redirect=" + encoded(other_port.url("/f/g"))});

  CHECK(told.code == 0);
  for (const LoggedRequest& request : first.log()) {
    CHECK(header_of(request, "authorization") == "Basic dTpw");
    CHECK(header_of(request, "x-token") == "secret");
    CHECK(header_of(request, "cookie") == "mine=yes");
  }
  CHECK(first.log().size() == 4);
  for (const FaultServer* other : {&other_host, &other_port}) {
    REQUIRE(other->log().size() == 1);
    CHECK(header_of(other->log()[0], "authorization").empty());
    CHECK(header_of(other->log()[0], "x-token").empty());
  }
  CHECK(header_of(other_host.log()[0], "cookie").empty());
}

TEST_CASE("U37: each cookie of a file goes to its own host only, also across redirects") {
  const FaultServer first;
  const FaultServer other_port;
  const FaultServer other_host{"127.0.0.2"};
  GetBench bench;
  const std::string jar = bench.beside("jar").string();
  std::ofstream{jar} << "# Netscape HTTP Cookie File\n"
                        "127.0.0.1\tFALSE\t/\tFALSE\t0\tnumber\t1\n"
                        "localhost\tFALSE\t/\tFALSE\t0\tname\t2\n"
                        ".example.com\tTRUE\t/\tFALSE\t0\tforeign\t3\n";
  const std::string by_name = fmt::format("http://localhost:{}/f/to_name", other_port.port());
  const auto lead_to = [&](const std::string& name, const std::string& url) {
    return first.url("/f/" + name + "?redirect=" + encoded(url));
  };
  const Told told =
      bench.get({"-b", jar, lead_to("a", by_name), lead_to("b", other_port.url("/f/to_port")),
                 lead_to("c", other_host.url("/f/to_host"))});

  CHECK(told.code == 0);
  CHECK(cookies(first) == "/f/a number=1, /f/b number=1, /f/c number=1");
  // A cookie is of a host, whatever its port (RFC 6265, 8.5).
  CHECK(cookies(other_port) == "/f/to_name name=2, /f/to_port number=1");
  CHECK(cookies(other_host) == "/f/to_host none");
}

TEST_CASE("get: -b obeys what the file says of a cookie: secure, path and end") {
  const FaultServer server{"127.0.0.2"};  // For libcurl 127.0.0.1 counts as secure.
  const FaultServer behind;
  const TlsProxy tls{behind.port()};
  GetBench bench;
  const std::string jar = bench.beside("jar").string();
  std::ofstream{jar} << "# Netscape HTTP Cookie File\n"
                        "127.0.0.2\tFALSE\t/\tTRUE\t0\tsecret\t1\n"
                        "127.0.0.1\tFALSE\t/\tTRUE\t0\tsafe\t2\n"
                        "127.0.0.2\tFALSE\t/f/in\tFALSE\t0\tinner\t3\n"
                        "127.0.0.2\tFALSE\t/\tFALSE\t1\tpast\t4\n"
                        "127.0.0.2\tFALSE\t/\tFALSE\t4102444800\tkept\t5\n";
  const Told told =
      bench.get({"--cacert", tls.certificate(), "-b", jar, server.url("/f/out?size=3"),
                 server.url("/f/in?size=3"), tls.url("/f/tls?size=3")});

  CHECK(told.code == 0);
  CHECK(cookies(server) == "/f/in inner=3; kept=5, /f/out kept=5");
  CHECK(cookies(behind) == "/f/tls safe=2");
}

TEST_CASE("U37: a user's Authorization header never leaves its origin") {
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};
  GetBench bench;
  // To another origin and back again: the other origin may have chosen where the redirect goes back
  // to.
  const std::string back = encoded(first.url("/f/c"));
  bench.get({"--header", "Authorization: Bearer secret",
             first.url("/f/a?redirect=" + encoded(second.url("/f/b?redirect=" + back)))});

  REQUIRE(first.log().size() == 2);
  CHECK(header_of(first.log()[0], "authorization") == "Bearer secret");
  CHECK(header_of(first.log()[1], "authorization").empty());
  REQUIRE(second.log().size() == 1);
  CHECK(header_of(second.log()[0], "authorization").empty());
}

TEST_CASE("H44: a cookie that a server sets goes to no other host") {
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};
  GetBench bench;
  const std::string jar = bench.beside("jar").string();
  std::ofstream{jar} << "# Netscape HTTP Cookie File\n";
  for (const std::string domain : {"127.0.0.2", ".0.0.2", "example.com"})
    bench.get({"--cookies", jar,
               first.url("/f/a?set_cookie=a%3Db%3B%20Domain%3D" + domain +
                         "&redirect=" + encoded(second.url("/f/b")))});

  CHECK(second.log().size() == 3);
  for (const LoggedRequest& request : second.log()) CHECK(header_of(request, "cookie").empty());
}

TEST_CASE("U38: a user's name and password stand in no event, item or line, only in the request") {
  const FaultServer server;
  GetBench bench;
  const std::string url =
      fmt::format("http://u:p@127.0.0.1:{}/auth/a?size=3&seed=1", server.port());
  const Told told = bench.get({url});

  CHECK(told.code == 0);
  CHECK(told.out.find("u:p@") == std::string::npos);
  CHECK(bench.ask("SELECT count(*) FROM contract_batch_events "
                  "WHERE payload_json LIKE '%u:p@%'") == "0");
  CHECK(bench.ask("SELECT count(*) FROM contract_batch_job_items "
                  "WHERE item_key LIKE '%u:p@%'") == "0");
  CHECK(bench.ask("SELECT count(*) FROM contract_batch_jobs WHERE url LIKE '%u:p@%'") == "0");
}

TEST_CASE("S2-32: a proxy is asked in the server's stead") {
  const FaultServer proxy;
  GetBench bench;
  const Told told = bench.get({"--proxy", proxy.url(""), "http://nowhere.invalid/f/a"});

  CHECK(told.outcome("nowhere.invalid") ==
        "failed http_400");  // The fault server does not understand proxy requests.
}
