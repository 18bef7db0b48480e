// How many reads the pages of the API take, whatever their length: over a network each read is a
// round trip.

#include <doctest/doctest.h>

#include "flow/user/user.h"
#include "support/api/api_bench.h"
#include "support/store/counting_store.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

// The API on a store that counts its reads.
struct CountedApi {
  ReadCounts reads;
  ApiBench b{std::make_unique<CountingStore>(open_test_store(Bench::kStart), reads)};
  WorkerId worker = b.store().workers().enlist("w", b.clock.now());
  int added = 0;

  std::vector<JobId> add(const Lifecycle& table, std::size_t jobs) {
    std::vector<NewJob> wanted;
    for (std::size_t i = 0; i < jobs; ++i)
      wanted.push_back({.lifecycle = &table, .request = request_for(table, ++added)});
    std::vector<JobId> ids;
    for (const AddAnswer& answer : b.store().jobs().add(wanted, b.clock.now()))
      ids.push_back(answer.value().id);
    return ids;
  }
  // Batches that the worker holds.
  std::vector<JobId> running(std::size_t jobs) {
    std::vector<JobId> ids = add(kBatch, jobs);
    const ClaimRequest request{.lifecycle = &kBatch, .worker = worker, .limit = jobs};
    REQUIRE(b.store().jobs().claim(request, b.clock.now()).size() == jobs);
    return ids;
  }
  Hold hold(JobId id) { return {id, worker, b.store().reader().find(id)->version.fence}; }
  // Gives a running batch one item with 30 of 100 bytes, and pauses it.
  void half_done(JobId id) {
    const std::vector<NewItem> items{{.key = "a", .url = "u"}};
    REQUIRE(
        b.store().items().add(hold(id), items, Enumeration::complete, b.clock.now()).has_value());
    const ItemObservation seen{.n = 1, .have = 30, .size = 100, .checkpoint = R"({"at":30})"};
    REQUIRE(b.store().items().observe(hold(id), {&seen, 1}, b.clock.now()));
    const Release back{.version = b.store().reader().find(id)->version, .worker = worker};
    REQUIRE(b.store().jobs().release({&back, 1}, b.clock.now()).front().has_value());
    REQUIRE(flow::pause(b.store(), id, b.clock.now()).done);
  }

  std::string body(const std::string& target) {
    const WebReply reply = b.get(target);
    REQUIRE(reply.status == 200);
    return reply.body;
  }
  std::string shown(JobId id) { return body(fmt::format("/api/v1/jobs/{}", id.value)); }
  // The reads that a request takes.
  std::string reads_of(const std::string& target) {
    reads.clear();
    body(target);
    return reads.text();
  }
};

// The body that adds a job for this book.
std::string new_book(int number) {
  return fmt::format(R"({{"lifecycle":"book","request":{{"book_id":"b{}","media_type":"text",)"
                     R"("uri":"magnet:?x","source":"s"}}}})",
                     number);
}

api::JobProgress still(JobId id, Steady since) {
  return {.job = id,
          .owner = kAdmin,
          .have = 1,
          .size = {},
          .speed = 0,
          .eta = {},
          .items = {},
          .still_since = since};
}

// A job as the answer to an add shows it that found the job.
std::string as_replayed(std::string shown) {
  shown.insert(shown.size() - 1, ",\"replayed\":true");
  return shown;
}

}  // namespace

TEST_CASE("a page of jobs takes the same five reads whatever its length") {
  CountedApi t;
  t.add(kMedia, 34);
  t.add(kRelay, 34);
  t.running(34);

  for (const int limit : {1, 2, 35, 100})
    CHECK(t.reads_of(fmt::format("/api/v1/jobs?limit={}", limit)) ==
          "intents.open_of 1, items.counts 1, reader.list 1, reader.requests 1, workers.find 1");

  CHECK(count(t.body("/api/v1/jobs?limit=100"), "\"lifecycle\"") == 100);
}

