// What the contract views of batches show at each point in the life of a batch, its items and its
// counters (002 Counter Semantics, Event Emission Order, Database Schema).

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <vector>

#include "support/store/open_store.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

void add_items(OpenStore& store, JobId job, std::vector<std::string> keys,
               Enumeration enumeration = Enumeration::complete) {
  std::vector<NewItem> items;
  for (const std::string& key : keys) items.push_back({key, "https://h/" + key, {}});
  REQUIRE(store.b.store().items().add(store.b.hold(job), items, enumeration, store.b.now()));
}

void move_item(OpenStore& store, JobId job, ItemMove ask) {
  REQUIRE(store.b.store()
              .items()
              .move(store.b.hold(job), {&ask, 1}, store.b.now())
              .front()
              .has_value());
}

void start(OpenStore& store, JobId job, int n) {
  move_item(store, job, {.n = n, .from = "PENDING", .on = On::start});
}

void land(OpenStore& store, JobId job, int n) {
  start(store, job, n);
  move_item(store, job,
            {.n = n,
             .from = "DOWNLOADING",
             .on = On::landed,
             .path = fmt::format("/in/{}", n),
             .proof = {Proof::evidence, R"({"size":1})"},
             .holds = {Guard::file_exists}});
}

std::string counters(OpenStore& store) {
  return store.ask(
      "SELECT total_items, completed_items, failed_items, skipped_items FROM contract_batch_jobs");
}

}  // namespace

TEST_CASE("002 Database Schema: a batch's row follows it from PENDING to COMPLETED") {
  OpenStore store;
  const JobId job = store.b.add(kBatch);
  const std::string what = "1|https://h/1|http|";
  const std::string request = R"({"url":"https://h/1","engine":"http","folder":"/in"})";
  const auto row = [&] { return store.ask("SELECT * FROM contract_batch_jobs"); };
  CHECK(row() == what + "PENDING|2026-02-02 02:40:00|NULL|NULL|0|0|0|0|/in|NULL|" + request);

  store.b.after(1min).claim(kBatch);
  add_items(store, job, {"a"});
  CHECK(row() ==
        what + "RUNNING|2026-02-02 02:40:00|2026-02-02 02:41:00|NULL|1|0|0|0|/in|NULL|" + request);

  store.b.after(1min);
  land(store, job, 1);
  REQUIRE(store.b.ask(job, On::done));
  CHECK(row() == what +
                     "COMPLETED|2026-02-02 02:40:00|2026-02-02 02:41:00|2026-02-02 02:42:00|"
                     "1|1|0|0|/in|NULL|" +
                     request);
}

TEST_CASE("002 Counter Semantics: completed_items counts skipped ones too, failed_items alone") {
  OpenStore store;
  const JobId job = store.b.reach(kBatch, "RUNNING");
  CHECK(counters(store) == "0|0|0|0");

  add_items(store, job, {"a", "b"}, Enumeration::goes_on);
  CHECK(counters(store) == "2|0|0|0");
  add_items(store, job, {"b", "c", "d"});
  CHECK(counters(store) == "4|0|0|0");
  land(store, job, 1);
  CHECK(counters(store) == "4|1|0|0");
  move_item(store, job,
            {.n = 2, .from = "PENDING", .on = On::skip, .holds = {Guard::filtered_out}});
  CHECK(counters(store) == "4|2|0|1");
  start(store, job, 3);
  move_item(store, job, {.n = 3, .from = "DOWNLOADING", .on = On::fail, .reason = "http_404"});
  CHECK(counters(store) == "4|2|1|1");
  start(store, job, 4);
  CHECK(counters(store) == "4|2|1|1");

  REQUIRE(store.b.ask(job, On::cancel));
  CHECK(counters(store) == "4|2|1|1");
}

TEST_CASE("002 Database Schema: job_items shows key, state, path and when it last changed") {
  OpenStore store;
  const JobId job = store.b.reach(kBatch, "RUNNING");
  add_items(store, job, {"a", "b", "c"});

  store.b.after(1s);
  land(store, job, 1);
  store.b.after(1s);
  start(store, job, 2);
  store.b.after(1s);
  REQUIRE(store.b.ask(job, On::cancel));

  CHECK(store.ask("SELECT * FROM contract_batch_job_items ORDER BY item_key") ==
        "1|a|COMPLETED|/in/1|2026-02-02 02:40:01\n"
        "1|b|CANCELLED|NULL|2026-02-02 02:40:03\n"
        "1|c|CANCELLED|NULL|2026-02-02 02:40:03");
}

