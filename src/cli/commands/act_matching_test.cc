#include <doctest/doctest.h>

#include "cli/remote/remote.h"
#include "support/api/fake_api.h"

namespace haul::cli {
namespace {

using testing::Desk;

const std::string kDone =
    R"({"items":[{"id":7,"state":"RUNNING","outcome":"accepted"},)"
    R"({"id":6,"state":"PENDING","outcome":"done"},)"
    R"({"id":5,"state":"COMPLETED","outcome":"refused","code":"cannot_cancel",)"
    R"("detail":"the job is COMPLETED"}],"next":null,"action":"cancel","dry_run":false,)"
    R"("matched":3,"acted":2})";

}  // namespace

TEST_CASE("an action on a filter prints each job's outcome and a sum; a refusal is exit code 1") {
  Desk desk;
  desk.api.on("POST /api/v1/jobs/actions", 200, kDone);

  CHECK(run_act_on(JobAct::cancel, {.ids = {}, .match = {.lifecycle = "batch", .owner = 2}},
                   desk.remote()) == 1);

  CHECK(desk.api.asked ==
        R"(POST /api/v1/jobs/actions {"action":"cancel","filter":{"lifecycle":"batch","owner":2},)"
        "\"dry_run\":false}\n");
  CHECK(desk.out.str() ==
        "Job 7 (RUNNING): cancel accepted\n"
        "Job 6 (PENDING): cancel done\n"
        "Job 5 (COMPLETED): cancel refused: the job is COMPLETED\n"
        "2 of 3 matching jobs: cancel done or accepted\n");
}

TEST_CASE("a dry run says what would happen, and its exit code is 0") {
  Desk desk;
  desk.api.on("POST /api/v1/jobs/actions", 200,
              R"({"items":[{"id":7,"state":"FAILED","outcome":"would"},)"
              R"({"id":6,"state":"RUNNING","outcome":"refused"}],"next":null,)"
              R"("action":"delete","dry_run":true,"matched":2,"acted":1})");

  CHECK(run_act_on(JobAct::remove, {.ids = {}, .match = {.every = true, .dry_run = true}},
                   desk.remote()) == 0);

  CHECK(desk.api.asked ==
        "POST /api/v1/jobs/actions {\"action\":\"delete\",\"filter\":{},\"dry_run\":true}\n");
  CHECK(desk.out.str() ==
        "Job 7 (FAILED): delete is possible\n"
        "Job 6 (RUNNING): delete refused\n"
        "1 of 2 matching jobs would be acted on by delete; nothing was changed\n");
}

TEST_CASE("a delete with files names them for each job and in the sum") {
  Desk desk;
  desk.api.on("POST /api/v1/jobs/actions", 200,
              R"({"items":[{"id":7,"state":"COMPLETED","outcome":"would","files":2,"bytes":1536},)"
              R"({"id":6,"state":"FAILED","outcome":"would","files":1,"bytes":512}],"next":null,)"
              R"("action":"delete","dry_run":true,"matched":2,"acted":2,"files":3,"bytes":2048})");

  CHECK(run_act_on(JobAct::remove,
                   {.ids = {}, .match = {.every = true, .dry_run = true}, .files = true},
                   desk.remote()) == 0);

  CHECK(desk.api.asked ==
        "POST /api/v1/jobs/actions {\"action\":\"delete\",\"filter\":{},\"dry_run\":true,"
        "\"files\":true}\n");
  CHECK(desk.out.str() ==
        "Job 7 (COMPLETED): delete is possible, with 2 files (1.5 KiB)\n"
        "Job 6 (FAILED): delete is possible, with 1 file (512 B)\n"
        "2 of 2 matching jobs would be acted on by delete, with 3 files (2.0 KiB); nothing was "
        "changed\n");
}

TEST_CASE("ids and a filter together, neither, and a dry run of ids are usage errors") {
  for (const ActOptions& wrong : {ActOptions{}, ActOptions{.ids = {1}, .match = {.stuck = true}},
                                  ActOptions{.ids = {1}, .match = {.dry_run = true}}}) {
    Desk desk;
    CHECK(run_act_on(JobAct::cancel, wrong, desk.remote()) == 2);
    CHECK(desk.api.asked.empty());
  }
}

TEST_CASE("with --json an action on a filter prints one list with its sums") {
  Desk desk;
  desk.api.on("POST /api/v1/jobs/actions", 200, kDone);
  CHECK(run_act_on(JobAct::cancel, {.ids = {}, .match = {.state = "RUNNING"}}, desk.json()) == 1);
  CHECK(desk.out.str().starts_with(
      R"({"items":[{"id":7,"outcome":"accepted","state":"RUNNING"},{"id":6,)"));
  CHECK(desk.out.str().ends_with(
      "],\"next\":null,\"action\":\"cancel\",\"dry_run\":false,\"matched\":3,\"acted\":2}\n"));
}

}  // namespace haul::cli