TEST_CASE("a page shows each job as it is shown alone") {
  CountedApi t;
  std::vector<JobId> ids = t.add(kMedia, 2);
  for (const JobId id : t.add(kRelay, 2)) ids.push_back(id);
  const std::vector<JobId> running = t.running(3);
  ids.insert(ids.end(), running.begin(), running.end());
  const std::vector<NewItem> items{{.key = "a", .url = "u"}, {.key = "b", .url = "u"}};
  REQUIRE(t.b.store()
              .items()
              .add(t.hold(running[1]), items, Enumeration::complete, t.b.clock.now())
              .has_value());
  for (const JobId id : {ids[0], running[2]})
    REQUIRE(t.b.store().intents().record(id, {.kind = kCancelIntent}, t.b.clock.now()).has_value());

  const std::string page = t.body("/api/v1/jobs");

  for (const JobId id : ids) CHECK(page.find(t.shown(id)) != std::string::npos);
  CHECK(count(page, "\"total\":2") == 1);
  CHECK(t.shown(running[1]).find("\"total\":2") != std::string::npos);
  CHECK(t.shown(running[1]).find(R"("allowed":["cancel")") != std::string::npos);
  CHECK(t.shown(running[2]).find(R"("allowed":["cancel")") == std::string::npos);
}

TEST_CASE("paused batches have their stored numbers after a restart, by one read for all") {
  for (const std::size_t jobs : {1UL, 40UL}) {
    CountedApi t;  // Its memory has no progress, as after a restart.
    for (const JobId id : t.running(jobs)) t.half_done(id);

    const std::string page = t.body("/api/v1/jobs?limit=100");

    CHECK(count(page, R"("progress":{"have":30,"size":100,"speed":0.0,"eta":null,)") == jobs);
    CHECK(count(page, R"("resting":true)") == jobs);
    CHECK(page.find(t.shown(JobId{1})) != std::string::npos);
    CHECK(t.reads_of("/api/v1/jobs?limit=100") ==
          "intents.open_of 1, items.counts 1, items.open_bytes 1, reader.list 1, "
          "reader.requests 1");
  }
}

TEST_CASE("numbers that this process remembers go before the stored ones") {
  CountedApi t;
  const JobId id = t.running(1).front();
  t.half_done(id);
  t.b.progress.put_up({{id, still(id, {})}});
  t.b.progress.put_up({});

  CHECK(t.shown(id).find(R"("progress":{"have":1,)") != std::string::npos);
  CHECK(t.reads_of("/api/v1/jobs").find("open_bytes") == std::string::npos);
}

TEST_CASE("each item says how its state ends, by the table of the items") {
  CountedApi t;
  const JobId id = t.running(1).front();
  const std::vector<NewItem> items{{.key = "a", .url = "u"}};
  REQUIRE(t.b.store()
              .items()
              .add(t.hold(id), items, Enumeration::complete, t.b.clock.now())
              .has_value());

  const std::string page = t.body(fmt::format("/api/v1/jobs/{}/items", id.value));

  CHECK(page.find(R"("state":"PENDING","end":"open")") != std::string::npos);
}

TEST_CASE("an empty page reads only that it is empty") {
  CountedApi t;
  CHECK(t.reads_of("/api/v1/jobs") == "reader.list 1");
}

TEST_CASE("a list of stuck jobs takes the same reads whatever its length") {
  CountedApi t;
  t.add(kMedia, 50);
  t.b.clock.pass(61min);

  for (const int limit : {1, 50})
    CHECK(t.reads_of(fmt::format("/api/v1/stuck?limit={}", limit)) ==
          "intents.open_of 1, items.counts 1, reader.requests 1, reader.stuck 1");

  CHECK(count(t.body("/api/v1/stuck?limit=50"), "\"lifecycle\"") == 50);
}

TEST_CASE("a list of stalled jobs takes the same reads whatever its length") {
  for (const std::size_t jobs : {1UL, 50UL}) {
    CountedApi t;
    std::map<JobId, api::JobProgress> all;
    for (const JobId id : t.add(kBatch, jobs)) all[id] = still(id, t.b.clock.steady() - 10min);
    t.b.progress.put_up(all);

    CHECK(t.reads_of("/api/v1/stalled?limit=100") == "reader.find 1, reader.requests 1");
    CHECK(count(t.body("/api/v1/stalled?limit=100"), "\"lifecycle\"") == jobs);
  }
}

