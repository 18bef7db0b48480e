// Cookies of a browser's profile, read by the real yt-dlp.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>

#include "support/process/get_bench.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;

namespace {

// A profile as Firefox writes it, with one cookie for this machine.
void write_profile(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  constexpr const char* kWrite = R"py(
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("CREATE TABLE moz_cookies (id INTEGER PRIMARY KEY, originAttributes TEXT DEFAULT '', "
           "name TEXT, value TEXT, host TEXT, path TEXT, expiry INTEGER, isSecure INTEGER)")
db.execute("INSERT INTO moz_cookies (name, value, host, path, expiry, isSecure) "
           "VALUES ('session', 'abc', '127.0.0.1', '/', 4102444800, 0)")
db.commit()
)py";
  REQUIRE(run_program({"python3", "-c", kWrite, (folder / "cookies.sqlite").string()}).code == 0);
}

}  // namespace

TEST_CASE("get: --cookies-from-browser sends the cookies of a profile, and leaves no file") {
  const FaultServer server;
  GetBench bench;
  const std::filesystem::path profile = bench.beside("profile");
  const std::filesystem::path temporary = bench.beside("tmp");
  std::filesystem::create_directory(temporary);
  write_profile(profile);
  bench.set("TMPDIR=" + temporary.string());
  const Told told = bench.get(
      {"--cookies-from-browser", "firefox:" + profile.string(), server.url("/f/a?size=5")});

  CAPTURE(told.err);
  CHECK(told.code == 0);
  REQUIRE(server.log().size() == 1);
  CHECK(server.log().front().headers.at("cookie") == "session=abc");
  CHECK(std::filesystem::is_empty(temporary));
}

TEST_CASE("get: --cookies-from-browser says what is wrong, and downloads nothing") {
  const FaultServer server;
  GetBench bench;
  const std::string url = server.url("/f/a");
  const Told unknown = bench.get({"--cookies-from-browser", "nope", url});
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find("unsupported browser") != std::string::npos);
  const Told none =
      bench.get({"--cookies-from-browser", "firefox:" + bench.beside("x").string(), url});
  CHECK(none.code == 2);
  CHECK(none.err.find("could not find firefox cookies database") != std::string::npos);
  CHECK(bench.get({"--cookies-from-browser", "-x", url}).code == 2);
  bench.set("HAUL__ENGINE__YT_DLP__PROGRAM=/nowhere/yt-dlp");
  const Told missing = bench.get({"--cookies-from-browser", "firefox", url});
  CHECK(missing.code != 0);
  CHECK(missing.err.find("yt-dlp") != std::string::npos);
  CHECK(server.log().empty());
}
