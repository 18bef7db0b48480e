// A later `haul get` goes on with the parts of an earlier one if address and destination are the
// same, whatever else the command says. `haul get --clean` removes the parts that no one wants.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/draw/bytes.h"
#include "support/process/get_bench.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;

namespace {

constexpr int kLinesMax = 30;  // Progress lines, one per second. More means that the test hangs.

std::size_t parts_in(const GetBench& bench) {
  std::size_t count = 0;
  for (const std::string& name : bench.files()) count += name.ends_with(".part") ? 1 : 0;
  return count;
}

// How many items can be resumed.
std::string checkpoints_in(const GetBench& bench) {
  return bench.files().empty()
             ? "0"
             : bench.ask("SELECT count(*) FROM items WHERE checkpoint IS NOT NULL");
}

// Two files that stall in the middle once, and a command that was stopped there.
struct Stopped {
  FaultServer server;
  GetBench bench;
  std::string a = server.url("/f/a?size=6000000&stall_after=4000000&stall_times=1");
  std::string b = server.url("/f/b?size=6000000&stall_after=4000000&stall_times=1");

  Stopped() {
    Child child{bench.command({a, b})};
    // haul writes a checkpoint after two seconds.
    for (int i = 0; i < kLinesMax && checkpoints_in(bench) != "2"; ++i) REQUIRE(child.line());
    ::kill(child.pid(), SIGINT);
    CHECK(told(child).code == 1);
    REQUIRE(parts_in(bench) == 2);
  }
  // The last request for the file: "bytes=4000000-", or empty if it had no range.
  std::string last_range(const std::string& path) const {
    std::string range;
    for (const LoggedRequest& request : server.log())
      if (request.path == path) range = request.range;
    return range;
  }
};

}  // namespace

TEST_CASE("S2-31: another speed limit, other segments and one more line resume the parts") {
  Stopped s;
  const Told told =
      s.bench.get({"--speed-limit", "50M", "--segments", "1", s.a, s.server.url("/f/c"), s.b});

  CHECK(told.code == 0);
  CHECK(s.bench.listing() == "a, b, c");
  CHECK(s.bench.holds("a", FaultServer::content("a", 6'000'000)));
  CHECK(s.bench.holds("b", FaultServer::content("b", 6'000'000)));
  CHECK(s.last_range("/f/a").starts_with("bytes="));
  CHECK(s.last_range("/f/b").starts_with("bytes="));

  // The first command finds both files, and fetches neither.
  Told again = s.bench.get({s.a, s.b});
  CHECK(again.code == 0);
  CHECK(again.item("/f/a")["evidence"] == "already_here");
  CHECK(s.bench.listing() == "a, b, c");
}

TEST_CASE("S2-31: a list with one more line resumes the parts of the shorter one") {
  const FaultServer server;
  GetBench bench;
  const std::string a = server.url("/f/a?size=6000000&stall_after=4000000&stall_times=1");
  const std::filesystem::path list = bench.beside("list");
  std::ofstream{list} << a << "\n";
  {
    Child child{bench.command({"-i", list.string()})};
    for (int i = 0; i < kLinesMax && checkpoints_in(bench) != "1"; ++i) REQUIRE(child.line());
    ::kill(child.pid(), SIGINT);
    CHECK(told(child).code == 1);
    REQUIRE(parts_in(bench) == 1);
  }
  std::ofstream{list, std::ios::app} << server.url("/f/b?size=9") << "\n";
  const Told longer = bench.get({"-i", list.string()});

  CHECK(longer.code == 0);
  CHECK(bench.listing() == "a, b");
  CHECK(bench.holds("a", FaultServer::content("a", 6'000'000)));
  const auto is_resumed = [](const LoggedRequest& request) {
    return request.path == "/f/a" && request.range.starts_with("bytes=");
  };
  const std::vector<LoggedRequest> log = server.log();
  CHECK(log.size() == 3);
  CHECK(std::ranges::count_if(log, is_resumed) == 1);
}

TEST_CASE("F34: a login page in place of the rest of a file fails it and keeps its part") {
  const FaultServer server;
  GetBench bench;
  const std::string url =
      server.url("/f/a.bin?size=6000000&reset_after=4000000&reset_times=1&login_after=1&login=1");

  const Told page = bench.get({url});
  CHECK(page.code == 1);
  CHECK(bench.ask("SELECT reason FROM items") == "page_instead");
  CHECK(parts_in(bench) == 1);

  const Told again = bench.get({server.url("/f/b.bin?size=9")});
  CHECK(again.code == 0);
  CHECK(parts_in(bench) == 1);
}

TEST_CASE("F34: a file that its server calls JSON goes on, and a new version of it is taken") {
  const FaultServer server;
  const auto lines = [&](const std::string& more) {
    return server.url("/f/a.jsonl?size=6000000&type=application/json" + more);
  };
  SUBCASE("the rest of the same version") {
    GetBench bench;
    CHECK(bench.get({lines("&reset_after=4000000&reset_times=1")}).code == 0);
    CHECK(bench.holds("a.jsonl", FaultServer::content("a.jsonl", 6'000'000)));
    CHECK(std::ranges::any_of(server.log(), [](const LoggedRequest& request) {
      return request.range.starts_with("bytes=");
    }));
  }
  SUBCASE("a new version in place of the rest") {
    GetBench bench;
    CHECK(bench.get({lines("&reset_after=4000000&reset_times=1&etag_change_after=1")}).code == 0);
    CHECK(bench.holds("a.jsonl",
                      FaultServer::content("a.jsonl", 6'000'000, FaultServer::Version::changed)));
  }
}

