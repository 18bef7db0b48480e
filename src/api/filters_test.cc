// Filters of lists are strict: a word that no job can have is an error that lists the known ones,
// and never an empty list.

#include <doctest/doctest.h>

#include "api/live/live_progress.h"
#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

// "400 state: unknown; expected one of …" or "200".
std::string answer(ApiBench& b, const std::string& path) {
  const WebReply reply = b.get(path);
  std::string text = std::to_string(reply.status);
  if (reply.status != 200) text += " " + member(reply, "detail");
  return text;
}

}  // namespace

TEST_CASE("unknown words in the filters of jobs are errors that list the known ones") {
  ApiBench b;
  for (const char* known :
       {"lifecycle=batch", "state=RUNNING", "state=running", "lifecycle=book&state=queued",
        "end=open", "outcome=partly", "stuck=true", "state=", "lifecycle="})
    CHECK(answer(b, std::string{"/api/v1/jobs?"} + known) == "200");

  CHECK(answer(b, "/api/v1/jobs?lifecycle=batches") ==
        "400 lifecycle: unknown; expected one of book, media, batch, relay, image");
  CHECK(answer(b, "/api/v1/jobs?lifecycle=item").starts_with("400 lifecycle: unknown"));
  CHECK(answer(b, "/api/v1/jobs?lifecycle=batch&state=queued") ==
        "400 state: unknown; expected one of PENDING, RUNNING, COMPLETED, FAILED, CANCELLED");
  CHECK(answer(b, "/api/v1/jobs?state=RUNING").starts_with("400 state: unknown; expected one of "));
  CHECK(answer(b, "/api/v1/jobs?end=ended") == "400 end: expected open, good, bad or stopped");
  CHECK(answer(b, "/api/v1/jobs?outcome=all") == "400 outcome: expected whole, partly or nothing");
  CHECK(answer(b, "/api/v1/jobs?stuck=yes") == "400 stuck: expected true or false");
  CHECK(answer(b, "/api/v1/reasons?state=gone").starts_with("400 state: unknown"));
  CHECK(answer(b, "/api/v1/reasons?lifecycle=x").starts_with("400 lifecycle: unknown"));
}

TEST_CASE("a filter by an unknown owner is an error, in lists and in bulk actions") {
  ApiBench b;
  const std::int64_t adder = b.users.at("adder").id.value;
  CHECK(answer(b, fmt::format("/api/v1/jobs?owner={}", adder)) == "200");  // Without a job, too.

  const WebReply listed = b.get("/api/v1/jobs?owner=99");
  CHECK(listed.status == 400);
  CHECK(member(listed, "code") == "no_such_user");
  CHECK(member(listed, "detail") == "owner: no such user");
  CHECK(member(listed, "fields") == R"({"owner":"no such user"})");
  const WebReply bulk =
      b.post("/api/v1/jobs/actions", R"({"action":"cancel","filter":{"owner":99}})");
  CHECK(bulk.status == 400);
  CHECK(member(bulk, "code") == "no_such_user");
  CHECK(member(bulk, "fields") == R"({"filter.owner":"no such user"})");

  // Who sees only their own jobs is not told which users exist.
  const std::int64_t boss = b.users.at("boss").id.value;
  for (const std::int64_t other : {boss, std::int64_t{99}})
    CHECK(b.as("adder", "GET", fmt::format("/api/v1/jobs?owner={}", other)).status == 403);
}

TEST_CASE("a reason that no job can have is an error; one that no job has is an empty list") {
  ApiBench b;
  const std::string longest(64, 'a');
  for (const std::string& possible : {std::string{"http_404"}, std::string{"9"}, longest})
    CHECK(member(b.get("/api/v1/jobs?reason=" + possible), "items") == "[]");

  for (const std::string& wrong :
       {std::string{"HTTP_404"}, std::string{"http-404"}, std::string{"disk%20full"},
        std::string{"http_404,timeout"}, std::string{"%C3%A9"}, longest + "a"})
    CHECK_MESSAGE(answer(b, "/api/v1/jobs?reason=" + wrong) ==
                      "400 reason: expected 1 to 64 of a to z, 0 to 9 and _",
                  wrong);
  CHECK(member(b.get("/api/v1/jobs?reason=a-b"), "fields") ==
        R"({"reason":"expected 1 to 64 of a to z, 0 to 9 and _"})");

  const WebReply bulk =
      b.post("/api/v1/jobs/actions", R"({"action":"cancel","filter":{"reason":"a b"}})");
  CHECK(bulk.status == 400);
  CHECK(member(bulk, "fields") ==
        R"({"filter.reason":"expected 1 to 64 of a to z, 0 to 9 and _"})");
}

