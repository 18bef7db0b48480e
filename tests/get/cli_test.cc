// The command line itself: where URLs come from, the exit codes, the fields of --json.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "support/process/get_bench.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;

namespace {

std::size_t count_of(std::string_view words, std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(words); at != std::string_view::npos;
       at = text.find(words, at + words.size()))
    ++count;
  return count;
}

// Without --json, and with its output in a pipe.
std::string said_to_pipe(const GetBench& bench, const Words& words) {
  Words all = bench.command(words);
  std::erase(all, "--json");
  return run_program(all).out;
}

std::string names_of(const Fields& fields) {
  std::string names;
  for (const auto& [name, text] : fields) names += (names.empty() ? "" : " ") + name;
  return names;
}

}  // namespace

TEST_CASE("get: an option that can be given often takes one value each time") {
  const FaultServer server;
  GetBench bench;
  const Told told = bench.get({"--exclude", "zip,rar", "--header", "X-A: 1", "--exclude", "exe",
                               "--header", "X-B: 2", "--only", "images",
                               server.url("/f/a.png?size=50"), server.url("/f/b.exe")});

  CHECK(told.code == 0);
  CHECK(told.outcome("/f/b.exe") == "skipped excluded_extension");
  REQUIRE(server.log().size() == 1);
  CHECK(server.log()[0].headers.at("x-a") == "1");
  CHECK(server.log()[0].headers.at("x-b") == "2");
}

TEST_CASE("get: -i reads addresses from a file, one a line, past blanks and comments") {
  const FaultServer server;
  GetBench bench;
  const std::filesystem::path list = bench.beside("list");
  std::ofstream{list} << "# mine\n\n  " << server.url("/f/a?size=1") << "  \r\n"
                      << server.url("/f/b?size=2");
  const Told told = bench.get({"-i", list.string(), server.url("/f/c?size=3")});

  CHECK(told.code == 0);
  CHECK(bench.listing() == "a, b, c");
}

TEST_CASE("get: -i - reads addresses from standard input") {
  const FaultServer server;
  GetBench bench;
  const std::filesystem::path list = bench.beside("list");
  std::ofstream{list} << server.url("/f/a?size=1") << "\n" << server.url("/f/b?size=2") << "\n";
  Words words{"sh", "-c", R"(exec "$@" < "$0")", list.string()};
  for (const std::string& word : bench.command({"-i", "-"})) words.push_back(word);

  CHECK(run_program(words).code == 0);
  CHECK(bench.listing() == "a, b");
}

TEST_CASE("get: a store of another version of haul is refused, with its folder and a way out") {
  const FaultServer server;
  for (const char* version : {"1", "999"}) {
    CAPTURE(version);
    GetBench bench;
    REQUIRE(bench.get({server.url("/f/a?size=1")}).code == 0);
    const std::filesystem::path stores = bench.beside("state") / "haul" / "get";
    const std::filesystem::path store = std::filesystem::directory_iterator { stores } -> path();
    REQUIRE(run_program({"sqlite3", (store / "haul.db").string(),
                         fmt::format("PRAGMA user_version = {}", version)})
                .code == 0);

    const Told told = bench.get({server.url("/f/b?size=1")});

    CHECK(told.code != 0);
    CHECK(told.err.find(stores.string()) != std::string::npos);
    CHECK(told.err.find("or remove that folder") != std::string::npos);
    std::filesystem::remove_all(stores);
    CHECK(bench.get({server.url("/f/b?size=1")}).code == 0);
    CHECK(bench.listing() == "a, b");
  }
}

TEST_CASE("get: 0 if all arrived, 1 if something failed, 2 if it was not understood") {
  const FaultServer server;
  GetBench bench;
  const std::string good = server.url("/f/a");
  const std::string other = server.url("/f/b");
  struct CodeCase {
    Words words;
    int code;
  };
  const std::vector<CodeCase> cases = {
      {{good}, 0},
      {{"--exclude", "zip", server.url("/f/c.zip")}, 0},
      {{good, server.url("/f/d?status=404")}, 1},
      {{"file:///etc/passwd"}, 2},
      {{good, "notaurl"}, 2},
      {{}, 2},
      {{"-i", bench.beside("none").string()}, 2},
      {{"-o", "x", good, other}, 2},
      {{"--delay", "soon", good}, 2},
      {{"--per-host", "0", good}, 2},
      {{"--only", "pictures", good}, 2},
      {{"--nonsense", good}, 2},
      {{"--engine", "yt-dlp", good}, 2},
      {{"--since", "yesterday", good}, 2},
      {{"--checksum", "sha256:abc", good}, 2},
      {{"--header", "no colon", good}, 2},
      {{"--checksum", "md5:00000000000000000000000000000000", good, other}, 2},
      {{"--proxy", "http://:0", good}, 2},
      {{"--proxy", "127.0.0.1:99999", good}, 2},
      {{"--cookies", bench.beside("none").string(), good}, 2},
  };
  for (const CodeCase& one : cases) {
    const Told told = bench.get(one.words);
    CAPTURE(told.err);
    CAPTURE(told.out);
    CHECK(told.code == one.code);
    if (told.lines.empty()) CHECK_FALSE(told.err.empty());
  }
  CHECK(bench.get({good, "notaurl"}).err.find(R"(\"notaurl\": not an http)") != std::string::npos);
  CHECK(bench.get({"--min-size", "5", "--max-size", "4", good})
            .err.find("--min-size: larger than --max-size") != std::string::npos);
}