TEST_CASE("F34: a large file that its server calls a page comes over several connections") {
  const FaultServer server;
  GetBench bench;
  constexpr std::int64_t kSize = 40 << 20;
  const std::string url = server.url("/f/setup.bin?size=41943040&type=text/html");

  CHECK(bench.get({"--segments", "4", url}).code == 0);

  CHECK(bench.holds("setup.bin", FaultServer::content("setup.bin", kSize)));
  CHECK(server.log().size() == 4);
}

TEST_CASE("S2-31, Z-7: a file goes on after the fifth kill -9, too") {
  const FaultServer server;
  GetBench bench;
  const std::string url = server.url("/f/a?size=16000000&limit_rate=1000000");
  // What a later start can go on with. haul stores it after a MiB, then every two seconds.
  const auto kept = [&] {
    return bench.files().empty() ? std::string{"0"} : bench.ask("SELECT max(have) FROM items");
  };
  for (int kills = 0; kills < 6; ++kills) {
    const std::string before = kept();
    Child child{bench.command({url})};
    for (int i = 0; i < kLinesMax && kept() == before; ++i) REQUIRE(child.line());
    ::kill(child.pid(), SIGKILL);
    child.wait();
  }

  const Told last = bench.get({url});

  CHECK(last.code == 0);
  CHECK(bench.holds("a", FaultServer::content("a", 16'000'000)));
  const std::vector<LoggedRequest> log = server.log();
  for (std::size_t i = 1; i < log.size(); ++i) CHECK(log[i].range.starts_with("bytes="));
}

TEST_CASE("--clean says what it removed and what it kept, or that there was nothing") {
  Stopped s;
  const std::string foreign = "x.haul-a1b2c3d4e5f6-3-14-1.part";
  s.bench.put(foreign, "of a daemon");
  Words removed;
  for (const std::string& name : s.bench.files())
    if (const auto size = std::filesystem::file_size(s.bench.folder() / name); name != foreign)
      removed.push_back(
          fmt::format("removed {}  {}\n", name, cli::bytes_text(static_cast<std::int64_t>(size))));
  REQUIRE(removed.size() == 2);
  const std::string kept =
      fmt::format("kept    {}  11 B  (another haul's, such as the daemon's)\n", foreign);
  const auto clean = [&] {
    Words words = s.bench.command({"--clean"});
    std::erase(words, "--json");
    return run_program(words);
  };

  const Finished first = clean();
  CHECK(first.code == 0);
  const std::string one_order = removed[0] + removed[1] + kept;
  CHECK((first.out == one_order || first.out == removed[1] + removed[0] + kept));
  CHECK(s.bench.listing() == foreign);
  const Finished second = clean();
  CHECK(second.code == 0);
  CHECK(second.out == kept + "No partial files of haul get here\n");
}

TEST_CASE("--clean lists and removes the parts of earlier commands, and no others") {
  Stopped s;
  const std::string foreign = "x.haul-a1b2c3d4e5f6-3-14-1.part";
  s.bench.put(foreign, "of a daemon");
  CHECK(s.bench.get({s.a}).code == 0);  // The part of b is left: no command wants it now.
  REQUIRE(parts_in(s.bench) == 2);

  const Told cleaned = s.bench.get({"--clean"});

  CHECK(cleaned.code == 0);
  CHECK(cleaned.out.find("\"removed\":[{\"name\":\"b.haul-") != std::string::npos);
  CHECK(cleaned.out.find("\"others\":[{\"name\":\"x.haul-") != std::string::npos);
  CHECK(s.bench.listing() == "a, " + foreign);
  CHECK(s.bench.get({"--clean", s.b}).code == 2);
  CHECK(s.bench.get({s.b}).code == 0);  // From the first byte.
  CHECK(s.last_range("/f/b").empty());
}

TEST_CASE("--max-time keeps the part of a file that takes too long, and the next run resumes it") {
  const FaultServer server;
  GetBench bench;
  const std::string url = server.url("/f/a?size=6000000&stall_after=4000000&stall_times=1");
  CHECK(bench.get({"--max-time", "2", url}).outcome("/f/a") == "failed max_time");
  REQUIRE(parts_in(bench) == 1);
  CHECK(bench.get({server.url("/f/b?size=9")}).code == 0);
  REQUIRE(parts_in(bench) == 1);  // Another command leaves it.
  CHECK(bench.get({url}).code == 0);

  CHECK(bench.listing() == "a, b");
  CHECK(bench.holds("a", FaultServer::content("a", 6'000'000)));
  CHECK(server.log().back().range == "bytes=4000000-");

  CHECK(bench.get({"--max-time", "1", server.url("/f/c?size=6000000&stall_after=4000000")}).code ==
        1);
  REQUIRE(parts_in(bench) == 1);
  CHECK(bench.get({"--clean"}).code == 0);
  CHECK(bench.listing() == "a, b");
}

TEST_CASE("a file that fails after its last retry keeps its part, and the next run resumes it") {
  const FaultServer server;
  GetBench bench;
  const std::string url = server.url("/f/a?size=6000000&reset_after=4000000&reset_times=2");
  CHECK(bench.get({"--retries", "0", url}).outcome("/f/a") == "failed connection_lost");
  REQUIRE(parts_in(bench) == 1);

  const Told again = bench.get({url});
  CHECK(again.code == 0);
  const std::string range = server.log().at(1).range;
  REQUIRE(range.starts_with("bytes="));
  CHECK(again.summary()["bytes"] == "6000000");
  // The server breaks off once more, so the run resumes twice; only the first part is older.
  CHECK(range == fmt::format("bytes={}-", again.summary()["resumed_bytes"]));
  CHECK(bench.listing() == "a");
  CHECK(bench.holds("a", FaultServer::content("a", 6'000'000)));
}
