// Document 002 over the API: the progress of a batch (S2-10), its events in streams (S2-15, S2-16,
// S2-19), and its result (Z-9).

#include <doctest/doctest.h>

#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

// A batch with this many items that a worker holds.
struct Batch {
  ApiBench b;
  JobId id = b.add_for("adder");
  WorkerId worker = b.store().workers().enlist("test", b.clock.now());
  Hold hold;

  explicit Batch(int items) {
    const auto claims =
        b.store().jobs().claim({.lifecycle = &kBatch, .worker = worker, .limit = 1}, b.clock.now());
    hold = {id, worker, claims.front().version.fence};
    std::vector<NewItem> found;
    for (int i = 1; i <= items; ++i)
      found.push_back({.key = fmt::format("k{}", i), .url = fmt::format("http://h/{}", i)});
    REQUIRE(b.store().items().add(hold, found, Enumeration::complete, b.clock.now()));
  }
  void move(std::int64_t n, On on) {
    std::vector<ItemMove> asks;
    if (on != On::skip) asks.push_back({.n = n, .from = "PENDING", .on = On::start});
    ItemMove end{.n = n, .from = on == On::skip ? "PENDING" : "DOWNLOADING", .on = on};
    end.holds = {Guard::filtered_out, Guard::file_exists};
    if (on == On::landed) {
      end.path = fmt::format("/in/{}", n);
      end.proof = {Proof::evidence, "{}"};
    }
    if (on != On::landed) end.reason = "why";
    asks.push_back(end);
    for (const ItemAnswer& answer : b.store().items().move(hold, asks, b.clock.now()))
      REQUIRE(answer);
  }
  void end(On on, By by, const std::string& reason = {}) {
    const JobVersion version = b.store().reader().find(id)->version;
    const Ask ask{.version = version,
                  .on = on,
                  .by = by,
                  .worker = worker,
                  .reason = reason,
                  .holds = version.lifecycle->find(version.state, on)->terms.guards};
    const MoveAnswer moved = b.store().jobs().move({&ask, 1}, b.clock.now()).front();
    REQUIRE_MESSAGE(moved, moved.error().code);
  }
  std::string percentage() {
    const std::string counts = member(b.get(fmt::format("/api/v1/jobs/{}", id.value)), "counts");
    const auto fields = read_object(counts);
    REQUIRE(fields);
    for (const JsonField& field : *fields)
      if (field.name == "percentage") return field.text;
    return "none";
  }
  WebReply result() { return b.get(fmt::format("/api/v1/jobs/{}/result", id.value)); }
};

}  // namespace

TEST_CASE("Z-25: a batch that arrived in part is listed with the outcome partly only") {
  Batch t{2};
  t.move(1, On::landed);
  t.move(2, On::fail);
  const auto listed = [&](const std::string& outcome) {
    return read_array(member(t.b.get("/api/v1/jobs?outcome=" + outcome), "items"))->size();
  };
  CHECK(listed("partly") == 0);  // It has not ended.
  t.end(On::done, By::worker);

  CHECK(member(t.b.get(fmt::format("/api/v1/jobs/{}", t.id.value)), "outcome") == "partly");
  CHECK(listed("partly") == 1);
  CHECK(listed("whole") == 0);
  CHECK(listed("nothing") == 0);
}

TEST_CASE("S2-10: a job's percentage is completed of total: done and skipped count, failed not") {
  CHECK(Batch{0}.percentage() == "0");

  Batch t{3};
  CHECK(t.percentage() == "0");
  t.move(1, On::landed);
  CHECK(t.percentage() == "33.3");
  t.move(2, On::skip);
  CHECK(t.percentage() == "66.7");
  t.move(3, On::fail);
  CHECK(t.percentage() == "66.7");

  Batch whole{1};
  whole.move(1, On::landed);
  CHECK(whole.percentage() == "100");
}

TEST_CASE("S2-16, S2-19: JOB_PROGRESS is streamed after each item, with the counters after it") {
  Batch t{2};
  const WebReply reply = t.b.as("adder", "GET", "/api/v1/events");
  REQUIRE(reply.stream);
  const auto newest = [&] { return fmt::format("id: {}\n", t.b.store().events().newest().value); };

  for (const auto& [on, n] : {std::pair{On::landed, 1}, {On::fail, 2}}) {
    t.move(n, on);
    t.b.live.ring();
    const std::string told = t.b.hear(*reply.stream, newest());
    const std::size_t done = told.find("\"type\":\"ITEM_DONE\"");
    const std::size_t progress = told.find("\"type\":\"JOB_PROGRESS\"");
    REQUIRE(done != std::string::npos);
    REQUIRE(progress != std::string::npos);
    CHECK(done < progress);
    CHECK(told.find(R"("data":{"completed_items":1,"total_items":2})") != std::string::npos);
    CHECK(told.find(on == On::fail ? R"("success":false)" : R"("success":true)") !=
          std::string::npos);
  }
}

