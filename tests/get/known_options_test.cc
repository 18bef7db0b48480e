// Options that users of curl, wget and aria2 know, against real servers and proxies.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>

#include "base/clock.h"
#include "support/process/daemon.h"
#include "support/process/get_bench.h"
#include "support/run/moment.h"
#include "support/run/skip.h"
#include "support/server/fault_server.h"
#include "support/server/forward_proxy.h"
#include "support/server/full_backlog.h"
#include "support/server/real_web.h"
#include "support/server/tls_proxy.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

std::string header_of(const LoggedRequest& request, const std::string& name) {
  const auto found = request.headers.find(name);
  return found == request.headers.end() ? "" : found->second;
}

std::string read_all(const std::filesystem::path& path) {
  std::ostringstream all;
  all << std::ifstream{path}.rdbuf();
  return all.str();
}

std::int64_t mtime_of(const std::filesystem::path& path) {
  struct stat seen{};
  REQUIRE(::stat(path.c_str(), &seen) == 0);
  return seen.st_mtim.tv_sec;
}

// Runs without --json.
Finished run_plainly(const GetBench& bench, const Words& words) {
  Words all{"env",       "XDG_STATE_HOME=" + bench.beside("state").string(),
            HAUL_BINARY, "get",
            "--engine",  "http",
            "--delay",   "0",
            "-d",        bench.folder().string()};
  all.insert(all.end(), words.begin(), words.end());
  return run_program(all);
}

}  // namespace

TEST_CASE("get: -H, -A, -e and -b send what they do in curl") {
  const FaultServer server;
  GetBench bench;
  const std::string jar = bench.beside("jar").string();
  std::ofstream{jar} << "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tmine\tyes\n";
  CHECK(bench
            .get({"-H", "X-A: 1", "-A", "me/1.0", "-e", "http://from.example/", "-b", jar,
                  server.url("/f/a")})
            .code == 0);
  CHECK(bench.get({"-b", "a=b; c=d", server.url("/f/b")}).code == 0);

  REQUIRE(server.log().size() == 2);
  CHECK(header_of(server.log()[0], "x-a") == "1");
  CHECK(header_of(server.log()[0], "user-agent") == "me/1.0");
  CHECK(header_of(server.log()[0], "referer") == "http://from.example/");
  CHECK(header_of(server.log()[0], "cookie") == "mine=yes");
  CHECK(header_of(server.log()[1], "cookie") == "a=b; c=d");
}

TEST_CASE("U38: -u logs in at the given URLs, and the password stands in no line, event or log") {
  const FaultServer server;
  GetBench bench;
  const std::string log = bench.beside("log").string();
  const Told told = bench.get({"-v", "--log", log, "-u", "u:p", server.url("/auth/a?size=3"),
                               server.url("/auth/b?size=3")});
  CHECK(told.code == 0);
  CHECK(bench.listing() == "a, b");
  CHECK(told.out.find("u:p") == std::string::npos);
  CHECK(told.err.find("u:p") == std::string::npos);
  CHECK(told.err.find("dTpw") == std::string::npos);
  CHECK(read_all(log).find("u:p") == std::string::npos);
  CHECK(bench.ask("SELECT count(*) FROM contract_batch_events "
                  "WHERE payload_json LIKE '%u:p%'") == "0");

  CHECK(bench.get({"-u", "u:wrong", server.url("/auth/c")}).outcome("/auth/c") ==
        "failed http_401");
  CHECK(bench.get({"-u", "nocolon", server.url("/auth/c")}).code == 2);
}

TEST_CASE("U37: -u goes to no other origin, and a URL's own login comes first") {
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};
  GetBench bench;
  bench.get({"-u", "u:p", first.url("/f/a?redirect=" + second.url("/f/b"))});
  REQUIRE(second.log().size() == 1);
  CHECK(header_of(second.log()[0], "authorization").empty());

  const std::string own = fmt::format("http://u:p@127.0.0.1:{}/auth/own?size=3", first.port());
  CHECK(bench.get({"-u", "x:y", own}).outcome("/auth/own") == "completed");
}

TEST_CASE("get: --netrc reads logins of the user's home") {
  const FaultServer server;
  GetBench bench;
  std::ofstream{bench.beside(".netrc")} << "machine 127.0.0.1 login u password p\n";
  CHECK(bench.get({"--netrc", server.url("/auth/a?size=3")}).outcome("/auth/a") == "completed");
  CHECK(bench.get({server.url("/auth/b?size=3")}).outcome("/auth/b") == "failed http_401");
}