TEST_CASE("002 Event Emission Order: batch_events shows the document's events and payloads only") {
  OpenStore store;
  const JobId job = store.b.reach(kBatch, "RUNNING");
  add_items(store, job, {"a"});
  land(store, job, 1);
  store.b.store().events().note(job, "LOG", R"({"message":"hm","level":"info"})", store.b.now());
  store.b.after(1s);
  REQUIRE(store.b.ask(job, On::done));

  CHECK(
      store.ask("SELECT job_id, timestamp, type, payload_json FROM contract_batch_events "
                "ORDER BY id") ==
      R"(1|2026-02-02 02:40:00|JOB_ADDED|{"url":"https://h/1","engine":"http","output_folder":"/in"}
1|2026-02-02 02:40:00|JOB_STARTED|{"url":"https://h/1","engine":"http"}
1|2026-02-02 02:40:00|ITEM_DONE|{"file_id":"a","file_path":"/in/1","success":true}
1|2026-02-02 02:40:00|JOB_PROGRESS|{"completed_items":1,"total_items":1}
1|2026-02-02 02:40:00|LOG|{"message":"hm","level":"info"}
1|2026-02-02 02:40:01|JOB_DONE|{"status":"COMPLETED","total_items":1,"completed_items":1,)"
      R"("failed_items":0,"skipped_items":0})");
}

TEST_CASE("002 Error Path: a batch that fails has error_message, and JOB_ERROR before JOB_DONE") {
  OpenStore store;
  const JobId job = store.b.reach(kBatch, "RUNNING");
  Ask fail = store.b.draft(job, On::fail);
  fail.reason = "disk_gone";
  fail.detail = "the folder is no longer there";
  REQUIRE(store.b.ask(fail));

  CHECK(store.ask("SELECT status, error_message FROM contract_batch_jobs") ==
        "FAILED|the folder is no longer there");
  CHECK(store.ask("SELECT type FROM contract_batch_events ORDER BY id") ==
        "JOB_ADDED\nJOB_STARTED\nJOB_ERROR\nJOB_DONE");
  CHECK(store.ask("SELECT json_extract(payload_json, '$.error_message') FROM contract_batch_events "
                  "WHERE type = 'JOB_ERROR'") == "the folder is no longer there");
}

TEST_CASE("002 Cancellation Path: JOB_CANCELLED has no payload, and no error_message is left") {
  OpenStore store;
  const JobId job = store.b.add(kBatch);
  Ask cancel = store.b.draft(job, On::cancel);
  cancel.reason = "changed_my_mind";
  REQUIRE(store.b.ask(cancel));

  CHECK(store.ask("SELECT status, started_at, error_message FROM contract_batch_jobs") ==
        "CANCELLED|NULL|NULL");
  CHECK(store.ask("SELECT type, payload_json IS NULL FROM contract_batch_events ORDER BY id") ==
        "JOB_ADDED|0\nJOB_CANCELLED|1\nJOB_DONE|0");
}

TEST_CASE("002 Crash Recovery: a batch whose worker was lost is PENDING, with JOB_ERROR to read") {
  OpenStore store;
  const JobId job = store.b.reach(kBatch, "RUNNING");
  add_items(store, job, {"a", "b"});
  land(store, job, 1);
  start(store, job, 2);

  const Silence silence{.worker = store.b.worker(), .beat = 0, .lifecycle = &kBatch};
  CHECK(store.b.jobs().rescue(silence, {}, store.b.now()) == Rescued{.moved = 1});

  CHECK(store.ask("SELECT status, completed_items, error_message FROM contract_batch_jobs") ==
        "PENDING|1|NULL");
  CHECK(store.ask("SELECT item_key, status FROM contract_batch_job_items ORDER BY item_key") ==
        "a|COMPLETED\nb|PENDING");
  CHECK(store.ask("SELECT type FROM contract_batch_events ORDER BY id DESC LIMIT 1") ==
        "JOB_ERROR");
}