TEST_CASE("S2-15, S2-19: ITEM_PROGRESS is streamed with the document's payload, without an id") {
  ApiBench b;
  const auto stream = b.live.listen({});
  api::JobProgress job{.job = JobId{7}, .owner = UserId{1}, .have = 5};
  job.items = {{.n = 1,
                .name = "a.bin",
                .key = "http://h/a.bin",
                .url = "http://h/a.bin",
                .path = "/in/a.bin",
                .have = 5,
                .size = 10,
                .speed = 2.5,
                .eta = std::chrono::seconds{2},
                .status = "Downloading"},
               {.n = 2, .key = "k2", .url = "http://h/b", .status = "Merging"}};
  b.live.show({{job.job, job}});

  const std::string told = stream->next().value_or("");
  CHECK(told.find("\n\nevent: item_progress\ndata: "
                  R"({"job":7,"item":1,"type":"ITEM_PROGRESS","data":{"downloaded_bytes":5,)"
                  R"("total_bytes":10,"file_id":"http://h/a.bin","file_path":"/in/a.bin",)"
                  R"("url":"http://h/a.bin","speed":2.5,"eta":2,"status":"Downloading"}})"
                  "\n\n") != std::string::npos);
  CHECK(told.find(R"({"job":7,"item":2,"type":"ITEM_PROGRESS","data":{"downloaded_bytes":0,)"
                  R"("total_bytes":0,"file_id":"k2","file_path":null,"url":"http://h/b",)"
                  R"("speed":0.0,"eta":null,"status":"Merging"}})") != std::string::npos);
  CHECK(told.find("id: ") == std::string::npos);

  job.items[1].have = 1;  // Streams get only what changed.
  b.live.show({{job.job, job}});
  const std::string later = stream->next().value_or("");
  CHECK(later.find("\"item\":1,") == std::string::npos);
  CHECK(later.find("\"item\":2,") != std::string::npos);
}

TEST_CASE("F49: ITEM_PROGRESS of a job goes to its owner only") {
  ApiBench b;
  const auto mine = b.live.listen({.owner = UserId{5}});
  api::JobProgress theirs{.job = JobId{7}, .owner = UserId{6}};
  theirs.items = {{.n = 1, .url = "http://h/a"}};
  b.live.show({{theirs.job, theirs}});
  CHECK_FALSE(mine->next());
}

TEST_CASE("Z-9: a result names what failed and what was skipped, and says why it is no success") {
  Batch t{4};
  t.move(1, On::landed);
  t.move(2, On::skip);
  t.move(3, On::fail);
  t.move(4, On::fail);
  t.end(On::done, By::worker);
  CHECK(t.result().body ==
        R"({"success":false,"total_files":4,"completed_files":2,)"
        R"("failed_files":["http://h/3","http://h/4"],"skipped_files":["http://h/2"],)"
        R"("error_message":null,"result":null})");
}

TEST_CASE("Z-9: a result is a success when all arrived or were skipped, and has no error then") {
  Batch t{2};
  t.move(1, On::landed);
  t.move(2, On::skip);
  t.end(On::done, By::worker, "a reason that is no error");
  const WebReply result = t.result();
  CHECK(member(result, "success") == "true");
  CHECK(member(result, "completed_files") == "2");
  CHECK(member(result, "failed_files") == "[]");
  CHECK(member(result, "error_message") == "null");
}

TEST_CASE("Z-9: a job that failed or was cancelled is no success, though no item failed") {
  Batch failed{1};
  failed.move(1, On::landed);
  failed.end(On::fail, By::worker, "no_space");
  CHECK(member(failed.result(), "success") == "false");
  CHECK(member(failed.result(), "error_message") == "no_space");

  Batch cancelled{1};
  cancelled.end(On::cancel, By::user, "cancelled");
  CHECK(member(cancelled.result(), "success") == "false");
  CHECK(member(cancelled.result(), "failed_files") == "[]");
}

}  // namespace haul::testing