TEST_CASE("S2-32: -x asks a proxy, with its login; --no-proxy and --noproxy go round it") {
  const FaultServer server;
  const ForwardProxy open;
  const ForwardProxy closed{"me:secret"};
  GetBench bench;
  CHECK(bench.get({"-x", open.url(), server.url("/f/a?size=3")}).outcome("/f/a") == "completed");
  CHECK(open.log().find("/f/a") != std::string::npos);
  CHECK(bench.get({"--retries", "0", "-x", closed.url(), server.url("/f/b")}).code == 1);
  const Told told = bench.get({"-v", "-x", closed.url("me:secret"), server.url("/f/c?size=3")});
  CHECK(told.outcome("/f/c") == "completed");
  CHECK(told.err.find("secret") == std::string::npos);

  bench.set("http_proxy=" + closed.url());
  CHECK(bench.get({"--no-proxy", server.url("/f/d?size=3")}).outcome("/f/d") == "completed");
  CHECK(bench.get({"--noproxy", "127.0.0.1", server.url("/f/e?size=3")}).outcome("/f/e") ==
        "completed");
  CHECK(bench.get({"--retries", "0", server.url("/f/g?size=3")}).code == 1);
}

TEST_CASE("X22: -k accepts any certificate, says so, and the file counts as unverified") {
  const FaultServer server;
  const TlsProxy tls{server.port()};
  GetBench bench;
  const Told told = bench.get({"-k", tls.url("/f/a?size=30&digest=good")});
  CHECK(told.outcome("/f/a") == "completed");
  CHECK(told.item("/f/a")["evidence"] == "unverified");
  CHECK(told.err.find("-k: certificates are not checked") != std::string::npos);

  const std::string sum = "sha256:" + FaultServer::content_sha256("b", 30);
  CHECK(bench.get({"-k", "--checksum", sum, tls.url("/f/b?size=30")}).item("/f/b")["evidence"] ==
        "hash");
  CHECK(bench.get({tls.url("/f/c")}).outcome("/f/c") == "failed tls_not_trusted");
}

TEST_CASE("X22: bytes of a server that was not checked are not joined with those of one that was") {
  const FaultServer server;
  const TlsProxy tls{server.port()};
  GetBench bench;
  const std::string url = tls.url("/f/a?size=3000000&limit_rate=1000000");
  Child unchecked{bench.command({"-k", "--segments", "1", url})};
  while (const auto line = unchecked.line())
    if (line->find(R"("progress")") != std::string::npos &&
        line->find(R"("have_bytes":0,)") == std::string::npos)
      break;
  unchecked.signal(SIGINT);
  unchecked.wait();
  REQUIRE(bench.listing().ends_with(".part"));

  const Told told = bench.get({"--cacert", tls.certificate(), "--segments", "1", url});
  CHECK(told.item("/f/a")["evidence"] == "etag");
  CHECK(server.log().back().range.empty());
  CHECK(bench.listing() == "a");
}

TEST_CASE("get: --cacert trusts the certificates of a file, and no others") {
  const FaultServer server;
  const TlsProxy tls{server.port()};
  const TlsProxy other{server.port()};
  GetBench bench;
  CHECK(bench.get({"--cacert", tls.certificate(), tls.url("/f/a")}).item("/f/a")["evidence"] ==
        "etag");
  CHECK(bench.get({"--cacert", other.certificate(), tls.url("/f/b")}).outcome("/f/b") ==
        "failed tls_not_trusted");
  CHECK(bench.get({"--cacert", bench.beside("none").string(), tls.url("/f/c")}).code == 2);
}

TEST_CASE("get: -4 and -6 connect over that version only") {
  const FaultServer four;
  const FaultServer six{"::1"};
  GetBench bench;
  CHECK(bench.get({"-6", six.url("/f/a?size=3")}).outcome("/f/a") == "completed");
  CHECK(bench.get({"-4", four.url("/f/b?size=3")}).outcome("/f/b") == "completed");
  CHECK(bench.get({"--retries", "0", "-6", fmt::format("http://localhost:{}/f/c", four.port())})
            .code == 1);
  CHECK(bench.get({"-4", fmt::format("http://localhost:{}/f/d?size=3", four.port())})
            .outcome("/f/d") == "completed");
  CHECK(bench.get({"-4", "-6", four.url("/f/e")}).code == 2);
}

