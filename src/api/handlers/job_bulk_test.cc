// Actions on all jobs that match a filter, through the API.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "support/api/job_calls.h"

namespace haul::testing {
namespace {

// A batch that has landed two files of 10 and 20 bytes, and ended.
JobId landed_batch(ApiBench& b, const std::string& who) {
  Store& store = b.store();
  const JobId id = b.add_for(who);
  const WorkerId worker = store.workers().enlist("w", b.clock.now());
  const ClaimRequest claim{.lifecycle = &kBatch, .lane = {}, .worker = worker, .limit = 1};
  const auto claimed = store.jobs().claim(claim, b.clock.now());
  REQUIRE(claimed.size() == 1);
  const Hold hold{id, worker, claimed.front().version.fence};
  const std::vector<NewItem> items{{.key = "a", .url = "http://h/a", .size = {}, .skip = {}},
                                   {.key = "b", .url = "http://h/b", .size = {}, .skip = {}}};
  REQUIRE(store.items().add(hold, items, Enumeration::complete, b.clock.now()));
  for (std::int64_t n = 1; n <= 2; ++n) {
    const std::vector<ItemMove> moves{{.n = n, .from = "PENDING", .on = On::start},
                                      {.n = n,
                                       .from = "DOWNLOADING",
                                       .on = On::landed,
                                       .path = fmt::format("/in/{}", n),
                                       .size = 10 * n,
                                       .proof = {Proof::evidence, R"({"kind":"size"})"},
                                       .holds = {Guard::file_exists}}};
    for (const ItemAnswer& moved : store.items().move(hold, moves, b.clock.now())) REQUIRE(moved);
  }
  const Ask done{.version = claimed.front().version, .on = On::done, .worker = worker};
  REQUIRE(store.jobs().move({&done, 1}, b.clock.now()).front());
  return id;
}

WebReply act(ApiBench& b, const std::string& who, const std::string& body) {
  return b.as(who, "POST", "/api/v1/jobs/actions", body);
}

std::string body_of(const char* action, const char* filter, const char* more = "") {
  return fmt::format(R"({{"action":"{}","filter":{}{}}})", action, filter, more);
}

}  // namespace

TEST_CASE("a dry run says which jobs an action would change, and changes none") {
  ApiBench b;
  const JobId done = cancelled(b, "adder");
  const JobId open = b.add_for("adder");
  b.add_for("boss");

  const WebReply reply = act(b, "adder", body_of("cancel", "{}", R"(,"dry_run":true)"));

  CHECK(reply.status == 200);
  CHECK(reply.body ==
        fmt::format(R"({{"items":[{{"id":{},"state":"PENDING","outcome":"would"}},)"
                    R"({{"id":{},"state":"CANCELLED","outcome":"refused"}}],"next":null,)"
                    R"("action":"cancel","dry_run":true,"matched":2,"acted":1}})",
                    open.value, done.value));
  CHECK(state_of(b, open) == "PENDING");
  CHECK(audited(b).empty());
}

TEST_CASE("each action acts on the jobs that match, and says what became of each") {
  ApiBench b;
  const JobId first = b.add_for("adder");
  const JobId second = b.add_for("adder");
  const auto acted = [&](const char* action, const char* filter) {
    return member(act(b, "adder", body_of(action, filter)), "acted");
  };

  CHECK(acted("pause", R"({"state":"pending"})") == "2");
  CHECK(b.store().reader().find(first)->paused);
  CHECK(acted("resume", R"({"lifecycle":"batch"})") == "2");
  CHECK_FALSE(b.store().reader().find(second)->paused);
  CHECK(acted("cancel", fmt::format(R"({{"q":"{}"}})", first.value).c_str()) == "1");
  CHECK(state_of(b, first) == "CANCELLED");
  CHECK(state_of(b, second) == "PENDING");
  const WebReply retried = act(b, "adder", body_of("retry", R"({"end":"stopped"})"));
  CHECK(retried.body.find(R"("outcome":"done","job":3)") != std::string::npos);
  CHECK(acted("delete", R"({"end":"stopped"})") == "1");
  CHECK(b.store().reader().find(first)->hidden_at);
  CHECK(acted("delete", R"({"end":"stopped"})") == "0");

  const WebReply refused = act(b, "adder", body_of("delete", R"({"end":"open"})"));
  CHECK(refused.status == 200);
  CHECK(member(refused, "acted") == "0");
  CHECK(refused.body.find(R"("outcome":"refused","code":"open","detail":"the job is PENDING)") !=
        std::string::npos);
}

TEST_CASE("a delete with files says how many there are, before and after, and skips other jobs") {
  ApiBench b;
  const JobId film = failed_film(b, "adder");
  const JobId batch = landed_batch(b, "adder");
  const WebReply dry = act(b, "adder", body_of("delete", "{}", R"(,"dry_run":true,"files":true)"));
  CHECK(dry.body ==
        fmt::format(R"({{"items":[{{"id":{},"state":"COMPLETED","outcome":"would","files":2,)"
                    R"("bytes":30}},{{"id":{},"state":"failed","outcome":"refused"}}],"next":null,)"
                    R"("action":"delete","dry_run":true,"matched":2,"acted":1,"files":2,)"
                    R"("bytes":30}})",
                    batch.value, film.value));
  CHECK(b.store().purges().open({}, 10).empty());
  CHECK_FALSE(
      act(b, "adder", body_of("delete", "{}", R"(,"dry_run":true)")).body.contains(R"("files")"));

  const WebReply done = act(b, "adder", body_of("delete", "{}", R"(,"files":true)"));

  CHECK(done.body.contains(R"("outcome":"done","files":2,"bytes":30)"));
  CHECK(done.body.contains(R"("outcome":"refused","code":"no_own_files")"));
  CHECK(done.body.ends_with(R"("matched":2,"acted":1,"files":2,"bytes":30})"));
  CHECK(b.store().purges().find(batch));
  CHECK_FALSE(b.store().reader().find(film)->hidden_at);
  CHECK(member(act(b, "adder", body_of("cancel", "{}", R"(,"files":true)")), "detail") ==
        "files: only delete takes it");
  CHECK(act(b, "adder", body_of("delete", "{}", R"(,"files":"yes")")).status == 400);
}

TEST_CASE("promise 17: an action takes at most its limit a call, and the cursor goes on") {
  ApiBench b;
  for (int i = 0; i < 5; ++i) b.add_for("adder");
  std::string cursor;
  std::string seen;
  for (int call = 0; call < 5; ++call) {
    const std::string more =
        R"(,"limit":2)" + (cursor.empty() ? "" : fmt::format(R"(,"cursor":"{}")", cursor));
    const WebReply reply = act(b, "adder", body_of("cancel", "{}", more.c_str()));
    seen += member(reply, "matched") + " ";
    cursor = member(reply, "next");
    if (cursor == "null") break;
  }
  CHECK(seen == "2 2 1 ");
  CHECK(act(b, "adder", body_of("cancel", "{}", R"(,"limit":101)")).status == 400);
  CHECK(act(b, "adder", body_of("cancel", "{}", R"(,"limit":0)")).status == 400);
  CHECK(act(b, "adder", body_of("cancel", "{}", R"(,"cursor":"x")")).status == 400);
}

TEST_CASE("a user acts on their own jobs alone; an operator's acts on others' are audited") {
  ApiBench b;
  const JobId own = b.add_for("adder");
  const JobId theirs = b.add_for("operator");
  CHECK(act(b, "viewer", body_of("cancel", "{}")).status == 403);
  CHECK(
      act(b, "adder",
          body_of("cancel", fmt::format(R"({{"owner":{}}})", b.users["operator"].id.value).c_str()))
          .status == 403);
  CHECK(member(act(b, "adder", body_of("pause", "{}")), "matched") == "1");
  CHECK_FALSE(b.store().reader().find(theirs)->paused);
  CHECK(audited(b).empty());

  CHECK(member(act(b, "operator", body_of("cancel", "{}")), "acted") == "2");
  CHECK(audited(b) == fmt::format("JOB_CANCELLED {}\n", own.value));
}

TEST_CASE("wrong fields of an action are errors that name their path and what is known") {
  ApiBench b;
  const auto wrong = [&](const std::string& body) {
    const WebReply reply = act(b, "adder", body);
    CHECK(reply.status == 400);
    return member(reply, "detail");
  };
  CHECK(wrong(body_of("stop", "{}")) == "action: expected cancel, retry, pause, resume or delete");
  CHECK(wrong(R"({"action":"cancel"})").starts_with("filter: expected an object"));
  CHECK(wrong(body_of("cancel", "[]")).starts_with("filter: expected an object"));
  CHECK(wrong(body_of("cancel", R"({"lifecycle":"batch","state":"queued"})"))
            .starts_with("filter.state: unknown; expected one of PENDING"));
  CHECK(wrong(body_of("cancel", R"({"q":"a\u0000"})")).starts_with("filter.q: control"));
  CHECK(wrong(body_of("cancel", R"({"end":"over"})")).starts_with("filter.end: expected open"));
  CHECK(wrong(body_of("cancel", R"({"stuck":"yes"})")).starts_with("filter.stuck: "));
  CHECK(wrong(body_of("cancel", R"({"category":"nowhere"})")).starts_with("filter.category: "));
  CHECK(act(b, "adder", body_of("cancel", R"({"limit":1})"))
            .body.find(R"("fields":{"filter.limit":)") != std::string::npos);
}

}  // namespace haul::testing
