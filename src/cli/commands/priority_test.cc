#include <doctest/doctest.h>

#include "cli/remote/remote.h"
#include "support/api/fake_api.h"

namespace haul::cli {

using testing::Desk;

TEST_CASE("priority sends the number of a word for each job, and goes on after a refusal") {
  Desk desk;
  desk.api.on("POST /api/v1/jobs/1/priority", 409, R"({"code":"ended","detail":"it has ended"})");
  desk.api.on("POST /api/v1/jobs/2/priority", 200, R"({"id":2,"priority":1})");

  CHECK(run_priority({.priority = "high", .ids = {1, 2}}, desk.remote()) == 1);

  CHECK(desk.api.asked ==
        "POST /api/v1/jobs/1/priority {\"priority\":1}\n"
        "POST /api/v1/jobs/2/priority {\"priority\":1}\n");
  CHECK(desk.out.str() == "Job 2 has high priority\n");
  CHECK(desk.err.str().starts_with("haul: job 1: "));
}

TEST_CASE("low, normal, high and their numbers are priorities; nothing else is") {
  CHECK(priority_named("low") == -1);
  CHECK(priority_named("-1") == -1);
  CHECK(priority_named("normal") == 0);
  CHECK(priority_named("1") == 1);
  for (const char* other : {"", "2", "urgent", "+1"}) {
    CHECK_FALSE(priority_named(other));
    CHECK(wrong_priority(other).find("expected low, normal or high") != std::string::npos);
  }
}

TEST_CASE("add and jobs pass the priority and the order on") {
  Desk add;
  add.api.on("POST /api/v1/jobs", 201, R"({"id":1,"state":"PENDING"})");
  CHECK(run_add({.words = {"https://example.org/a"}, .priority = "low"}, add.remote()) == 0);
  CHECK(add.api.asked.ends_with("\"priority\":-1}\n"));

  Desk jobs;
  jobs.api.on("GET /api/v1/jobs?sort=ended&limit=20", 200, R"({"items":[],"next":null})");
  CHECK(run_jobs({.sort = "ended"}, jobs.remote()) == 0);
}

TEST_CASE("delete sends DELETE, and says that the files stay") {
  Desk desk;
  desk.api.on("DELETE /api/v1/jobs/1", 200, R"({"id":1,"state":"CANCELLED"})");
  desk.api.on("DELETE /api/v1/jobs/2", 409,
              R"({"code":"open","detail":"the job is RUNNING","allowed":["cancel"]})");
  CHECK(run_act(JobAct::remove, {1, 2}, desk.remote()) == 1);
  CHECK(desk.out.str() == "Job 1 is deleted: lists and counts leave it out; its files stay\n");
  CHECK(desk.err.str() == "haul: job 2: the job is RUNNING (open); possible now: cancel\n");
}

TEST_CASE("delete --files asks for the files, too, and says where to look for the result") {
  Desk desk;
  desk.api.on("DELETE /api/v1/jobs/1?files=true", 200,
              R"({"id":1,"state":"COMPLETED","deleted_files":{"removed":0,"ended_at":null}})");
  CHECK(run_act_on(JobAct::remove, {.ids = {1}, .match = {}, .files = true}, desk.remote()) == 0);
  CHECK(desk.out.str() ==
        "Job 1 is deleted: lists and counts leave it out. haul removes its files; haul show 1 says "
        "what became of them\n");
}

}  // namespace haul::cli