TEST_CASE("get: a bad line of a list is named by file, line and text") {
  GetBench bench;
  const std::filesystem::path list = bench.beside("list");
  std::ofstream{list} << "# mine\n\nhttp://127.0.0.1:8080/a\nnotaurl\n";
  const Told told = bench.get({"-i", list.string()});

  CHECK(told.code == 2);
  CHECK(told.err.find(list.string() + R"(:4: \"notaurl\": not an http)") != std::string::npos);
}

TEST_CASE("get: sizes that are none are refused in one short line") {
  const FaultServer server;
  GetBench bench;
  const std::string good = server.url("/f/a?size=1");
  for (const char* option : {"--speed-limit", "--keep-free", "--max-unknown-size", "--min-size"}) {
    const Told told = bench.get({option, "-5", good});
    CAPTURE(told.err);
    CHECK(told.code == 2);
    CHECK(told.err.find(" is not a size from ") != std::string::npos);
    CHECK(told.err.size() < 200);
  }
  CHECK(bench.get({"--speed-limit", "0", good}).code == 2);
  CHECK(bench.get({"--speed-limit", "1023", good}).code == 2);
  CHECK(bench.get({"--max-unknown-size", "0", good}).code == 2);
  CHECK(server.log().empty());
  CHECK(bench.get({"--speed-limit", "1k", "--keep-free", "0", "--max-unknown-size", "1", good})
            .code == 0);
}

TEST_CASE("get: a folder that can be none is refused at once; one that is missing is made") {
  const FaultServer server;
  GetBench bench;
  std::ofstream{bench.beside("file")} << "x";
  const std::string file = bench.beside("file").string();
  for (const std::string& folder :
       {std::string{}, file, file + "/below", std::string{"/proc/no"}}) {
    const Finished told = run_program({"env", "XDG_STATE_HOME=" + bench.beside("state").string(),
                                       HAUL_BINARY, "get", "-d", folder, server.url("/f/a")});
    CAPTURE(folder);
    CHECK(told.code == 2);
    CHECK(told.err.find("haul: -d: ") == 0);
  }
  CHECK(server.log().empty());
  CHECK(bench.get({server.url("/f/a?size=1")}).code == 0);
  CHECK(bench.listing() == "a");
}

TEST_CASE("get: a wrong variable of an engine is refused, and nothing runs without a sandbox") {
  const FaultServer server;
  GetBench bench;
  bench.set("HAUL__ENGINE__SANDBOX=required");
  const Told told = bench.get({server.url("/f/a?size=1")});
  CHECK(told.code == 2);
  CHECK(told.err.find("HAUL__ENGINE__SANDBOX: engine.sandbox: expected prefer or require") !=
        std::string::npos);
  CHECK(server.log().empty());
  CHECK_FALSE(std::filesystem::exists(bench.folder()));

  bench.set("HAUL__ENGINE__SANDBOX=prefer");
  CHECK(bench.get({server.url("/f/a?size=1")}).code == 0);
}

TEST_CASE("get: -o names the one file, and is made safe like any name") {
  const FaultServer server;
  GetBench bench;
  CHECK(bench.get({"-o", "mine.bin", server.url("/f/a")}).code == 0);
  CHECK(bench.get({"-o", "a:b", server.url("/f/b")}).code == 0);
  CHECK(bench.listing() == "a_b, mine.bin");
}

TEST_CASE("get: --json has these fields, and no program has to guess") {
  const FaultServer server;
  GetBench bench;
  const Told told = bench.get({"--exclude", "zip", server.url("/f/a?size=240000&limit_rate=200000"),
                               server.url("/f/b?status=410"), server.url("/f/c.zip")});

  for (const Fields& line : told.of_type("item"))
    CHECK(names_of(line) == "detail evidence name outcome reason size_bytes type url");
  CHECK(names_of(told.summary()) ==
        "bytes completed downloaded ending failed failures passed_ms resumed_bytes skipped success "
        "total type");
  const auto failures = read_array(told.summary()["failures"]);
  REQUIRE(failures);
  REQUIRE(failures->size() == 1);
  const auto failure = read_object(failures->front());
  REQUIRE(failure);
  CHECK(failure->size() == 5);
  for (const Fields& line : told.of_type("progress"))
    CHECK(
        names_of(line) ==
        "active completed downloaded enumeration_complete eta_least_s eta_s failed have_bytes note "
        "size_bytes size_least_bytes skipped speed_bytes_per_s total type");
  CHECK(told.lines.back().at("type") == "summary");
  CHECK(told.item("/f/a?")["evidence"] == "etag");
  CHECK(told.item("/f/a?")["size_bytes"] == "240000");
  CHECK(told.outcome("/f/b?") == "failed http_410");
}

TEST_CASE("get: into a pipe each retry and each failure is one line, and a new version is named") {
  const FaultServer server;
  const GetBench bench;
  const std::string gone = server.url("/f/b?status=404");
  const std::string changed = server.url("/f/c?etag_change_after=1");
  const std::string first =
      said_to_pipe(bench, {server.url("/f/a?status=503&status_times=1"), gone, changed});
  const std::string second = said_to_pipe(bench, {changed});

  CAPTURE(first);
  CHECK(count_of("Retrying in ", first) == 1);
  CHECK(count_of("· a  Retrying in ", first) == 1);
  CHECK(count_of(" s (http_503)\n", first) == 1);
  CHECK(count_of("✗ b  failed: http_404 (the server answered 404)  " + gone + "\n", first) == 1);
  CHECK(count_of(gone, first) == 1);
  CHECK(count_of("✓ a  1.0 KiB (etag)\n", first) == 1);
  CHECK(count_of("new version", first) == 0);
  CAPTURE(second);
  CHECK(count_of("✓ c (2)  1.0 KiB (etag)  the server has a new version; the old file stays: c\n",
                 second) == 1);
}