TEST_CASE("get: with -4 a server that listens on ::1 only cannot be reached, and says so") {
  if (!has_ipv6()) return skip("this machine has no IPv6 loopback");
  const FaultServer six{"::1"};
  GetBench bench;
  const Words urls{six.url("/f/a?size=3"),
                   fmt::format("http://localhost:{}/f/b?size=3", six.port())};
  Words words{"--retries", "0", "-4"};
  words.insert(words.end(), urls.begin(), urls.end());
  const Told told = bench.get(words);

  CHECK(told.code == 1);
  for (const char* path : {"/f/a", "/f/b"}) {
    CHECK(told.outcome(path) == "failed cannot_connect");
    CHECK(told.item(path)["detail"].find("connect to") != std::string::npos);
  }
  CHECK(six.log().empty());

  CHECK(bench.get(urls).code == 0);
  CHECK(bench.listing() == "a, b");
}

TEST_CASE("get: --retries counts the retries of a file") {
  const FaultServer server;
  GetBench bench;
  CHECK(bench.get({"--retries", "0", server.url("/f/a?status=503")}).outcome("/f/a") ==
        "failed http_503");
  CHECK(server.log().size() == 1);
  CHECK(bench.get({"--retries", "1", server.url("/f/b?status=503")}).code == 1);
  CHECK(server.log().size() == 3);
  CHECK(bench.get({"--retries", "101", server.url("/f/a")}).code == 2);
}

TEST_CASE("get: --max-time fails a file that takes longer, and no other") {
  const FaultServer server;
  GetBench bench;
  const Told told = bench.get({"--max-time", "1.5", server.url("/f/slow?size=90000&drip=100"),
                               server.url("/f/quick?size=1000")});
  CHECK(told.outcome("/f/slow") == "failed max_time");
  CHECK(told.outcome("/f/quick") == "completed");
  CHECK(bench.listing().starts_with("quick, slow.haul-"));  // Its part stays for the next run.
  CHECK(bench.get({"--max-time", "soon", server.url("/f/a")}).code == 2);
  CHECK(bench.get({"--connect-timeout", "0", server.url("/f/a")}).code == 2);
  CHECK(bench.get({"--connect-timeout", "2.5", server.url("/f/b?size=3")}).code == 0);
}

TEST_CASE("get: --connect-timeout ends a connect that gets no answer, and no sooner") {
  const FullBacklog server;
  const auto command = [&](const GetBench& bench, const char* most) {
    return bench.command({"--retries", "0", "--connect-timeout", most,
                          fmt::format("http://127.0.0.1:{}/f/a", server.port())});
  };
  const GetBench patient;
  Child waits{command(patient, "5m")};
  REQUIRE(comes_true([&] { return server.connecting() == 1; }));

  const GetBench bench;
  const Steady before = system_clock().steady();
  const Told told = haul::testing::told(run_program(command(bench, "500ms")));

  CHECK(system_clock().steady() - before >= 500ms);
  CHECK(told.code == 1);
  CHECK(told.outcome("/f/a") == "failed timeout");
  CHECK(server.connecting() == 1);  // The other one, which began earlier.
  CHECK_FALSE(waits.has_ended());
  waits.kill();
}

TEST_CASE("get: -j is the number of files in transfer at once") {
  const FaultServer server;
  GetBench bench;
  Words words{"-j", "1"};
  for (const char* name : {"a", "b", "c"})
    words.push_back(server.url(fmt::format("/f/{}?size=20000&limit_rate=100000", name)));
  CHECK(bench.get(words).code == 0);
  CHECK(server.most_at_once() == 1);
}

TEST_CASE("get: --limit-rate is --speed-limit, with curl's suffixes") {
  const FaultServer server;
  GetBench bench;
  CHECK(bench.get({"--limit-rate", "512", server.url("/f/a")}).code == 2);
  const Steady before = system_clock().steady();
  CHECK(bench.get({"--limit-rate", "200K", server.url("/f/a?size=300000")}).code == 0);
  CHECK(system_clock().steady() - before >= 900ms);
  CHECK(bench.ask("SELECT count(*) FROM requests WHERE body LIKE '%\"speed_limit\":204800%'") ==
        "1");
}

