// Deleting ended jobs, priorities, and sorted lists, through the API.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "support/api/job_calls.h"

namespace haul::testing {
TEST_CASE("an ended job is deleted, twice if asked twice, and still shown by its id") {
  ApiBench b;
  const JobId id = cancelled(b, "adder");
  const WebReply first = b.as("adder", "DELETE", path_of(id));
  CHECK(first.status == 200);
  CHECK(member(first, "hidden_at") == to_iso(b.clock.now()));
  const std::string when = member(first, "hidden_at");
  b.clock.set(std::chrono::hours{1});
  const WebReply again = b.as("adder", "DELETE", path_of(id));
  CHECK(again.status == 200);
  CHECK(member(again, "hidden_at") == when);

  CHECK(b.as("adder", "GET", "/api/v1/jobs").body.starts_with(R"({"items":[])"));
  CHECK(b.as("adder", "GET", path_of(id)).status == 200);
  CHECK(b.get("/api/v1/stats").body.find("CANCELLED") == std::string::npos);
}

TEST_CASE("an open job is not deleted: 409 with its state and what is possible") {
  ApiBench b;
  const JobId id = b.add_for("adder");
  const WebReply reply = b.as("adder", "DELETE", path_of(id));
  CHECK(reply.status == 409);
  CHECK(member(reply, "code") == "open");
  CHECK(member(reply, "state") == "PENDING");
  CHECK(member(reply, "detail").find("cancel it first") != std::string::npos);
  CHECK(reply.body.find(R"("allowed":["cancel","pause"])") != std::string::npos);
}

TEST_CASE("only an owner, an operator and an admin delete a job; others' deletes are audited") {
  ApiBench b;
  const JobId own = cancelled(b, "adder");
  const JobId theirs = cancelled(b, "boss");
  CHECK(b.as("adder", "DELETE", path_of(theirs)).status == 404);
  CHECK(b.as("viewer", "DELETE", path_of(own)).status == 403);
  CHECK(b.as("adder", "DELETE", path_of(own)).status == 200);
  CHECK(audited(b).empty());
  const JobId second = cancelled(b, "adder");
  CHECK(b.as("operator", "DELETE", path_of(second)).status == 200);
  CHECK(audited(b) == fmt::format("JOB_DELETED {}\n", second.value));
  CHECK(b.as("operator", "DELETE", path_of(second) + "?file=true").status == 400);
}

TEST_CASE("a job is deleted with its files if that is asked for: at once or later, and told") {
  ApiBench b;
  const JobId plain = cancelled(b, "adder");
  CHECK(member(b.as("adder", "DELETE", path_of(plain) + "?files=false"), "deleted_files") ==
        "null");
  CHECK(b.store().purges().open({}, 10).empty());
  const std::string wanted =
      fmt::format(R"({{"asked_at":"{}","bytes":0,"ended_at":null,"gone":0,"kept":0,"reasons":[],)"
                  R"("removed":0,"waits_for":null}})",
                  to_iso(b.clock.now()));
  CHECK(member(b.as("adder", "DELETE", path_of(plain) + "?files=true"), "deleted_files") == wanted);
  const JobId id = cancelled(b, "adder");
  CHECK(member(b.as("adder", "DELETE", path_of(id) + "?files=true"), "deleted_files") == wanted);
  CHECK(member(b.as("adder", "GET", path_of(id)), "deleted_files") == wanted);

  const Purge before = b.store().purges().find(id).value();
  Purge after = before;
  after.removed = 1;
  after.bytes = 5;
  after.kept = 1;
  after.reasons = {"/in/a: job 7 has it, too"};
  after.ended_at = b.clock.now();
  REQUIRE(b.store().purges().record(before, after, b.clock.now()));
  const std::string told = member(b.as("adder", "GET", path_of(id)), "deleted_files");
  CHECK(told.contains(R"("kept":1,"reasons":["/in/a: job 7 has it, too"],"removed":1,)"));
}

TEST_CASE("files: unknown values, open jobs and lifecycles without own files are refused") {
  ApiBench b;
  const JobId id = cancelled(b, "adder");
  for (const char* bad : {"?files=yes", "?files=1", "?files=", "?files=TRUE", "?files"}) {
    CAPTURE(bad);
    const WebReply reply = b.as("adder", "DELETE", path_of(id) + bad);
    CHECK(reply.status == 400);
    CHECK(member(reply, "detail") == "files: expected true or false");
  }
  CHECK_FALSE(b.store().reader().find(id)->hidden_at);
  CHECK(b.as("adder", "DELETE", path_of(b.add_for("adder")) + "?files=true").status == 409);

  const JobId film = failed_film(b, "adder");
  const WebReply refused = b.as("adder", "DELETE", path_of(film) + "?files=true");
  CHECK(refused.status == 409);
  CHECK(member(refused, "code") == "no_own_files");
  CHECK(member(refused, "detail") ==
        "media jobs have no files in the download folder that haul could remove; delete the job "
        "without its files");
  CHECK(b.as("adder", "DELETE", path_of(film)).status == 200);
}

TEST_CASE("A4-9: the Idempotency-Key of a deleted job answers with it") {
  ApiBench b;
  const WebFields key{{"idempotency-key", "k"}};
  const std::string body = R"({"lifecycle":"batch","request":{"url":"http://h/a"}})";
  const WebReply added = b.post("/api/v1/jobs", body, key);
  const std::string path = "/api/v1/jobs/" + member(added, "id");
  REQUIRE(b.post(path + "/cancel").status == 200);
  REQUIRE(b.as("boss", "DELETE", path).status == 200);
  const WebReply again = b.post("/api/v1/jobs", body, key);
  CHECK(again.status == 200);
  CHECK(member(again, "id") == member(added, "id"));
  CHECK(member(again, "replayed") == "true");
}

TEST_CASE("a job is added with a priority, which changes while it is open") {
  ApiBench b;
  const auto add = [&](const char* priority) {
    return b.post(
        "/api/v1/jobs",
        fmt::format(R"({{"lifecycle":"batch","request":{{"url":"http://h/a"}},"priority":{}}})",
                    priority));
  };
  const WebReply high = add("1");
  CHECK(high.status == 201);
  CHECK(member(high, "priority") == "1");
  CHECK(member(add("null"), "priority") == "0");
  for (const char* bad : {"2", "-2", "\"high\"", "0.5"}) {
    CHECK(add(bad).status == 400);
    CHECK(add(bad).body.find("-1 (low), 0 (normal) or 1 (high)") != std::string::npos);
  }

  const std::string path = "/api/v1/jobs/" + member(high, "id") + "/priority";
  CHECK(member(b.post(path, R"({"priority":-1})"), "priority") == "-1");
  CHECK(b.post(path, R"({"priority":2})").status == 400);
  CHECK(b.post(path, "{}").body.find(R"("fields":{"priority":)") != std::string::npos);
  REQUIRE(b.post("/api/v1/jobs/" + member(high, "id") + "/cancel").status == 200);
  const WebReply ended = b.post(path, R"({"priority":0})");
  CHECK(ended.status == 409);
  CHECK(member(ended, "state") == "CANCELLED");
}

TEST_CASE("lists are sorted by known orders, page by page; others are errors that list them") {
  ApiBench b;
  const JobId low = b.add_for("adder");
  const JobId high = b.add_for("adder");
  const JobId done = cancelled(b, "adder");
  REQUIRE(b.post(path_of(low, "/priority"), R"({"priority":-1})").status == 200);
  REQUIRE(b.post(path_of(high, "/priority"), R"({"priority":1})").status == 200);

  const WebReply first = b.get("/api/v1/jobs?sort=priority&limit=1");
  CHECK(first.body.starts_with(fmt::format(R"({{"items":[{{"id":{},)", high.value)));
  CHECK(member(first, "next") == fmt::format("1.{}", high.value));
  const WebReply second =
      b.get("/api/v1/jobs?sort=priority&limit=1&cursor=" + member(first, "next"));
  CHECK(second.body.starts_with(fmt::format(R"({{"items":[{{"id":{},)", low.value)));
  CHECK(member(second, "next") == "null");
  CHECK(b.get("/api/v1/jobs?sort=ended")
            .body.starts_with(fmt::format(R"({{"items":[{{"id":{},)", done.value)));
  CHECK(b.get("/api/v1/jobs?sort=created&limit=1").status == 200);

  const WebReply unknown = b.get("/api/v1/jobs?sort=size");
  CHECK(unknown.status == 400);
  CHECK(member(unknown, "detail") == "sort: expected created, moved, ended or priority");
  for (const char* cursor : {"5", "x.5", "5.x", "5.", ".5", "5.0"})
    CHECK(b.get(std::string{"/api/v1/jobs?sort=moved&cursor="} + cursor).status == 400);
  CHECK(b.get("/api/v1/jobs?cursor=1.5").status == 400);
}

}  // namespace haul::testing
