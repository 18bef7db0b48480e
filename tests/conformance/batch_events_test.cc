// The batch document's own events: order and payload on each path (002 Event Emission Order).

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// What contract_batch_events shows: the document's events, without the moves between them.
std::vector<Event> documented(Bench& b, JobId id) {
  std::vector<Event> events = b.store().events().of(id, {}, kListMax);
  std::erase_if(events, [](const Event& e) { return e.type == "MOVED"; });
  return events;
}

std::string types(Bench& b, JobId id) {
  std::string text;
  for (const Event& e : documented(b, id)) text += (text.empty() ? "" : " ") + e.type;
  return text;
}

std::string data_of(Bench& b, JobId id, std::string_view type) {
  std::string text;
  for (const Event& e : documented(b, id))
    if (e.type == type) text += e.data;
  return text;
}

void add_items(Bench& b, JobId id, int count) {
  std::vector<NewItem> found;
  for (int i = 1; i <= count; ++i) found.push_back({.key = std::to_string(i), .url = "u"});
  REQUIRE(b.store().items().add(b.hold(id), found, Enumeration::complete, b.now()).has_value());
}

void land(Bench& b, JobId id, std::int64_t n) {
  const std::vector<ItemMove> asks{{.n = n, .from = "PENDING", .on = On::start},
                                   {.n = n,
                                    .from = "DOWNLOADING",
                                    .on = On::landed,
                                    .path = "/f",
                                    .proof = {Proof::evidence, "{}"},
                                    .holds = {Guard::file_exists}}};
  for (const ItemAnswer& answer : b.store().items().move(b.hold(id), asks, b.now()))
    REQUIRE(answer.has_value());
}

void lose(Bench& b) {
  b.jobs().rescue({.worker = b.worker(), .beat = 0, .lifecycle = &kBatch}, {}, b.now());
}

void check_one_done_and_last(Bench& b, JobId id) {
  const std::vector<Event> events = documented(b, id);
  CHECK(std::ranges::count(events, "JOB_DONE", &Event::type) == 1);
  CHECK(events.back().type == "JOB_DONE");
  CHECK(events.back().seq == b.version(id).seq);
}

}  // namespace

TEST_CASE(
    "S2-18, S2-20: a batch that succeeds: added, started, items and progress, one JOB_DONE last") {
  Bench b;
  const JobId id = b.reach(kBatch, "RUNNING");
  add_items(b, id, 2);
  land(b, id, 1);
  land(b, id, 2);

  REQUIRE(b.ask(id, On::done).has_value());

  CHECK(types(b, id) ==
        "JOB_ADDED JOB_STARTED ITEM_DONE JOB_PROGRESS ITEM_DONE JOB_PROGRESS JOB_DONE");
  check_one_done_and_last(b, id);
}

