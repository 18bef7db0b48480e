// What the contract views of books, films, relays and images show at each point in a job's life.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "support/store/open_store.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

void look(OpenStore& store, Observation observation) {
  REQUIRE(store.b.jobs().observe({&observation, 1}, store.b.now()).front());
}

MoveAnswer ask(OpenStore& store, JobId job, On on, const std::string& reason) {
  Ask ask = store.b.draft(job, on);
  ask.reason = reason;
  return store.b.ask(ask);
}

void check_hash(const std::string& text) {
  CHECK(text.size() == 64);
  CHECK(text.find_first_not_of("0123456789abcdef") == std::string::npos);
}

}  // namespace

TEST_CASE("000 §7: a book's row follows it from queued to completed") {
  OpenStore store;
  const JobId job = store.b.add(kBook);
  const auto row = [&] { return store.ask("SELECT * FROM contract_book_download_jobs"); };
  CHECK(row() ==
        "1|1|b1|text|queued|tracker|haul-1|2026-02-02 02:40:00|2026-02-02 02:40:00|NULL|NULL|NULL");

  store.b.after(15s);
  look(store, {.version = store.b.version(job), .handle = "c0ffee"});
  CHECK(row() ==
        "1|1|b1|text|queued|tracker|c0ffee|2026-02-02 02:40:00|2026-02-02 02:40:15|NULL|NULL|NULL");

  store.b.after(15s);
  REQUIRE(store.b.ask(job, On::started));
  store.b.after(15s);
  REQUIRE(store.b.ask(job, On::landed));
  CHECK(row() ==
        "1|1|b1|text|completed|tracker|c0ffee|2026-02-02 02:40:00|2026-02-02 02:40:45|"
        "2026-02-02 02:40:45|NULL|NULL");
}

TEST_CASE("000 §5: first_not_found_at_utc shows the mark, and nothing once it is cleared") {
  OpenStore store;
  const JobId job = store.b.add(kBook);
  const auto mark = [&] {
    return store.ask("SELECT first_not_found_at_utc, status FROM contract_book_download_jobs");
  };
  CHECK(mark() == "NULL|queued");

  store.b.after(1min);
  look(store, {.version = store.b.version(job), .missing_since = std::optional{store.b.now()}});
  store.b.after(30s);
  look(store, {.version = store.b.version(job)});
  CHECK(mark() == "2026-02-02 02:41:00|queued");

  look(store, {.version = store.b.version(job), .missing_since = std::optional<Time>{}});
  CHECK(mark() == "NULL|queued");
}

TEST_CASE("000 §7: failure_reason is set for a failed book only") {
  OpenStore store;
  const auto row = [&](JobId job) {
    return store.ask(fmt::format(
        "SELECT status, failure_reason, completed_at_utc FROM contract_book_download_jobs "
        "WHERE id = {}",
        job.value));
  };
  const JobId open = store.b.add(kBook);
  look(store, {.version = store.b.version(open), .reason = "engine_unreachable"});
  const JobId failed = store.b.reach(kBook, "downloading");
  REQUIRE(ask(store, failed, On::fail, "missing_external_job"));
  const JobId canceled = store.b.add(kBook);
  REQUIRE(ask(store, canceled, On::cancel, "changed_my_mind"));

  CHECK(row(open) == "queued|NULL|NULL");
  CHECK(row(failed) == "failed|missing_external_job|NULL");
  CHECK(row(canceled) == "canceled|NULL|NULL");
}

TEST_CASE("000 §9: a completed book has an asset, and is in the Library until the asset is lost") {
  OpenStore store;
  const JobId job = store.b.reach(kBook, "downloading");
  Ask landed = store.b.draft(job, On::landed);
  landed.assets = {AssetFacts{.book = "b1",
                              .title = "Emma",
                              .media_type = "text",
                              .path = "/library/emma",
                              .source_url = "https://t/1"}};
  store.b.store().catalog().ensure_book("b2", "Persuasion");
  const auto books = [&] { return store.ask("SELECT * FROM contract_books ORDER BY id"); };
  const auto assets = [&] { return store.ask("SELECT * FROM contract_book_media_assets"); };
  CHECK(books() == "b1|b1|Archive\nb2|Persuasion|Archive");
  CHECK(assets().empty());

  REQUIRE(store.b.ask(landed));
  CHECK(books() == "b1|Emma|Library\nb2|Persuasion|Archive");
  CHECK(assets() == "b1|text|available|/library/emma|https://t/1");

  REQUIRE(store.b.store().catalog().lose(FileId{1}, AssetLoss::deleted, store.b.now()));
  CHECK(books() == "b1|Emma|Archive\nb2|Persuasion|Archive");
  CHECK(assets() == "b1|text|deleted|NULL|https://t/1");
}