TEST_CASE("get: a file has the time of its Last-Modified, unless --no-remote-time") {
  constexpr std::int64_t kPast = 1'704'067'200;  // 2024-01-01, as the server says.
  const FaultServer server;
  GetBench bench;
  CHECK(bench
            .get({server.url("/f/small?size=30"), server.url("/f/large?size=300000"),
                  server.url("/f/future?size=30&last_modified=future"),
                  server.url("/f/none?size=30&last_modified=none")})
            .code == 0);
  CHECK(bench.get({"--remote-time", server.url("/f/asked?size=30")}).code == 0);
  CHECK(bench.get({"--no-remote-time", server.url("/f/now?size=30")}).code == 0);

  for (const char* name : {"small", "large", "asked"})
    CHECK(mtime_of(bench.folder() / name) == kPast);
  for (const char* name : {"future", "none", "now"})
    CHECK(mtime_of(bench.folder() / name) > kPast + 86'400);
}

TEST_CASE("get: --compressed asks for a compressed body and stores it decoded") {
  const FaultServer server;
  const ForwardProxy proxy;
  GetBench bench;
  CHECK(bench.get({"--compressed", "-x", proxy.url(), server.url("/f/a.txt?size=30000")}).code ==
        0);
  CHECK(bench.holds("a.txt", FaultServer::content("a.txt", 30'000)));
  REQUIRE(server.log().size() == 1);
  CHECK(header_of(server.log()[0], "accept-encoding").find("gzip") != std::string::npos);
  const std::string url = server.url("/f/a.txt?size=30000");
  CHECK(proxy.log() == fmt::format("GET {} HTTP/1.1 200 gzip\n", url));

  const std::string plain = server.url("/f/b.txt?size=30000");
  CHECK(bench.get({"-x", proxy.url(), plain}).code == 0);
  CHECK(proxy.log().ends_with(fmt::format("GET {} HTTP/1.1 200 -\n", plain)));
}

TEST_CASE("get: -q prints nothing but what failed") {
  const FaultServer server;
  const GetBench bench;
  const Finished told =
      run_plainly(bench, {"-q", server.url("/f/a"), server.url("/f/b?status=404")});
  CHECK(told.code == 1);
  CHECK(told.out.empty());
  CHECK(told.err.find("/f/b") != std::string::npos);
  CHECK(told.err.find("http_404") != std::string::npos);
  CHECK(told.err.find("/f/a") == std::string::npos);
  CHECK(run_plainly(bench, {"-q", server.url("/f/c")}).err.empty());
}

TEST_CASE("get: -v prints requests, redirects, answers and ranges, and --log keeps them") {
  const FaultServer server;
  GetBench bench;
  const std::string log = bench.beside("log").string();
  const Told told = bench.get(
      {"-v", "--log", log, "--segments", "1",
       server.url("/f/a?redirect=" + server.url("/f/b%3Fsize%3D3000000%26reset_after%3D2000000%26"
                                                "reset_times%3D1%26token%3Dsecret1234567890123"))});
  CHECK(told.code == 1);  // The fault server has no switch "token".
  const Told whole = bench.get({"-v", "--log", log, "--segments", "1",
                                server.url("/f/c?size=3000000&reset_after=2000000&reset_times=1")});
  CHECK(whole.code == 0);

  CHECK(told.err.find("haul: GET " + server.url("/f/a")) != std::string::npos);
  CHECK(told.err.find("302 from ") != std::string::npos);
  CHECK(told.err.find("secret1234567890123") == std::string::npos);
  CHECK(whole.err.find("bytes=") != std::string::npos);
  CHECK(whole.err.find("206 from ") != std::string::npos);
  const std::string kept = read_all(log);
  CHECK(kept.find("206 from ") != std::string::npos);
  CHECK(kept.find("arrived ") != std::string::npos);
  CHECK(kept.find("secret1234567890123") == std::string::npos);
  CHECK(bench.get({"--log", bench.folder().string(), server.url("/f/d")}).code == 2);
}

TEST_CASE("get: --dry-run asks for heads only, says what would go where, and stores nothing") {
  const FaultServer server;
  GetBench bench;
  const Told told = bench.get({"--dry-run", "--exclude", "zip", server.url("/f/a.bin?size=77"),
                               server.url("/f/x?redirect=" + server.url("/f/y.bin")),
                               server.url("/f/gone?status=404"), server.url("/f/c.zip")});
  CHECK(told.code == 1);
  REQUIRE(told.lines.size() == 4);
  CHECK(told.lines[0].at("path") == (bench.folder() / "a.bin").string());
  CHECK(told.lines[0].at("size_bytes") == "77");
  CHECK(told.lines[1].at("path") == (bench.folder() / "y.bin").string());
  CHECK(told.lines[2].at("reason") == "fails: http_404");
  CHECK(told.lines[3].at("reason") == "skipped: excluded_extension");
  for (const LoggedRequest& request : server.log()) CHECK(request.method == "HEAD");
  CHECK_FALSE(std::filesystem::exists(bench.folder()));
  CHECK_FALSE(std::filesystem::exists(bench.beside("state")));
  CHECK(bench.get({"--dry-run", server.url("/f/a.bin")}).code == 0);
  CHECK(bench.get({"--dry-run", "--discover", server.url("/page?links=a")}).code == 2);
}

TEST_CASE("get: --save-failed writes the URLs that failed, and -i reads them") {
  const FaultServer server;
  GetBench bench;
  const std::string list = bench.beside("failed").string();
  CHECK(bench
            .get({"--retries", "0", "--save-failed", list, server.url("/f/a"),
                  server.url("/f/b?status=503&status_times=1")})
            .code == 1);
  CHECK(read_all(list) == server.url("/f/b?status=503&status_times=1") + "\n");
  CHECK(bench.get({"--save-failed", list, "-i", list}).code == 0);
  CHECK(read_all(list).empty());
  CHECK(bench.listing() == "a, b");
  CHECK(bench.get({"--save-failed", "/proc/none", server.url("/f/c")}).code == 2);
}

TEST_CASE("get: --version prints the version, and --url takes a URL as in curl") {
  const FaultServer server;
  GetBench bench;
  CHECK(run_program({HAUL_BINARY, "get", "--version"}).out ==
        run_program({HAUL_BINARY, "--version"}).out);
  CHECK(bench.get({"--url", server.url("/f/a?size=1"), server.url("/f/b?size=1")}).code == 0);
  CHECK(bench.listing() == "a, b");
}

TEST_CASE("an unknown option is refused with the most similar one") {
  const Finished get = run_program({HAUL_BINARY, "get", "--limit-rat", "1M", "http://h/"});
  CHECK(get.code == 2);
  CHECK(get.err == "haul: no such option \"--limit-rat\"; did you mean \"--limit-rate\"?\n");
  CHECK(run_program({HAUL_BINARY, "get", "--overwrit", "http://h/"}).err ==
        "haul: no such option \"--overwrit\"; did you mean \"--overwrite\"?\n");
  const Finished jobs = run_program({HAUL_BINARY, "jobs", "--lifecycel=x"});
  CHECK(jobs.code == 2);
  CHECK(jobs.err == "haul: no such option \"--lifecycel\"; did you mean \"--lifecycle\"?\n");
  CHECK(run_program({HAUL_BINARY, "get", "--xyzzyxyzzy", "http://h/"}).err ==
        "haul: no such option \"--xyzzyxyzzy\"; haul get --help lists them\n");
}

TEST_CASE("get: with --daemon, options of this process are refused, and the others go along") {
  const FaultServer server;
  const Daemon daemon;
  const auto run_at = [&](Words words) {
    words.insert(words.begin(), {HAUL_BINARY, "get", "--daemon", "--daemon-url",
                                 fmt::format("http://127.0.0.1:{}", daemon.port()), "--data",
                                 daemon.data().string()});
    return run_program(words);
  };
  const std::vector<Words> local = {
      {"-o", "-"},    {"--dry-run"},         {"-q"}, {"-v"}, {"-j", "1"},
      {"--log", "x"}, {"--save-failed", "x"}};
  for (Words words : local) {
    words.push_back(server.url("/f/a"));
    const Finished told = run_at(words);
    CAPTURE(words.front());
    CHECK(told.code == 2);
    CHECK(told.err.find("works only without --daemon") != std::string::npos);
  }
  CHECK(server.log().empty());

  CHECK(run_at({"-u", "u:p", "-o", "sub/mine.bin", "--retries", "0", server.url("/auth/b?size=9")})
            .code == 0);
  CHECK(std::filesystem::file_size(daemon.downloads() / "sub" / "mine.bin") == 9);
  CHECK(daemon.get("/api/v1/jobs/1").body().find("u:p") == std::string::npos);
}

TEST_CASE("get: curl's -C takes only -, because haul finds the offset itself") {
  const FaultServer server;
  GetBench bench;
  CHECK(bench.get({"-C", "100", server.url("/f/a")}).code == 2);
  CHECK(bench.get({"-C", "-", "-fsSLOJ", "--create-dirs", server.url("/f/a?size=5")}).code == 0);
  CHECK(bench.listing() == "a");
}
