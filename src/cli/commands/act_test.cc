#include <doctest/doctest.h>

#include "cli/remote/json_view.h"
#include "cli/remote/remote.h"
#include "support/api/fake_api.h"

namespace haul::cli {
namespace {

using testing::Desk;

const std::string kCancelled = R"({"id":1,"state":"CANCELLED","end":"stopped"})";
const std::string kTooLate =
    R"({"code":"no_such_move","detail":"the job is COMPLETED","state":"COMPLETED",)"
    R"("allowed":["retry"]})";

TEST_CASE("cancel prints the new state, or which moves are possible") {
  Desk desk;
  desk.api.on("POST /api/v1/jobs/1/cancel", 200, kCancelled);
  desk.api.on("POST /api/v1/jobs/2/cancel", 409, kTooLate);
  desk.api.on("POST /api/v1/jobs/3/cancel", 202, R"({"id":3,"state":"DOWNLOADING"})");

  CHECK(run_act(JobAct::cancel, {1, 2, 3}, desk.remote()) == 1);

  CHECK(desk.out.str() == "Job 1 is CANCELLED\nJob 3 will be cancelled; now it is DOWNLOADING\n");
  CHECK(desk.err.str() ==
        "haul: job 2: the job is COMPLETED (no_such_move); possible now: retry\n");
}

TEST_CASE("the exit code is 0 if all moves are made; an ended job has no possible moves") {
  Desk good;
  good.api.on("POST /api/v1/jobs/1/cancel", 200, kCancelled);
  CHECK(run_act(JobAct::cancel, {1}, good.remote()) == 0);

  Desk bad;
  bad.api.on("POST /api/v1/jobs/1/pause", 409,
             R"({"code":"no_such_move","detail":"it is over","allowed":[]})");
  CHECK(run_act(JobAct::pause, {1}, bad.remote()) == 1);
  CHECK(bad.err.str().find("no action is possible now") != std::string::npos);
}

TEST_CASE("retry says whether the job is the same or a new one") {
  Desk desk;
  desk.api.on("POST /api/v1/jobs/1/retry", 201, R"({"id":9,"state":"PENDING","retry_of":1})");
  desk.api.on("POST /api/v1/jobs/2/retry", 200, R"({"id":2,"state":"queued"})");
  CHECK(run_act(JobAct::retry, {1, 2}, desk.remote()) == 0);
  CHECK(desk.out.str() == "Job 9 retries job 1\nJob 2 is retried: queued\n");

  Desk flags;
  flags.api.on("POST /api/v1/jobs/1/pause", 200, R"({"id":1,"state":"RUNNING"})");
  flags.api.on("POST /api/v1/jobs/1/resume", 200, R"({"id":1,"state":"PENDING"})");
  CHECK(run_act(JobAct::pause, {1}, flags.remote()) == 0);
  CHECK(run_act(JobAct::resume, {1}, flags.remote()) == 0);
  CHECK(flags.out.str() == "Job 1 is paused: RUNNING\nJob 1 is resumed: PENDING\n");

  Desk wished;
  wished.api.on("POST /api/v1/jobs/1/pause", 202, R"({"id":1,"state":"RUNNING"})");
  CHECK(run_act(JobAct::pause, {1}, wished.remote()) == 0);
  CHECK(wished.out.str() == "Job 1 will be paused; now it is RUNNING\n");
}

TEST_CASE("with --json one job prints the daemon's reply, several print a list") {
  Desk one;
  one.api.on("POST /api/v1/jobs/2/cancel", 409, kTooLate);
  CHECK(run_act(JobAct::cancel, {2}, one.json()) == 1);
  CHECK(one.out.str() == kTooLate + "\n");

  Desk two;
  two.api.on("POST /api/v1/jobs/1/cancel", 200, kCancelled);
  two.api.on("POST /api/v1/jobs/2/cancel", 409, kTooLate);
  CHECK(run_act(JobAct::cancel, {1, 2}, two.json()) == 1);
  CHECK(two.out.str() == R"({"items":[{"id":1,"status":200,"job":)" + kCancelled +
                             R"(},{"id":2,"status":409,"error":)" + kTooLate +
                             "}],\"next\":null}\n");
}

TEST_CASE("without a daemon haul sends one request, not one per job") {
  Desk desk;
  desk.api.away();

  CHECK(run_act(JobAct::cancel, {1, 2, 3}, desk.remote()) == 1);

  CHECK(desk.api.asked == "POST /api/v1/jobs/1/cancel {}\n");
}

TEST_CASE("Z-31: resume --all says whether anything was held back") {
  Desk held;
  held.api.on("POST /api/v1/resume", 200, R"({"resumed":true,"restored_at":null})");
  CHECK(run_resume_all(held.remote()) == 0);
  CHECK(held.out.str() ==
        "haul sends, pays, deletes and adds at clients again. Paused jobs stay paused\n");

  Desk free;
  free.api.on("POST /api/v1/resume", 200, R"({"resumed":false,"restored_at":null})");
  CHECK(run_resume_all(free.remote()) == 0);
  CHECK(free.out.str() == "Nothing was held back\n");

  Desk refused;
  refused.api.on("POST /api/v1/resume", 403, R"({"code":"forbidden","detail":"an admin may"})");
  CHECK(run_resume_all(refused.remote()) == 1);
  CHECK(refused.out.str().empty());
}

}  // namespace
}  // namespace haul::cli