TEST_CASE("a stalled job is found behind a hundred that have ended meanwhile") {
  CountedApi t;
  std::map<JobId, api::JobProgress> all;
  const JobId open = t.add(kBatch, 1).front();
  all[open] = still(open, t.b.clock.steady() - 10min);
  for (int i = 0; i < 100; ++i) {
    const JobId gone{1'000 + i};
    all[gone] = still(gone, t.b.clock.steady() - 20min);
  }
  t.b.progress.put_up(all);

  CHECK(t.reads_of("/api/v1/stalled?limit=1") == "reader.find 2, reader.requests 1");
  CHECK(t.body("/api/v1/stalled?limit=1").find(t.shown(open)) != std::string::npos);
}

TEST_CASE("a page of books takes the same reads whatever its length, and each book has its jobs") {
  for (const std::size_t books : {1UL, 40UL}) {
    CountedApi t;
    const JobId first = t.add(kBook, books).front();

    CHECK(t.reads_of("/api/v1/books?limit=100") ==
          "catalog.assets_of 1, catalog.books 1, catalog.jobs_of 1, intents.open_of 1, "
          "items.counts 1, reader.load 1");

    const std::string page = t.body("/api/v1/books?limit=100");
    CHECK(count(page, "\"lifecycle\"") == books);
    const std::size_t at = page.find(R"({"id":"b1",)");
    REQUIRE(at != std::string::npos);
    CHECK(page.find(t.shown(first), at) == page.find(R"({"id":)", at + 1));
  }
}

TEST_CASE("a list of new books takes the same two reads for every hundred of them") {
  for (const int books : {1, 2, 100, 101}) {
    CountedApi t;
    std::string list;
    for (int i = 1; i <= books; ++i) list += (i == 1 ? "" : ",") + new_book(i);

    const WebReply reply = t.b.post("/api/v1/jobs/batch", "[" + list + "]");

    CHECK(t.reads.text() == (books <= 100 ? "intents.open_of 1, items.counts 1"
                                          : "intents.open_of 2, items.counts 2"));
    CHECK(count(reply.body, "\"status\":201") == static_cast<std::size_t>(books));
    for (const int id : {1, books}) CHECK(reply.body.find(t.shown(JobId{id})) != std::string::npos);
  }
}

TEST_CASE("a list that has a job twice adds it once, and its second answer is the same job") {
  CountedApi t;

  const WebReply reply =
      t.b.post("/api/v1/jobs/batch", "[" + new_book(1) + "," + new_book(1) + "]");

  CHECK(count(reply.body, "\"status\":201") == 1);
  CHECK(count(reply.body, "\"status\":200") == 1);
  const std::string shown = t.shown(JobId{1});
  CHECK(count(reply.body, shown) == 1);
  CHECK(count(reply.body, as_replayed(shown)) == 1);
}

TEST_CASE("a list of jobs that is sent again takes the same reads whatever its length") {
  for (const int jobs : {1, 40}) {
    CountedApi t;
    std::string list;
    for (int i = 0; i < jobs; ++i)
      list += fmt::format(R"({}{{"lifecycle":"batch","request":{{"url":"https://h.example/{}"}}}})",
                          i == 0 ? "" : ",", i);
    const WebFields key{{"idempotency-key", "k"}};
    const WebReply first = t.b.post("/api/v1/jobs/batch", "[" + list + "]", key);
    REQUIRE(count(first.body, "\"status\":201") == static_cast<std::size_t>(jobs));
    t.reads.clear();

    const WebReply second = t.b.post("/api/v1/jobs/batch", "[" + list + "]", key);

    CHECK(t.reads.text() == "reader.load 1");
    CHECK(count(second.body, "\"status\":200") == static_cast<std::size_t>(jobs));
    CHECK(second.body.find(as_replayed(t.shown(JobId{jobs}))) != std::string::npos);
  }
}

}  // namespace haul::testing
