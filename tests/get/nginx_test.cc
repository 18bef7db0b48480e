// Logins, cookies, IPv6 and mirrors of a real web server, nginx.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <fstream>

#include "base/hash.h"
#include "support/process/get_bench.h"
#include "support/run/moment.h"
#include "support/run/skip.h"
#include "support/server/fault_server.h"
#include "support/server/real_web.h"

using namespace haul;
using namespace haul::testing;

namespace {

// nginx writes the line of a request after the client has its answer.
bool comes_to_log(const RealWeb& web, const std::string& line) {
  return comes_true([&] { return std::ranges::count(web.log(), line) > 0; });
}

void write_jar(const std::filesystem::path& path, const std::string& domain) {
  std::ofstream{path} << "# Netscape HTTP Cookie File\n"
                      << domain << "\tFALSE\t/\tFALSE\t0\tvisit\tyes\n";
}

}  // namespace

TEST_CASE("nginx: a login comes from --netrc or -u; without one, or a wrong one, the file fails") {
  const RealWeb web;
  web.put("a.bin", "secret file");
  const std::string url = web.url("/login/a.bin");
  GetBench bench;
  const auto netrc = [&](const std::string& password) {
    std::ofstream{bench.beside(".netrc")}
        << fmt::format("machine 127.0.0.1 login {} password {}\n", RealWeb::kUser, password);
  };

  CHECK(bench.get({url}).outcome("/login/a.bin") == "failed http_401");
  netrc("wrong");
  CHECK(bench.get({"--netrc", url}).outcome("/login/a.bin") == "failed http_401");
  CHECK(bench.files().empty());
  netrc(RealWeb::kPassword);
  CHECK(bench.get({"--netrc", url}).outcome("/login/a.bin") == "completed");
  CHECK(bench.holds("a.bin", "secret file"));
  CHECK(comes_to_log(web, "127.0.0.1 /login/a.bin 401 me -"));
  CHECK(comes_to_log(web, "127.0.0.1 /login/a.bin 200 me -"));

  GetBench other;
  const auto user = [](const char* word) { return fmt::format("{}:{}", RealWeb::kUser, word); };
  CHECK(other.get({"-u", user("wrong"), url}).outcome("/login/a.bin") == "failed http_401");
  CHECK(other.get({"-u", user(RealWeb::kPassword), url}).outcome("/login/a.bin") == "completed");
}

TEST_CASE("nginx: a cookie comes from a file that has one for the host, or from -b itself") {
  const RealWeb web;
  web.put("a.bin", "members only");
  GetBench bench;
  const std::string jar = bench.beside("jar").string();
  const std::string others = bench.beside("others").string();
  write_jar(jar, "127.0.0.1");
  write_jar(others, "127.0.0.2");
  const std::string url = web.url("/cookie/a.bin");

  CHECK(bench.get({url}).outcome("/cookie/a.bin") == "failed http_403");
  CHECK(bench.get({"-b", others, url}).outcome("/cookie/a.bin") == "failed http_403");
  CHECK(bench.get({"-b", "visit=no", url}).outcome("/cookie/a.bin") == "failed http_403");
  CHECK(bench.files().empty());
  for (const std::string& cookies : {jar, std::string{"visit=yes"}}) {
    CAPTURE(cookies);
    CHECK(bench.get({"--overwrite", "-b", cookies, url}).outcome("/cookie/a.bin") == "completed");
  }
  CHECK(bench.holds("a.bin", "members only"));
}

TEST_CASE("nginx: -6 and -4 choose the address of a name, and [::1] is an address") {
  if (!has_ipv6()) return skip("this machine has no [::1]");
  const RealWeb web;
  for (const char* name : {"a.bin", "b.bin", "c.bin"}) web.put(name, name);
  GetBench bench;

  CHECK(bench.get({"-6", web.url("/open/a.bin", "localhost")}).outcome("/open/a.bin") ==
        "completed");
  CHECK(comes_to_log(web, "::1 /open/a.bin 200 - -"));
  CHECK(bench.get({"-4", web.url("/open/b.bin", "localhost")}).outcome("/open/b.bin") ==
        "completed");
  CHECK(comes_to_log(web, "127.0.0.1 /open/b.bin 200 - -"));
  CHECK(bench.get({web.url("/open/c.bin", "[::1]")}).outcome("/open/c.bin") == "completed");
  CHECK(comes_to_log(web, "::1 /open/c.bin 200 - -"));
  CHECK(bench.get({"-4", "--retries", "0", web.url("/open/d.bin", "[::1]")}).code == 1);
  CHECK(bench.listing() == "a.bin, b.bin, c.bin");
}

TEST_CASE("nginx: two mirrors share a file with a hash, and one without the file is left") {
  constexpr std::size_t kLarge = std::size_t{33} << 20U;
  const RealWeb web;
  const std::string content = FaultServer::content("a.bin", kLarge);
  web.put("a.bin", content);
  GetBench bench;
  const std::string sum = "sha256:" + sha256_hex(content);
  const auto serves = [&](const std::string& address) {
    return comes_true([&] {
      return std::ranges::any_of(web.log(), [&](const std::string& line) {
        return line.starts_with(address + " /open/a.bin 20");
      });
    });
  };

  CHECK(bench
            .get({"--checksum", sum, web.url("/open/a.bin"), "--mirror",
                  web.url("/open/a.bin", "127.0.0.2")})
            .code == 0);
  CHECK(bench.holds("a.bin", content));
  CHECK(serves("127.0.0.1"));
  CHECK(serves("127.0.0.2"));

  const std::string gone = web.url("/gone/a.bin");
  CHECK(bench
            .get({"--overwrite", "--checksum", sum, gone, "--mirror",
                  web.url("/open/a.bin", "127.0.0.2")})
            .code == 0);
  CHECK(bench.holds("a.bin", content));
  CHECK(comes_to_log(web, "127.0.0.1 /gone/a.bin 404 - -"));
}
