// Generated documentation is up to date, and `haul config` finds mistakes.

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "support/io/temp_folder.h"
#include "support/process/process.h"

using namespace haul::testing;

TEST_CASE("docs/config.md is what haul config page prints; ./dev docs mends it") {
  std::ifstream file{HAUL_SOURCE_DIR "/docs/config.md", std::ios::binary};
  const Finished page = run_program({HAUL_BINARY, "config", "page"});
  CHECK(page.code == 0);
  CHECK(page.out == std::string{std::istreambuf_iterator<char>{file}, {}});
}

TEST_CASE("F54: a key that is not known stops the start, with its line and the nearest one") {
  const auto check = [](const std::string& text) {
    const TempFolder folder;
    const std::string file = (folder / "haul.toml").string();
    std::ofstream{file} << text;
    return run_program({HAUL_BINARY, "config", "check", "--config", file});
  };
  CHECK(check("[server]\nlisten = \"127.0.0.1:1\"\n").code == 0);
  const Finished unknown = check("[server]\n\nlisten_at = \"x\"\n");
  CHECK(unknown.code == 1);
  CHECK(
      unknown.err.find(".toml:3: unknown key 'server.listen_at', did you mean 'server.listen'?") !=
      std::string::npos);
  CHECK(check("[transfer]\nper_host = 0\n").code == 1);
  CHECK(check("[transfer]\nper_host = 1\n").code == 0);
  CHECK(check("[transfer]\ndelay = \"-1s\"\n").code == 1);
  CHECK(check("[transfer]\nfolder = \"here\"\n").code == 1);
  CHECK(check("[log]\nlevel = \"loud\"\n").code == 1);
  CHECK(check("[log\n").code == 1);
  CHECK(run_program({"env", "HAUL__SERVER__LISTEM=x", HAUL_BINARY, "config", "show"}).code == 1);
  const Finished shown =
      run_program({"env", "HAUL__TRANSFER__PER_HOST=7", HAUL_BINARY, "config", "show"});
  CHECK(shown.out.find("HAUL__TRANSFER__PER_HOST") != std::string::npos);
}
