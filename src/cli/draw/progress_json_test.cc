#include <doctest/doctest.h>

#include <utility>

#include "base/json.h"
#include "cli/draw/progress.h"
#include "support/api/fake_screen.h"

namespace haul::cli {
namespace {

using namespace std::chrono_literals;
using testing::FakeScreen;

Steady at(Millis time) { return Steady{time}; }

struct Stage {
  FakeScreen screen{0, 0};
  std::unique_ptr<Progress> progress = open_progress(ProgressForm::json, Colour::off, screen);

  std::string said() { return std::exchange(screen.raw, ""); }
};

TEST_CASE("an ended item is one object; fields that do not apply are null") {
  Stage s;
  s.progress->ended(
      {.name = "a.mkv", .url = "http://h/a.mkv", .ok = true, .size = 7, .evidence = "size"});
  CHECK(s.said() == R"({"type":"item","name":"a.mkv","url":"http://h/a.mkv","outcome":"completed",)"
                    R"("size_bytes":7,"reason":null,"detail":null,"evidence":"size"})"
                    "\n");
  s.progress->ended(
      {.name = "b", .url = "http://h/b", .reason = "http_404", .detail = "Not Found"});
  CHECK(s.said() == R"({"type":"item","name":"b","url":"http://h/b","outcome":"failed",)"
                    R"("size_bytes":0,"reason":"http_404","detail":"Not Found","evidence":null})"
                    "\n");
  s.progress->ended({.name = "c", .url = "http://h/c", .skipped = true, .reason = "min_size"});
  CHECK(s.said() == R"({"type":"item","name":"c","url":"http://h/c","outcome":"skipped",)"
                    R"("size_bytes":0,"reason":"min_size","detail":null,"evidence":null})"
                    "\n");
}

TEST_CASE("progress is printed at once, then at most once a second") {
  Stage s;
  s.progress->show({}, at(0ms));
  CHECK(s.said() == R"({"type":"progress","total":0,"completed":0,"downloaded":0,"skipped":0,)"
                    R"("failed":0,"enumeration_complete":false,"have_bytes":0,"size_bytes":null,)"
                    R"("speed_bytes_per_s":0,"eta_s":null,"size_least_bytes":null,)"
                    R"("eta_least_s":null,"note":null,"active":[]})"
                    "\n");
  s.progress->show({}, at(999ms));
  CHECK(s.said().empty());
  s.progress->show({}, at(1000ms));
  CHECK_FALSE(s.said().empty());
}

TEST_CASE("A2-1: completed is downloaded and skipped together; active files have every field") {
  Stage s;
  s.progress->show(
      {.active =
           {{.item = 4, .name = "a", .url = "u", .have = 1, .size = 2, .speed = 3.9, .eta = 5s}},
       .total = 40,
       .downloaded = 3,
       .skipped = 2,
       .failed = 1,
       .enumerated = true,
       .have_bytes = 9,
       .size_bytes = 10,
       .speed = 7,
       .eta = 62s,
       .remark = "full"},
      at(0ms));
  CHECK(s.said() == R"({"type":"progress","total":40,"completed":5,"downloaded":3,"skipped":2,)"
                    R"("failed":1,"enumeration_complete":true,"have_bytes":9,"size_bytes":10,)"
                    R"("speed_bytes_per_s":7,"eta_s":62,"size_least_bytes":null,)"
                    R"("eta_least_s":null,"note":"full","active":[{"item":4,)"
                    R"("name":"a","url":"u","path":null,"have_bytes":1,"size_bytes":2,)"
                    R"("speed_bytes_per_s":3,"eta_s":5,)"
                    R"("status":"Downloading"}]})"
                    "\n");
}

TEST_CASE("progress lists at most a hundred active files") {
  Stage s;
  GetView view{.active = std::vector<FileView>(101)};
  s.progress->show(view, at(0ms));
  const std::string json = s.said();
  std::size_t files = 0;
  for (std::size_t i = json.find("\"item\""); i != std::string::npos;
       i = json.find("\"item\"", i + 1))
    ++files;
  CHECK(files == 100);
}

TEST_CASE("T1, T11: text arrives letter for letter, yet nothing in it steers a terminal") {
  Stage s;
  s.progress->ended(
      {.name = "語\x1b]0;\x7f\u009b\u202e\u061c\"\\.mp4\xff", .url = "http://me:pw@h/"});
  const std::string line = s.said();
  CHECK(line.find(R"("name":"語\u001b]0;\u007f\u009b\u202e\u061c\"\\.mp4)"
                  "\ufffd\"") != std::string::npos);
  CHECK(line.find(R"("url":"http://***@h/")") != std::string::npos);
  const auto fields = read_object(line);
  REQUIRE(fields);
  CHECK((*fields)[2].name == "name");
  CHECK((*fields)[2].text == "語\x1b]0;\x7f\u009b\u202e\u061c\"\\.mp4\ufffd");
}

TEST_CASE("a line for the user is a note") {
  Stage s;
  s.progress->say("Stopping\n");
  CHECK(s.said() == R"({"type":"note","text":"Stopping\n"})"
                    "\n");
}

TEST_CASE("the summary is the last line and names every failure with a hint") {
  Stage s;
  s.progress->finish({.total = 3,
                      .downloaded = 1,
                      .skipped = 1,
                      .failed = 1,
                      .bytes = 7,
                      .passed = 1234ms,
                      .failures = {{.name = "b", .url = "http://h/b", .reason = "disk_full"}}});
  CHECK(s.said() ==
        R"({"type":"summary","success":false,"ending":"finished","total":3,"completed":2,)"
        R"("downloaded":1,"skipped":1,"failed":1,"bytes":7,"resumed_bytes":0,"passed_ms":1234,)"
        R"("failures":[{"name":"b","url":"http://h/b","reason":"disk_full",)"
        R"("detail":null,"hint":"free some disk space, then run the same command again"}]})"
        "\n");
}

TEST_CASE("success means: finished, nothing failed, nothing missing") {
  const auto success = [](const GetSummary& summary) {
    Stage s;
    s.progress->finish(summary);
    return s.said().find(R"("success":true)") != std::string::npos;
  };
  CHECK(success({.total = 2, .downloaded = 1, .skipped = 1}));
  CHECK_FALSE(success({.total = 2, .downloaded = 1, .failed = 1}));
  CHECK_FALSE(success({.total = 2, .downloaded = 1}));
  CHECK_FALSE(success({.ending = GetEnding::interrupted, .total = 1, .downloaded = 1}));
  CHECK_FALSE(success({.ending = GetEnding::cancelled, .total = 1, .downloaded = 1}));
  CHECK_FALSE(success({.ending = GetEnding::abandoned, .total = 1, .downloaded = 1}));
}

}  // namespace
}  // namespace haul::cli
