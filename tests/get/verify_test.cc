// `haul verify`: a downloaded file is read again and compared with its receipt. So are the files of
// the real yt-dlp and gallery-dl.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/hash.h"
#include "support/process/get_bench.h"
#include "support/process/media.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;

namespace {

Told verify_in(const GetBench& bench, const Words& names) {
  Words command = bench.command({});
  // The same program and environment, another command.
  command.erase(std::ranges::find(command, "get"), command.end());
  command.insert(command.end(), {"verify", "--json"});
  for (const std::string& name : names) command.push_back((bench.folder() / name).string());
  return told(run_program(command));
}

// Flips a bit of a file that keeps its size and time.
void damage(const GetBench& bench, const std::string& name, std::size_t position) {
  const auto at = std::filesystem::last_write_time(bench.folder() / name);
  std::string content = bench.content(name);
  content.at(position) = static_cast<char>(content.at(position) ^ 1);
  bench.put(name, content);
  std::filesystem::last_write_time(bench.folder() / name, at);
}

struct Fetched {
  FaultServer server;
  GetBench bench;

  explicit Fetched(const Words& options = {}) {
    Words words = options;
    words.push_back(server.url("/f/a?size=5000"));
    REQUIRE(bench.get(words).code == 0);
  }
  Told verify(const std::string& name) { return verify_all({name}); }
  Told verify_all(const Words& names) { return verify_in(bench, names); }
  std::string verdict(const std::string& name) {
    const Told answer = verify(name);
    return answer.lines.empty() ? "" : Fields{answer.lines.front()}["verdict"];
  }
};

// What a program has fetched for a page with one file.
struct FetchedByProgram {
  std::string program;
  std::string page;   // Its URL.
  std::string media;  // The path at which the program fetches the file.
};

std::size_t times_asked(const MediaServer& server, const std::string& path) {
  const auto log = server.log();
  return static_cast<std::size_t>(std::ranges::count(log, path, &LoggedRequest::path));
}

void check_receipt(const MediaServer& server, const FetchedByProgram& of) {
  GetBench bench{of.program};
  const Words words{"--hash", "sha256", of.page};
  const Told first = bench.get(words);
  INFO(first.out);
  REQUIRE(first.code == 0);
  REQUIRE(times_asked(server, of.media) == 1);
  const std::string path = bench.ask("SELECT path FROM items");
  const std::string name = std::filesystem::path{path}.lexically_relative(bench.folder()).string();

  CHECK(bench.ask("SELECT json_extract(evidence, '$.kind'), json_extract(evidence, '$.engine'), "
                  "json_extract(evidence, '$.sha256') FROM items") ==
        fmt::format("engine|{}|{}", of.program, sha256_hex(bench.content(name))));
  const Told proven = verify_in(bench, {name});
  CHECK(proven.code == 0);
  REQUIRE(proven.lines.size() == 1);
  CHECK(proven.lines[0].at("verdict") == "proven");

  const Told again = bench.get(words);
  CHECK(again.code == 0);
  REQUIRE(again.of_type("item").size() == 1);
  CHECK(again.of_type("item")[0].at("evidence") == "already_here");
  CHECK(times_asked(server, of.media) == 1);

  damage(bench, name, 7);
  const Told changed = verify_in(bench, {name});
  CHECK(changed.code == 1);
  REQUIRE(changed.lines.size() == 1);
  CHECK(changed.lines[0].at("verdict") == "changed");
}

}  // namespace

TEST_CASE("a file with a recorded hash is proven, and a flipped byte changes that") {
  Fetched f{{"--hash", "sha256"}};
  CHECK(f.verify("a").code == 0);
  CHECK(f.verdict("a") == "proven");

  damage(f.bench, "a", 77);

  CHECK(f.verify("a").code == 1);
  CHECK(f.verdict("a") == "changed");
}

TEST_CASE(
    "without a hash a file is unchanged at best; truncated, replaced and deleted ones are "
    "found out") {
  Fetched f;
  CHECK(f.verify("a").code == 1);
  CHECK(f.verdict("a") == "unchanged");
  CHECK(f.verify("a").out.find("only size and time") != std::string::npos);

  f.bench.put("a", "shorter");
  CHECK(f.verdict("a") == "changed");
  f.bench.put("a", FaultServer::content("other", 5'000));
  CHECK(f.verdict("a") == "changed");
  std::filesystem::remove(f.bench.folder() / "a");
  CHECK(f.verdict("a") == "gone");
  CHECK(f.verify("never").err.find("no receipt") != std::string::npos);
}

TEST_CASE("several files are verified at once, and one that is not proven decides the exit code") {
  Fetched f{{"--hash", "sha256"}};
  REQUIRE(f.bench.get({"--hash", "sha256", f.server.url("/f/b?size=9")}).code == 0);
  CHECK(f.verify_all({"a", "b"}).code == 0);
  CHECK(f.verify_all({"a", "b"}).lines.size() == 2);
  CHECK(f.verify_all({"a", "never", "b"}).code == 1);
  CHECK(f.verify_all({"a", "never", "b"}).lines.size() == 2);
}

TEST_CASE("a film of yt-dlp has a hash in its receipt: it is proven, here again, then changed") {
  const MediaServer server;
  check_receipt(server, {.program = "yt-dlp",
                         .page = server.page("proven.html", "<video src=\"clip.mp4\"></video>"),
                         .media = "/d/clip.mp4"});
}

TEST_CASE("a picture of gallery-dl has a hash in its receipt: proven, here again, then changed") {
  const MediaServer server;
  const std::string link = fmt::format("<a href=\"{}\">x</a>", server.file("1.jpg"));
  check_receipt(server, {.program = "gallery-dl",
                         .page = "r:" + server.page("one-proven.html", link),
                         .media = "/d/1.jpg"});
}
