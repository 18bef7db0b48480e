// Z-19 and Z-5: every contract view has its document's columns, in its document's order, with times
// as text in UTC. The lists are copied from the documents and from Z-19, not from the schema.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <string>
#include <vector>

#include "support/store/open_store.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

struct View {
  std::string name;
  std::string columns;               // Separated by spaces.
  std::vector<std::string> times;    // Columns that hold a time.
  std::vector<std::string> texts{};  // Columns with an id as TEXT.
};

const std::vector<View> kViews = {
    {"contract_book_download_jobs",  // 000 §7
     "id user_id book_id media_type status source external_job_id created_at_utc updated_at_utc "
     "completed_at_utc first_not_found_at_utc failure_reason",
     {"created_at_utc", "updated_at_utc", "completed_at_utc", "first_not_found_at_utc"},
     {"external_job_id"}},
    {"contract_book_media_assets", "book_id media_type status storage_path source_url", {}},
    {"contract_books", "id title state", {}},
    {"contract_media_downloads",
     "id title release_name status added_at last_transition_at completed_at",
     {"added_at", "last_transition_at", "completed_at"}},
    {"contract_batch_jobs",  // 002 Database Schema, jobs
     "job_id url engine status created_at started_at finished_at total_items completed_items "
     "failed_items skipped_items output_folder error_message options_json",
     {"created_at", "started_at", "finished_at"},
     {"job_id"}},
    {"contract_batch_events",  // 002 Database Schema, events
     "id job_id timestamp type payload_json",
     {"timestamp"},
     {"job_id"}},
    {"contract_batch_job_items",  // 002 Database Schema, job_items
     "job_id item_key status file_path updated_at",
     {"updated_at"},
     {"job_id"}},
    {"contract_relay_jobs",
     "job_id user_id file_id request_nonce state attempt last_error heartbeat_at idempotency_key "
     "created_at",
     {"heartbeat_at", "created_at"}},
    {"contract_image_jobs",
     "id userId prompt params status idempotencyKey retryCount startedAt resultUrl createdAt",
     {"startedAt", "createdAt"}},
    {"contract_image_audit", "at user_hash job_id action detail", {"at"}},
};

// Adds every lifecycle in every state, a mark, items and an audit row, so that no view is empty.
void fill(Bench& b) {
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay, &kImage})
    for (const State& state : table->states) b.reach(*table, state.name);
  const JobId missing = b.add(kBook);
  const Observation mark{.version = b.version(missing), .missing_since = std::optional{b.now()}};
  REQUIRE(b.jobs().observe({&mark, 1}, b.now()).front());
  const JobId batch = b.reach(kBatch, "RUNNING");
  const NewItem item{"a", "https://h/a", {}};
  REQUIRE(b.store().items().add(b.hold(batch), {&item, 1}, Enumeration::complete, b.now()));
  b.store().ledger().audit(kAdmin, {}, "SAFE_BLOCK", "nsfw", b.now());
}

}  // namespace

TEST_CASE("Z-19: every contract view has its document's columns, in its document's order") {
  OpenStore store;

  for (const View& view : kViews) {
    INFO(view.name);
    CHECK(store.ask("SELECT group_concat(name, ' ') FROM (SELECT name FROM pragma_table_info('" +
                    view.name + "') ORDER BY cid)") == view.columns);
  }
  CHECK(store.ask("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'contract%'") ==
        std::to_string(kViews.size()));
}

TEST_CASE("Z-5: times in contract views are TEXT, YYYY-MM-DD HH:MM:SS") {
  OpenStore store;
  fill(store.b);

  for (const View& view : kViews)
    for (const std::string& column : view.times) {
      INFO(view.name << "." << column);
      const std::string digits = "[0-9][0-9]";
      const std::string glob = digits + digits + "-" + digits + "-" + digits + " " + digits + ":" +
                               digits + ":" + digits;
      CHECK(store.ask(fmt::format("SELECT count({0}) > 0, coalesce(sum({0} IS NOT NULL AND "
                                  "(typeof({0}) <> 'text' OR {0} NOT GLOB '{2}')), 0) FROM {1}",
                                  column, view.name, glob)) == "1|0");
    }
}

TEST_CASE("Z-5: ids of batch views, and external_job_id, are TEXT in every row") {
  OpenStore store;
  fill(store.b);

  for (const View& view : kViews)
    for (const std::string& column : view.texts) {
      INFO(view.name << "." << column);
      CHECK(store.ask(fmt::format("SELECT group_concat(DISTINCT typeof({})) FROM {}", column,
                                  view.name)) == "text");
    }
}

TEST_CASE("Z-5: a time is UTC, and a second begun is not a second passed") {
  OpenStore store;
  store.b.after(999ms);
  store.b.add(kMedia);
  store.b.after(1ms);
  store.b.add(kMedia);

  CHECK(store.ask("SELECT added_at FROM contract_media_downloads ORDER BY id") ==
        "2026-02-02 02:40:00\n2026-02-02 02:40:01");
}

TEST_CASE("Z-19: a view shows its own lifecycle's jobs, every one of them once") {
  OpenStore store;
  fill(store.b);

  for (const auto& [view, lifecycle] : {std::pair{"contract_book_download_jobs", "book"},
                                        {"contract_media_downloads", "media"},
                                        {"contract_batch_jobs", "batch"},
                                        {"contract_relay_jobs", "relay"},
                                        {"contract_image_jobs", "image"}}) {
    INFO(view);
    const std::string ids =
        store.ask(fmt::format("SELECT id FROM jobs WHERE lifecycle = '{}' ORDER BY id", lifecycle));
    const bool batch_or_relay = lifecycle[0] == 'r' || lifecycle[1] == 'a';
    CHECK(store.ask(fmt::format("SELECT {0} FROM {1} ORDER BY CAST({0} AS INTEGER)",
                                batch_or_relay ? "job_id" : "id", view)) == ids);
  }
}