TEST_CASE(
    "F52: no event has a secret of an address, an error or a note; the request keeps its own") {
  Bench b;
  const std::string request = R"({"url":"http://u:canary@h/a?token=canary&x=1"})";
  const JobId id = b.add({.lifecycle = &kBatch, .request = request})->id;
  b.claim(kBatch);
  const NewItem item{.key = "http:0:http://h/a?sig=canary", .url = "http://h/a?sig=canary"};
  REQUIRE(b.store().items().add(b.hold(id), {&item, 1}, Enumeration::complete, b.now()));
  land(b, id, 1);
  REQUIRE(b.store().events().note(id, "LOG", R"({"message":"Cookie: canary"})", b.now()));
  Ask fail = b.draft(id, On::fail);
  fail.detail = "http://u:canary@h/";
  REQUIRE(b.ask(fail));

  std::string all;
  for (const Event& e : b.store().events().of(id, {}, kListMax)) all += e.type + e.data;
  CHECK(all.find("canary") == std::string::npos);
  CHECK(all.find(R"("url":"http://***@h/a?token=***&x=1")") != std::string::npos);
  CHECK(all.find(R"("file_id":"http:0:http://h/a?sig=***")") != std::string::npos);
  CHECK(b.reader().request(id) == request);
}

TEST_CASE("S2-18, S2-20: a batch that fails: JOB_ERROR, then JOB_DONE, last") {
  Bench b;
  const JobId id = b.reach(kBatch, "RUNNING");
  add_items(b, id, 1);
  Ask ask = b.draft(id, On::fail);
  ask.reason = "no_engine";
  ask.detail = "nobody can read this page";

  REQUIRE(b.ask(ask).has_value());

  CHECK(types(b, id) == "JOB_ADDED JOB_STARTED JOB_ERROR JOB_DONE");
  CHECK(data_of(b, id, "JOB_ERROR") ==
        R"({"error_message":"nobody can read this page","recoverable":false})");
  check_one_done_and_last(b, id);
}

TEST_CASE("S2-3: an error without prose is told by its reason") {
  Bench b;
  const JobId id = b.reach(kBatch, "RUNNING");
  Ask ask = b.draft(id, On::fail);
  ask.reason = "no_engine";

  REQUIRE(b.ask(ask).has_value());

  CHECK(data_of(b, id, "JOB_ERROR") == R"({"error_message":"no_engine","recoverable":false})");
}

TEST_CASE("S2-18, S2-20: a batch cancelled while it runs: JOB_CANCELLED, then JOB_DONE, last") {
  Bench b;
  const JobId id = b.reach(kBatch, "RUNNING");
  add_items(b, id, 2);
  land(b, id, 1);

  REQUIRE(b.ask(id, On::cancel).has_value());

  CHECK(types(b, id) == "JOB_ADDED JOB_STARTED ITEM_DONE JOB_PROGRESS JOB_CANCELLED JOB_DONE");
  CHECK(data_of(b, id, "JOB_CANCELLED").empty());
  check_one_done_and_last(b, id);
}

TEST_CASE("S2-18, W2-4: a batch cancelled before it starts has no JOB_STARTED, and its JOB_DONE") {
  Bench b;
  const JobId id = b.add(kBatch);

  REQUIRE(b.ask(id, On::cancel).has_value());

  CHECK(types(b, id) == "JOB_ADDED JOB_CANCELLED JOB_DONE");
  check_one_done_and_last(b, id);
}

TEST_CASE("S2-27, A2-5: a lost worker is a recoverable JOB_ERROR and no JOB_DONE") {
  Bench b;
  const JobId id = b.reach(kBatch, "RUNNING");

  lose(b);
  b.claim(kBatch);

  CHECK(types(b, id) == "JOB_ADDED JOB_STARTED JOB_ERROR JOB_STARTED");
  CHECK(data_of(b, id, "JOB_ERROR") ==
        R"({"error_message":"the worker that held it went silent","recoverable":true})");
}

TEST_CASE(
    "Z-7, S2-20: five lost workers are four recoverable errors, a last one, and one JOB_DONE") {
  Bench b;
  const JobId id = b.add(kBatch);

  for (int loss = 1; loss <= 5; ++loss) {
    b.claim(kBatch);
    lose(b);
  }

  const std::vector<Event> events = documented(b, id);
  std::string errors;
  for (const Event& e : events)
    if (e.type == "JOB_ERROR") errors += e.data.contains(R"("recoverable":true)") ? "r" : "f";
  CHECK(errors == "rrrrf");
  check_one_done_and_last(b, id);
}

TEST_CASE("Z-8: a graceful stop and an environment fault are no JOB_ERROR") {
  Bench b;
  const JobId id = b.reach(kBatch, "RUNNING");
  const Release back{.version = b.version(id), .worker = b.worker(), .reason = "disk_full"};

  REQUIRE(b.jobs().release({&back, 1}, b.now())[0].has_value());

  CHECK(types(b, id) == "JOB_ADDED JOB_STARTED");
}

TEST_CASE("S2-19: JOB_ADDED names url, engine and folder; JOB_STARTED url and engine") {
  Bench b;
  const JobId id = b.reach(kBatch, "RUNNING");

  CHECK(data_of(b, id, "JOB_ADDED") ==
        R"({"url":"https://h/1","engine":"http","output_folder":"/in"})");
  CHECK(data_of(b, id, "JOB_STARTED") == R"({"url":"https://h/1","engine":"http"})");
}

TEST_CASE("S2-19: the first of many addresses stands for all, and an engine left open is auto") {
  Bench b;
  const NewJob job{.lifecycle = &kBatch, .request = R"({"urls":["https://a/","https://b/"]})"};
  const JobId id = b.add(job)->id;
  b.claim(kBatch);

  CHECK(data_of(b, id, "JOB_ADDED") ==
        R"({"url":"https://a/","engine":"auto","output_folder":null})");
  CHECK(data_of(b, id, "JOB_STARTED") == R"({"url":"https://a/","engine":"auto"})");
}

TEST_CASE("S2-19: the engine that was chosen wins over the one that was asked for") {
  Bench b;
  NewJob job{.lifecycle = &kBatch, .request = request_for(kBatch), .engine = "yt-dlp"};
  const JobId id = b.add(job)->id;
  b.claim(kBatch);

  CHECK(data_of(b, id, "JOB_ADDED").contains(R"("engine":"yt-dlp")"));
  CHECK(data_of(b, id, "JOB_STARTED").contains(R"("engine":"yt-dlp")"));
}

TEST_CASE("S2-19, S2-17: JOB_DONE gives the final state and the counters as they ended up") {
  Bench b;
  const JobId id = b.reach(kBatch, "RUNNING");
  add_items(b, id, 4);
  land(b, id, 1);
  const std::vector<ItemMove> asks{
      {.n = 2, .from = "PENDING", .on = On::skip, .holds = {Guard::filtered_out}},
      {.n = 3, .from = "PENDING", .on = On::start},
      {.n = 3, .from = "DOWNLOADING", .on = On::fail}};
  REQUIRE(b.store().items().move(b.hold(id), asks, b.now())[2].has_value());

  REQUIRE(b.ask(id, On::cancel).has_value());

  CHECK(data_of(b, id, "JOB_DONE") ==
        R"({"status":"CANCELLED","total_items":4,"completed_items":2,"failed_items":1,)"
        R"("skipped_items":1})");
}

TEST_CASE("S2-19: JOB_DONE of a batch that found nothing counts zeros") {
  for (const On on : {On::done, On::fail, On::cancel}) {
    Bench b;
    const JobId id = b.reach(kBatch, "RUNNING");
    REQUIRE(b.ask(id, on).has_value());

    CHECK(data_of(b, id, "JOB_DONE") ==
          R"({"status":")" + std::string{b.version(id).state} +
              R"(","total_items":0,"completed_items":0,"failed_items":0,"skipped_items":0})");
  }
}
