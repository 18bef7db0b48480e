#include <doctest/doctest.h>
#include <fmt/core.h>

#include <sstream>

#include "cli/remote/remote.h"
#include "support/api/fake_api.h"
#include "support/api/fake_screen.h"

namespace haul::cli {
namespace {

using testing::Desk;
using testing::FakeApi;
using testing::FakeScreen;

std::string job(const char* state, const char* end, int downloaded, int failed = 0) {
  const std::string_view outcome = std::string_view{end} == "open"                  ? "null"
                                   : downloaded == 0                                ? "\"nothing\""
                                   : failed == 0 && std::string_view{end} == "good" ? "\"whole\""
                                                                                    : "\"partly\"";
  return fmt::format(
      R"({{"id":4,"lifecycle":"batch","state":"{}","end":"{}","reason":null,"paused":false,)"
      R"("allowed":["{}"],"request":{{"url":"https://a/b"}},"outcome":{},)"
      R"("counts":{{"total":2,"completed":{},)"
      R"("downloaded":{},"skipped":0,"failed":{}}},"progress":null}})",
      state, end, failed > 0 ? "retry" : "pause", outcome, downloaded, downloaded, failed);
}

const LiveEvent kProgress{
    "progress", "",
    R"({"job":4,"have":50,"size":200,"speed":10,"eta":15,"items":[{"n":1,"name":"a.iso",)"
    R"("have":50,"size":100,"speed":10,"eta":5,"status":"Downloading"}]})"};
const LiveEvent kItemDone{
    "note", "8",
    R"({"id":8,"job":4,"type":"ITEM_DONE","data":{"file_id":"k","file_path":"/d/a.iso",)"
    R"("success":true}})"};
const LiveEvent kEnded{"moved", "9",
                       R"({"id":9,"job":4,"type":"MOVED","from":"RUNNING","to":"COMPLETED"})"};

const Surroundings kPipe{};
const Surroundings kTerminal{.is_terminal = true, .term = "xterm", .no_color = "1"};

TEST_CASE("watch prints lines until the job ends and exits with its success") {
  Desk desk;
  FakeScreen screen{200};
  desk.api.on("GET /api/v1/jobs/4", 200, job("RUNNING", "open", 0))
      .on("GET /api/v1/jobs/4", 200, job("COMPLETED", "good", 2))
      .tells({kProgress, kItemDone, kEnded});

  CHECK(run_watch({.id = 4}, desk.remote(), kPipe, screen) == 0);

  CHECK("\n" + screen.text() == R"(
Job 4 is RUNNING
✓ a.iso  100 B
Job 4 is COMPLETED
✓ 2 files
)");
}

TEST_CASE("watch draws a bar for each running file on a terminal") {
  Desk desk;
  desk.api.interrupt_in_silence = true;
  FakeScreen screen{80};
  desk.api.on("GET /api/v1/jobs/4", 200, job("RUNNING", "open", 1)).tells({kProgress});

  CHECK(run_watch({.id = 4}, desk.remote(), kTerminal, screen) == 1);

  CHECK(screen.raw.find("a.iso") != std::string::npos);
  CHECK(screen.raw.find("50% of 100 B") != std::string::npos);
  CHECK(screen.raw.find("1 of 2 files") != std::string::npos);
  CHECK(screen.text().find("Job 4 continues") != std::string::npos);
}

TEST_CASE("watch names what failed, why, and how to retry") {
  Desk desk;
  FakeScreen screen{200};
  desk.api.on("GET /api/v1/jobs/4", 200, job("COMPLETED", "good", 1, 1))
      .on("GET /api/v1/jobs/4/items?state=FAILED&limit=100", 200,
          R"({"items":[{"n":2,"url":"https://a/b.iso","state":"FAILED","reason":"http_503",)"
          R"("detail":"busy"}],"next":null})")
      .tells({});

  CHECK(run_watch({.id = 4}, desk.remote(), kPipe, screen) == 1);

  CHECK(screen.text().find("http_503") != std::string::npos);
  CHECK(screen.text().find("haul retry 4 later") != std::string::npos);
  CHECK(screen.text().find("b.iso") != std::string::npos);
}

TEST_CASE("watch reconnects from the last event it received") {
  Desk desk;
  FakeScreen screen{200};
  desk.api.on("GET /api/v1/jobs/4", 200, job("RUNNING", "open", 0))
      .on("GET /api/v1/jobs/4", 200, job("RUNNING", "open", 1))
      .on("GET /api/v1/jobs/4", 200, job("COMPLETED", "good", 2))
      .tells({kItemDone}, FakeApi::Then::breaks)
      .tells({kEnded});

  CHECK(run_watch({.id = 4}, desk.remote(), kPipe, screen) == 0);

  CHECK(desk.api.asked.find("LISTEN /api/v1/events?job=4\n") != std::string::npos);
  CHECK(desk.api.asked.find("LISTEN /api/v1/events?job=4 from 8\n") != std::string::npos);
  CHECK(screen.text().find("Lost the connection to the daemon") != std::string::npos);
}

TEST_CASE("watch fails at once without a daemon, and 30 s after losing one") {
  Desk never;
  never.api.away();
  FakeScreen screen{80};
  CHECK(run_watch({.id = 4}, never.remote(), kPipe, screen) == 1);
  CHECK(never.api.waits == 0);
  CHECK(never.err.str().find("haul serve") != std::string::npos);

  Desk gone;
  gone.api.on("GET /api/v1/jobs/4", 200, job("RUNNING", "open", 0))
      .tells({}, FakeApi::Then::breaks);
  CHECK(run_watch({.id = 4}, gone.remote(), kPipe, screen) == 1);
  CHECK(gone.api.waits == 31);
}

TEST_CASE("watch says when the job does not exist") {
  Desk desk;
  FakeScreen screen{80};
  desk.api
      .on("GET /api/v1/jobs/4", 404, R"({"code":"no_such_job","detail":"there is no such job"})")
      .tells({});

  CHECK(run_watch({.id = 4}, desk.remote(), kPipe, screen) == 1);

  CHECK(desk.err.str() == "haul: there is no such job (no_such_job)\n");
}

TEST_CASE("watch --json prints each event unchanged, and the job as the last line") {
  Desk desk;
  FakeScreen screen{2'000};
  const std::string ended = job("COMPLETED", "good", 2);
  desk.api.on("GET /api/v1/jobs/4", 200, job("RUNNING", "open", 0))
      .on("GET /api/v1/jobs/4", 200, ended)
      .tells({kProgress, kItemDone, kEnded});

  CHECK(run_watch({.id = 4}, desk.json(), {.wants_json = true}, screen) == 0);

  CHECK(screen.raw ==
        kProgress.data + "\n" + kItemDone.data + "\n" + kEnded.data + "\n" + ended + "\n");
}

TEST_CASE("watch of all jobs ends with Ctrl-C and exits with 0") {
  Desk desk;
  desk.api.interrupt_in_silence = true;
  FakeScreen screen{80};
  desk.api.tells({kProgress, kEnded, {"resync", "20", "{}"}});

  CHECK(run_watch({}, desk.remote(), kTerminal, screen) == 0);

  CHECK(screen.text().find("Job 4: RUNNING > COMPLETED") != std::string::npos);
  CHECK(screen.raw.find("4: a.iso") != std::string::npos);
}

TEST_CASE("get --daemon adds a batch in the daemon's folder and watches it") {
  Desk desk;
  FakeScreen screen{200};
  std::istringstream input;
  desk.api.on("POST /api/v1/jobs", 201, job("PENDING", "open", 0))
      .on("GET /api/v1/jobs/4", 200, job("COMPLETED", "good", 2))
      .tells({});
  GetOptions options;
  options.urls = {"https://a/b"};
  options.folder = "films";

  CHECK(run_get_by_daemon(options, input, desk.remote(), screen) == 0);

  CHECK(desk.api.asked.starts_with(
      R"(POST /api/v1/jobs {"lifecycle":"batch","request":{"remote_time":true,)"
      R"("urls":["https://a/b"],)"
      R"("folder":"films"}})"));
  GetOptions nothing;
  CHECK(run_get_by_daemon(nothing, input, desk.remote(), screen) == 2);
}

TEST_CASE("get --daemon sends its limits and refuses settings of the daemon") {
  Desk desk;
  FakeScreen screen{200};
  std::istringstream input;
  desk.api.on("POST /api/v1/jobs", 201, job("PENDING", "open", 0))
      .on("GET /api/v1/jobs/4", 200, job("COMPLETED", "good", 2))
      .tells({});
  GetOptions options;
  options.urls = {"https://a/b"};
  options.per_host = 1;
  options.delay = "2s";
  options.speed_limit = 2'048;

  CHECK(run_get_by_daemon(options, input, desk.remote(), screen) == 0);
  CHECK(desk.api.asked.find(R"("limits":{"delay":"2s","per_host":1,"speed_limit":2048})") !=
        std::string::npos);

  desk.api.asked.clear();
  GetOptions kept = options;
  kept.keep_free = 5;
  CHECK(run_get_by_daemon(kept, input, desk.remote(), screen) == 2);
  CHECK(desk.err.str().find("--keep-free is a setting of the daemon") != std::string::npos);
  options.max_unknown_size = 5;
  CHECK(run_get_by_daemon(options, input, desk.remote(), screen) == 2);
  CHECK(desk.err.str().find("--max-unknown-size is a setting of the daemon") != std::string::npos);
  CHECK(desk.api.asked.empty());
}

TEST_CASE("get --daemon words errors like its command line") {
  Desk desk;
  FakeScreen screen{200};
  std::istringstream input{"# mine\nnotaurl\n"};
  desk.api.on("POST /api/v1/jobs", 422,
              R"({"code":"bad_url_scheme","detail":"request.urls[0]: not a URL",)"
              R"("fields":{"request.urls[0]":"not a URL"}})");
  GetOptions options;
  options.input = "-";

  CHECK(run_get_by_daemon(options, input, desk.remote(), screen) == 1);
  CHECK(desk.err.str() == "haul: standard input:2: \"notaurl\": not a URL (bad_url_scheme)\n");
}

TEST_CASE("events lists events and follows them until the job ends") {
  Desk desk;
  desk.api
      .on("GET /api/v1/jobs/4/events?limit=100", 200,
          R"({"items":[{"id":7,"job":4,"type":"MOVED","at":"2026-02-03T04:05:06.789Z",)"
          R"("from":"PENDING","to":"RUNNING","on":"claim","by":"worker"}],"next":null})")
      .on("GET /api/v1/jobs/4", 200, job("RUNNING", "open", 0))
      .on("GET /api/v1/jobs/4", 200, job("COMPLETED", "good", 2))
      .tells({kItemDone, kEnded});

  CHECK(run_events({.id = 4, .follow = true}, desk.remote()) == 0);

  CHECK(desk.api.asked.find("LISTEN /api/v1/events?job=4 from 7\n") != std::string::npos);
  CHECK(desk.out.str().find("PENDING > RUNNING (claim)") != std::string::npos);
  CHECK(desk.out.str().find("RUNNING > COMPLETED") != std::string::npos);
}

}  // namespace
}  // namespace haul::cli
