#include "cli/commands/doctor.h"

#include <doctest/doctest.h>

#include <sstream>

#include "cli/remote/json_view.h"

namespace haul::cli {
namespace {

struct Told {
  int code = 0;
  std::string text;
};

Told told(const std::vector<Finding>& findings, OutputForm form = OutputForm::text) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = run_doctor(findings, {.terminal = {out, err}, .form = form});
  return {code, out.str()};
}

TEST_CASE("doctor exits with 1 on a problem, not on a note, and says how to fix both") {
  const Finding ok{Health::ok, "data", "/data"};
  const Finding note{Health::note, "ffmpeg", "not found", "apt install ffmpeg"};
  const Finding wrong{Health::wrong, "clock", "it is 1970\x1b[31m", "set it"};

  CHECK(told({ok, note}).code == 0);
  CHECK(told({}).code == 0);
  const Told bad = told({ok, note, wrong});
  CHECK(bad.code == 1);
  CHECK("\n" + bad.text == R"(
ok     data             /data
note   ffmpeg           not found
                        → apt install ffmpeg
wrong  clock            it is 1970\u{1b}[31m
                        → set it
One thing is wrong.
)");
  CHECK(told({wrong, wrong}).text.ends_with("2 things are wrong.\n"));
}

TEST_CASE("doctor --json prints the findings as a list") {
  const Told json =
      told({{Health::wrong, "key", "no", "make one"}, {Health::ok, "data", "x"}}, OutputForm::json);

  CHECK(json.code == 1);
  CHECK(json.text ==
        R"({"healthy":false,"items":[{"health":"wrong","what":"key","detail":"no",)"
        R"("mend":"make one","setting":null,"at":null},)"
        R"({"health":"ok","what":"data","detail":"x","mend":null,"setting":null,"at":null}],)"
        "\"next\":null}\n");
}

TEST_CASE("S1-23: a finding about a setting names its key and the line that sets it") {
  const Finding wrong{.health = Health::wrong,
                      .what = "sink.plex.path_map",
                      .detail = "two folders",
                      .setting = "sink.plex.path_map",
                      .at = "haul.toml:12"};

  CHECK(told({wrong}).text.starts_with("wrong  sink.plex.path_map  two folders (haul.toml:12)\n"));
  CHECK(told({wrong}, OutputForm::json)
            .text.find(R"("setting":"sink.plex.path_map","at":"haul.toml:12")") !=
        std::string::npos);
}

}  // namespace
}  // namespace haul::cli