TEST_CASE("001: a film's row follows it to cleaned; completed_at is when it was fetched") {
  OpenStore store;
  const JobId job = store.b.add(kMedia);
  const auto row = [&] {
    return store.ask(
        "SELECT status, added_at, last_transition_at, completed_at "
        "FROM contract_media_downloads");
  };
  CHECK(row() == "queued|2026-02-02 02:40:00|2026-02-02 02:40:00|NULL");

  store.b.after(1min);
  REQUIRE(store.b.ask(job, On::started));
  CHECK(row() == "downloading|2026-02-02 02:40:00|2026-02-02 02:41:00|NULL");
  store.b.after(1min);
  REQUIRE(store.b.ask(job, On::fetched));
  CHECK(row() == "completed|2026-02-02 02:40:00|2026-02-02 02:42:00|2026-02-02 02:42:00");
  store.b.claim(kMedia);
  store.b.after(1min);
  REQUIRE(store.b.ask(job, On::landed));
  CHECK(row() == "imported|2026-02-02 02:40:00|2026-02-02 02:43:00|2026-02-02 02:42:00");
  store.b.after(1min);
  REQUIRE(store.b.ask(job, On::verified));
  CHECK(row() == "cleaned|2026-02-02 02:40:00|2026-02-02 02:44:00|2026-02-02 02:42:00");
}

TEST_CASE("001: a film that failed and is tried again is not completed any more") {
  OpenStore store;
  const JobId job = store.b.reach(kMedia, "completed");
  const auto completed_at = [&] {
    return store.ask("SELECT status, completed_at FROM contract_media_downloads");
  };

  REQUIRE(store.b.ask(job, On::fail));
  CHECK(completed_at() == "failed|NULL");
  REQUIRE(store.b.ask(job, On::retry));
  CHECK(completed_at() == "queued|NULL");
  store.b.after(1h);
  REQUIRE(store.b.ask(job, On::started));
  REQUIRE(store.b.ask(job, On::fetched));
  CHECK(completed_at() == "completed|2026-02-02 03:40:00");
}

TEST_CASE("003 §2: a relay's row shows its worker's heartbeat, attempts and last error") {
  OpenStore store;
  const NewJob fresh{.lifecycle = &kRelay,
                     .request = R"({"user_id":7,"chat_id":2,"file_id":"/f","nonce":"q1"})",
                     .key = {"sha", KeyScope::forever}};
  const JobId job = store.b.add(fresh)->id;
  const auto row = [&] { return store.ask("SELECT * FROM contract_relay_jobs"); };
  CHECK(row() == "1|7|/f|q1|QUEUED|0|NULL|NULL|sha|2026-02-02 02:40:00");

  store.b.claim(kRelay);
  CHECK(row() == "1|7|/f|q1|CLAIMED|0|NULL|2026-02-02 02:40:00|sha|2026-02-02 02:40:00");
  store.b.after(10s);
  REQUIRE(store.b.store().workers().beat(store.b.worker(), store.b.now()));
  CHECK(row() == "1|7|/f|q1|CLAIMED|0|NULL|2026-02-02 02:40:10|sha|2026-02-02 02:40:00");

  REQUIRE(store.b.ask(job, On::start));
  REQUIRE(ask(store, job, On::requeue, "telegram_429"));
  CHECK(row() == "1|7|/f|q1|QUEUED|1|telegram_429|NULL|sha|2026-02-02 02:40:00");
  store.b.claim(kRelay);
  CHECK(row() == "1|7|/f|q1|CLAIMED|1|telegram_429|2026-02-02 02:40:10|sha|2026-02-02 02:40:00");
}

TEST_CASE("004 §2: an image's row shows retryCount, startedAt, idempotencyKey and resultUrl") {
  OpenStore store;
  const NewJob fresh{.lifecycle = &kImage,
                     .request = R"({"prompt":"a boat","params":{"size":"1024"}})",
                     .key = {"k1", KeyScope::window}};
  const JobId job = store.b.add(fresh)->id;
  const auto row = [&] { return store.ask("SELECT * FROM contract_image_jobs"); };
  const std::string what = R"(1|1|a boat|{"size":"1024"}|)";
  CHECK(row() == what + "queued|k1|0|NULL|NULL|2026-02-02 02:40:00");

  store.b.after(1min).claim(kImage);
  CHECK(row() == what + "running|k1|0|2026-02-02 02:41:00|NULL|2026-02-02 02:40:00");
  REQUIRE(store.b.ask(job, On::fail));
  CHECK(row() == what + "failed|k1|1|2026-02-02 02:41:00|NULL|2026-02-02 02:40:00");

  REQUIRE(store.b.ask(job, On::requeue));
  store.b.after(1min).claim(kImage);
  Ask landed = store.b.draft(job, On::landed);
  landed.result = "/originals/1.png";
  REQUIRE(store.b.ask(landed));
  CHECK(row() == what + "completed|k1|1|2026-02-02 02:42:00|/originals/1.png|2026-02-02 02:40:00");
}

TEST_CASE("Z-16: a blocked image is in contract_image_audit, its user as a hash") {
  OpenStore store;
  store.b.reach(kBook, "failed");
  const JobId job = store.b.reach(kImage, "running");
  CHECK(store.ask("SELECT * FROM contract_image_audit").empty());

  store.b.after(5s);
  REQUIRE(ask(store, job, On::reject, "nsfw"));

  CHECK(store.ask("SELECT at, job_id, action, detail FROM contract_image_audit") ==
        "2026-02-02 02:40:05|2|SAFE_BLOCK|nsfw");
  check_hash(store.ask("SELECT user_hash FROM contract_image_audit"));
}
