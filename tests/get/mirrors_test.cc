// A file with several sources: the next one is asked when one fails, several at once only if a hash
// proves the file, and never are bytes of two versions joined.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "base/hash.h"
#include "support/process/get_bench.h"
#include "support/run/moment.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20U;
constexpr std::size_t kLarge = 33 * kMiB;

std::string path(std::size_t size, const std::string& switches = "") {
  return fmt::format("/f/a.bin?size={}{}", size, switches);
}

std::string sum_of(std::size_t size) {
  return "sha256:" + FaultServer::content_sha256("a.bin", size);
}

const std::string& large() {
  static const std::string bytes = FaultServer::content("a.bin", kLarge);
  return bytes;
}

const std::string& large_sum() {
  static const std::string sum = sum_of(kLarge);
  return sum;
}

std::string evidence(const GetBench& bench) {
  return bench.ask("SELECT evidence FROM items ORDER BY n LIMIT 1");
}

bool asked_with_range(const FaultServer& server) {
  return std::ranges::any_of(server.log(), [](const auto& each) { return !each.range.empty(); });
}

}  // namespace

TEST_CASE("mirrors: a source that answers 404 is left for the next, which the receipt names") {
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};
  GetBench bench;

  const Told told =
      bench.get({first.url(path(5'000, "&status=404")), "--mirror", second.url(path(5'000))});

  CHECK(told.code == 0);
  CHECK(bench.holds("a.bin", FaultServer::content("a.bin", 5'000)));
  CHECK(evidence(bench).find(second.url(path(5'000))) != std::string::npos);
  CHECK(first.log().size() == 1);
}

TEST_CASE("mirrors: a server that breaks off each answer is left after one retry") {
  const FaultServer broken;
  const FaultServer whole{"127.0.0.2"};
  GetBench bench;

  CHECK(bench.get({broken.url(path(5'000, "&reset_after=0")), "--mirror", whole.url(path(5'000))})
            .code == 0);
  CHECK(bench.holds("a.bin", FaultServer::content("a.bin", 5'000)));
  CHECK(broken.log().size() == 2);
}

TEST_CASE("mirrors: a server that is down is left for the next") {
  std::string dead;
  {
    dead = FaultServer{}.url(path(5'000));
  }
  const FaultServer alive{"127.0.0.2"};
  GetBench bench;

  CHECK(bench.get({dead, "--mirror", alive.url(path(5'000))}).code == 0);
  CHECK(bench.holds("a.bin", FaultServer::content("a.bin", 5'000)));
}

TEST_CASE("mirrors: if all sources fail, the file fails with the fault of the last") {
  const FaultServer server;
  GetBench bench;

  const Told told = bench.get(
      {server.url(path(5'000, "&status=404")), "--mirror", server.url(path(5'000, "&status=410"))});

  CHECK(told.code == 1);
  CHECK(told.outcome("a.bin") == "failed http_410");
  CHECK(bench.files().empty());
}

TEST_CASE("mirrors: a source with a wrong hash is left for the next") {
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};
  GetBench bench;

  const Told told = bench.get({"--checksum", sum_of(5'000), first.url(path(5'000, "&seed=7")),
                               "--mirror", second.url(path(5'000))});

  CHECK(told.code == 0);
  CHECK(bench.holds("a.bin", FaultServer::content("a.bin", 5'000)));
  CHECK(bench.files().size() == 1);
}

TEST_CASE("mirrors: without a hash, a mirror of another size is refused") {
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};
  GetBench bench;

  const Told told = bench.get({"--retries", "0", first.url(path(200'000, "&reset_after=100000")),
                               "--mirror", second.url(path(200'001))});

  CHECK(told.code == 1);
  CHECK(told.outcome("a.bin") == "failed size_mismatch");
  CHECK(bench.files().empty());
}

TEST_CASE("mirrors: without a hash, a mirror with other bytes is fetched from its first byte") {
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};
  GetBench bench;

  const Told told = bench.get({"--retries", "0", first.url(path(2 * kMiB, "&reset_after=1500000")),
                               "--mirror", second.url(path(2 * kMiB, "&seed=7"))});

  CHECK(told.code == 0);
  CHECK(!asked_with_range(second));
  CHECK(bench.content("a.bin").substr(0, 100'000) !=
        FaultServer::content("a.bin", 2 * kMiB).substr(0, 100'000));
  CHECK(bench.files().size() == 1);
}

TEST_CASE("mirrors: with a hash, the next source goes on where the first broke off") {
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};
  GetBench bench;

  const Told told = bench.get({"--retries", "0", "--checksum", sum_of(2 * kMiB),
                               first.url(path(2 * kMiB, "&reset_after=1500000")), "--mirror",
                               second.url(path(2 * kMiB))});

  CHECK(told.code == 0);
  CHECK(bench.holds("a.bin", FaultServer::content("a.bin", 2 * kMiB)));
  REQUIRE(second.log().size() == 1);
  CHECK(second.log().front().range.starts_with("bytes="));
  CHECK(second.log().front().sent < kMiB);
}

TEST_CASE("mirrors: several sources share a large file only if a hash proves it") {
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};

  GetBench bench;
  CHECK(
      bench.get({"--segments", "1", first.url(path(kLarge)), "--mirror", second.url(path(kLarge))})
          .code == 0);
  CHECK(bench.holds("a.bin", large()));
  CHECK(second.log().empty());

  GetBench hashed;
  CHECK(hashed
            .get({"--segments", "1", "--checksum", large_sum(), first.url(path(kLarge)), "--mirror",
                  second.url(path(kLarge))})
            .code == 0);
  CHECK(hashed.holds("a.bin", large()));
  CHECK(asked_with_range(second));
  CHECK(evidence(hashed).find("\"sources\":\"http://127.0.0.1") != std::string::npos);
}

TEST_CASE("mirrors: a mirror that sends other bytes, another size or errors spoils nothing") {
  for (const std::string switches :
       {"&seed=7", "&size=34603009", "&status=503", "&ranges=ignore", "&content_range=wrong_start",
        "&close_after=100000", "&redirect_loop=3", "&login=1"}) {
    CAPTURE(switches);
    const FaultServer first;
    const FaultServer second{"127.0.0.2"};
    GetBench bench;
    const bool has_size = switches.starts_with("&size");
    const std::string other =
        has_size ? fmt::format("/f/a.bin?{}", switches.substr(1)) : path(kLarge, switches);

    const Told told = bench.get({"--segments", "1", "--checksum", large_sum(),
                                 first.url(path(kLarge)), "--mirror", second.url(other)});

    CAPTURE(told.out);
    CHECK(told.code == 0);
    CHECK(bench.holds("a.bin", large()));
    CHECK(bench.files().size() == 1);
  }
}

TEST_CASE("mirrors: a mirror may redirect, and its host's limits hold") {
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};
  GetBench bench;

  const Told told =
      bench.get({"--segments", "1", "--checksum", large_sum(), first.url(path(kLarge)), "--mirror",
                 second.url(path(kLarge, "&redirect_chain=2"))});

  CHECK(told.code == 0);
  CHECK(bench.holds("a.bin", large()));
  CHECK(std::ranges::any_of(second.log(), [](const auto& each) { return each.status == 206; }));
  CHECK(second.most_at_once() == 1);
}

TEST_CASE("mirrors: after kill -9 the parts of both sources are kept") {
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};
  GetBench bench;
  const std::string stalls = path(kLarge, "&stall_after=9000000&stall_times=1");
  const Words words{"--segments",      "1",        "--checksum",      large_sum(),
                    first.url(stalls), "--mirror", second.url(stalls)};
  {
    Child get{bench.command(words)};
    const char* const kept = "SELECT count(*) FROM items WHERE checkpoint LIKE '%9000000,%'";
    const auto is_kept = [&] { return !bench.files().empty() && bench.ask(kept) == "1"; };
    for (int i = 0; i < 1'000 && !is_kept(); ++i) let_pass(20ms);
    REQUIRE(is_kept());
    get.kill();
  }

  CHECK(bench.get(words).code == 0);
  CHECK(bench.holds("a.bin", large()));
  CHECK(bench.files().size() == 1);
  std::uint64_t sent = 0;
  for (const FaultServer* server : {&first, &second})
    for (const LoggedRequest& each : server->log()) sent += each.sent;
  CHECK(sent < kLarge + 8 * kMiB);
}

TEST_CASE("mirrors: a file of an earlier run stays, although each mirror has its own tag") {
  for (const bool is_hashed : {true, false}) {
    CAPTURE(is_hashed);
    const FaultServer first;
    const FaultServer second{"127.0.0.2"};
    GetBench bench;
    Words words{first.url(path(5'000, "&etag=%22x%22&status=404&status_times=1")), "--mirror",
                second.url(path(5'000))};
    if (is_hashed) words.insert(words.end(), {"--checksum", sum_of(5'000)});

    REQUIRE(bench.get(words).code == 0);
    CHECK(bench.get(words).code == 0);

    CHECK(bench.listing() == "a.bin");
    if (is_hashed) CHECK(first.log().size() == 1);
  }
}

TEST_CASE("mirrors: a list has them on one line, separated by tabs") {
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};
  GetBench bench;
  std::ofstream{bench.beside("list")} << first.url("/f/x?status=404") << "\t" << second.url("/f/x")
                                      << "\n out=x.bin\n"
                                      << first.url("/f/y.bin") << "\n";

  CHECK(bench.get({"-i", bench.beside("list")}).code == 0);
  CHECK(bench.listing() == "x.bin, y.bin");
}

TEST_CASE("mirrors: what is no mirror is refused before anything is fetched") {
  const FaultServer server;
  GetBench bench;
  CHECK(bench.get({server.url("/f/a"), "--mirror", "ftp://h/a"}).code == 2);
  CHECK(bench.get({server.url("/f/a"), server.url("/f/b"), "--mirror", "http://h/a"}).code == 2);
  Words many{server.url("/f/a")};
  for (int i = 0; i < 16; ++i) many.insert(many.end(), {"--mirror", fmt::format("http://h/{}", i)});
  CHECK(bench.get(many).code == 2);
  CHECK(server.log().empty());
}