TEST_CASE("a list of one job's assets, and its events, refuse an id that no job can have or has") {
  ApiBench b;
  const JobId own = b.add_for("adder");
  const JobId other = b.add_for("boss");
  for (const std::string list : {"/api/v1/assets?job=", "/api/v1/events?job="}) {
    CAPTURE(list);
    const auto ask = [&](const std::string& job) { return b.as("adder", "GET", list + job); };
    CHECK(ask(std::to_string(own.value)).status == 200);
    for (const char* wrong : {"0", "-1", "x", "1x", "1.5", "99999999999999999999"}) {
      CHECK(answer(b, list + wrong) == "400 job: expected a job id");
      CHECK(member(ask(wrong), "fields") == R"({"job":"expected a job id"})");
    }

    // A user is not told which jobs of others exist.
    for (const std::string& unknown : {std::string{"99"}, std::to_string(other.value)}) {
      const WebReply refused = ask(unknown);
      CHECK(refused.status == 404);
      CHECK(member(refused, "code") == "no_such_job");
      CHECK(member(refused, "fields") == R"({"job":"no such job"})");
    }
    CHECK(b.as("operator", "GET", list + std::to_string(other.value)).status == 200);
  }
}

TEST_CASE("unknown states of items are errors that list the known ones") {
  ApiBench b;
  const std::string items = fmt::format("/api/v1/jobs/{}/items", b.add_for("adder").value);
  CHECK(answer(b, items + "?state=FAILED") == "200");
  CHECK(answer(b, items + "?state=failed") == "200");
  CHECK(answer(b, items + "?state=BROKEN").starts_with("400 state: unknown; expected one of "));
}

TEST_CASE("promise 17: a search says how many jobs it has read, other lists do not") {
  ApiBench b;
  b.add_for("adder");
  CHECK(member(b.get("/api/v1/jobs?q=nowhere"), "searched") == "1");
  CHECK(b.get("/api/v1/jobs").body.find("searched") == std::string::npos);
  CHECK(b.get("/api/v1/jobs?q=1").body.find("searched") == std::string::npos);
}

TEST_CASE("a job that no longer runs keeps its last numbers, without speed and time") {
  api::LiveProgress live;
  const JobId job{7};
  live.put_up({{job,
                {.job = job,
                 .have = 40,
                 .size = 100,
                 .speed = 9,
                 .eta = std::chrono::seconds{6},
                 .waits_for = "h"}}});
  CHECK(live.find(job));
  CHECK_FALSE(live.last(job));
  CHECK(live.speed() == 9);

  live.put_up({});
  CHECK_FALSE(live.find(job));
  REQUIRE(live.last(job));
  CHECK(live.last(job)->have == 40);
  CHECK(live.last(job)->size == 100);
  CHECK(live.last(job)->speed == 0);
  CHECK_FALSE(live.last(job)->eta);
  CHECK(live.last(job)->is_resting);
  CHECK(live.last(job)->waits_for.empty());
  CHECK(live.speed() == 0);

  live.put_up({{job, {.job = job, .have = 41}}});
  CHECK_FALSE(live.last(job));
}

TEST_CASE("of more than a thousand jobs that no longer run, the one that stopped first goes") {
  constexpr auto kMost = static_cast<std::int64_t>(api::LiveProgress::kRestingMax);
  api::LiveProgress live;
  const auto stop = [&live](JobId job) {
    live.put_up({{job, {.job = job, .have = 1}}});
    live.put_up({});
  };
  const JobId first{kMost + 1};  // The highest number of all.
  stop(first);
  for (std::int64_t n = 1; n < kMost; ++n) stop(JobId{n});
  CHECK(live.last(first));

  stop(JobId{kMost});
  CHECK_FALSE(live.last(first));
  CHECK(live.last(JobId{1}));

  stop(JobId{1});  // It ran again, so it is the newest now.
  stop(first);
  CHECK(live.last(JobId{1}));
  CHECK_FALSE(live.last(JobId{2}));
}

}  // namespace haul::testing
