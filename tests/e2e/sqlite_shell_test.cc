// Rules that the database itself enforces: a user who opens the file of a stopped store with the
// sqlite3 shell cannot break what haul promises about jobs, requests and events (promise 2, Z-6).

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <map>

#include "support/store/stopped_store.h"

using namespace haul;
using namespace haul::testing;

namespace {

// The UPDATE of a row from one state to another, with every column that must change with the state.
std::string move_sql(JobId job, std::string_view to, bool open, std::string_view end) {
  return fmt::format(
      R"(UPDATE jobs SET state = '{}', "end" = '{}', seq = seq + 1, worker = NULL, due_at = {},
         ended_at = {} WHERE id = {})",
      to, end, open ? "1" : "NULL", open ? "NULL" : "1", job.value);
}

std::string move_sql(JobId job, const State& to) {
  return move_sql(job, to.name, to.is_open(), name(to.end));
}

std::string set_sql(JobId job, std::string_view what) {
  return fmt::format("UPDATE jobs SET {} WHERE id = {}", what, job.value);
}

bool is_legal(const Lifecycle& table, std::string_view from, std::string_view to) {
  for (const Move& move : table.moves)
    if (move.to == to && move.from.contains(from)) return true;
  return false;
}

// The INSERT of a new job, followed by the columns and values that a test adds.
std::string insert_sql(std::string_view state, std::string_view columns = "",
                       std::string_view values = "", std::string_view lifecycle = "book",
                       int seq = 0) {
  return fmt::format(
      R"(INSERT INTO jobs (lifecycle, state, "end", seq, fence, attempt, owner, lane, due_at,
         paused, created_at, moved_at{}{})
         VALUES ('{}', '{}', 'open', {}, 0, 0, 1, 'l', 1, 0, 1, 1{}{}))",
      columns.empty() ? "" : ", ", columns, lifecycle, state, seq, values.empty() ? "" : ", ",
      values);
}

}  // namespace

TEST_CASE(
    "promise 2: every move that is not in a table is refused, naming lifecycle, from and to") {
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay, &kImage}) {
    std::map<std::string_view, JobId> in;
    const StoppedStore store{[&](Bench& b) {
      for (const State& state : table->states) in[state.name] = b.reach(*table, state.name);
    }};
    for (const State& from : table->states)
      for (const State& to : table->states) {
        if (from.name == to.name) continue;
        const std::string sql = move_sql(in[from.name], to);
        if (is_legal(*table, from.name, to.name))
          check_allowed(store, sql);
        else
          check_refused(store, sql, {fmt::format("{}: {} -> {}", table->name, from.name, to.name)});
      }
  }
}

TEST_CASE("promise 2: a state no table knows is refused, naming lifecycle, from and to") {
  JobId book;
  JobId relay;
  const StoppedStore store{[&](Bench& b) {
    book = b.reach(kBook, "downloading");
    relay = b.reach(kRelay, "DELIVERED");
  }};

  check_refused(store, move_sql(book, "paused", true, "open"), {"book: downloading -> paused"});
  check_refused(store, move_sql(book, "COMPLETED", false, "good"),
                {"book: downloading -> COMPLETED"});
  check_refused(store, move_sql(book, "", true, "open"), {"book: downloading -> "});
  check_refused(store, move_sql(relay, "lost", true, "open"), {"relay: DELIVERED -> lost"});
}

TEST_CASE("promise 2: a job is not born in an unknown state, in a later one, or with moves made") {
  const StoppedStore store{[](Bench&) {}};

  check_allowed(store, insert_sql("queued"));
  check_refused(store, insert_sql("waiting"), {"book", "waiting"});
  check_refused(store, insert_sql("downloading"), {"book", "downloading"});
  check_refused(store, insert_sql("queued", "", "", "film"), {"film", "queued"});
  check_refused(store, insert_sql("queued", "", "", "book", 1), {"book", "queued"});
  check_refused(store, insert_sql("queued", "ended_at", "1"), {});
  check_refused(store, insert_sql("queued", "key", "'k'"), {"key_scope"});
}

TEST_CASE("promise 2, F09: seq grows by one with each move, and only then") {
  JobId job;
  const StoppedStore store{[&](Bench& b) { job = b.reach(kBook, "downloading"); }};
  const std::string failed = R"(state = 'failed', "end" = 'bad', due_at = NULL, ended_at = 1)";

  check_allowed(store, set_sql(job, failed + ", seq = seq + 1"));
  check_refused(store, set_sql(job, failed + ", seq = seq + 2"), {"seq"});
  check_refused(store, set_sql(job, failed), {"seq"});
  check_refused(store, set_sql(job, failed + ", seq = seq - 1"), {"seq"});
  check_refused(store, set_sql(job, "seq = seq + 1"), {"seq"});
  check_refused(store, set_sql(job, "seq = 0"), {"seq"});
}

TEST_CASE("Z-6: an event is never edited, and not deleted while its job is open") {
  JobId open;
  JobId ended;
  const StoppedStore store{[&](Bench& b) {
    open = b.reach(kBook, "downloading");
    ended = b.reach(kBook, "failed");
  }};
  const auto of = [](const char* what, JobId job) {
    return fmt::format("{} WHERE job = {} AND seq = 1", what, job.value);
  };

  check_refused(store, of("UPDATE events SET reason = 'other'", open), {"event"});
  check_refused(store, of("UPDATE events SET seq = 5", open), {"event"});
  check_refused(store, of("UPDATE events SET at = at + 1", ended), {"event"});
  check_refused(store, of("DELETE FROM events", open), {"event", "open"});
  check_allowed(store, of("DELETE FROM events", ended));
}

TEST_CASE("Z-6: one job and seq has one MOVED") {
  JobId job;
  const StoppedStore store{[&](Bench& b) { job = b.reach(kBook, "downloading"); }};
  const auto event = [&](int n, const char* type) {
    return fmt::format(
        "INSERT INTO events (job, seq, n, type, at, from_state, to_state) "
        "VALUES ({}, 1, {}, '{}', 1, 'queued', 'downloading')",
        job.value, n, type);
  };

  check_allowed(store, event(1, "LOG"));
  check_refused(store, event(0, "MOVED"), {"events.job", "events.seq"});
  check_refused(store, event(1, "MOVED"), {});
}

TEST_CASE("promise 2: an ended job does not change") {
  for (const auto& [table, state] : {std::pair{&kBook, "completed"},
                                     {&kBook, "canceled"},
                                     {&kMedia, "cleaned"},
                                     {&kMedia, "failed"},
                                     {&kBatch, "CANCELLED"},
                                     {&kRelay, "DELIVERED"},
                                     {&kImage, "dead_letter"}}) {
    JobId job;
    const StoppedStore store{[&](Bench& b) { job = b.reach(*table, state); }};
    for (const char* what :
         {"reason = 'x'", "attempt = attempt + 1", "lane = 'x'", "paused = 1", "fence = fence + 1",
          "moved_at = 1", "result = 'x'", "ended_at = 1", "handle = 'x'", "expires_at = 1",
          R"("end" = 'stopped', detail = 'x')"})
      check_refused(store, set_sql(job, what), {});
    check_refused(store, set_sql(job, "reason = 'x'"), {"ended"});
  }
}

TEST_CASE("001: failed -> queued, media's retry, is the one change an ended job takes") {
  JobId media;
  JobId book;
  const StoppedStore store{[&](Bench& b) {
    media = b.reach(kMedia, "failed");
    book = b.reach(kBook, "failed");
  }};
  const std::string retry =
      R"(state = 'queued', "end" = 'open', seq = seq + 1, ended_at = NULL, due_at = 1)";

  check_refused(store, set_sql(book, retry), {"book: failed -> queued"});
  check_refused(store, set_sql(media, R"(state = 'queued', "end" = 'open', ended_at = NULL,
                                         due_at = 1)"),
                {"seq"});
  check_refused(store, set_sql(media, R"(state = 'queued', "end" = 'open', seq = seq + 1,
                                         ended_at = NULL)"),
                {"due_at"});
  check_refused(store, set_sql(media, R"(state = 'queued', "end" = 'open', seq = seq + 1,
                                         due_at = 1)"),
                {"ended_at"});

  CHECK(store.shell(set_sql(media, retry)).code == 0);
  CHECK(store.answer(fmt::format(
            R"(SELECT state, "end", seq, due_at, ended_at IS NULL FROM jobs WHERE id = {})",
            media.value)) == "queued|open|2|1|1\n");
}

TEST_CASE("promise 14, 000 §6: a slot has one open job, a key has one job") {
  const StoppedStore store{[](Bench& b) {
    const auto add = [&](const Lifecycle& table, const char* slot, const NewJob::Key& key) {
      REQUIRE(
          b.add({.lifecycle = &table, .request = request_for(table), .slot = slot, .key = key}));
    };
    add(kBook, "1/b1/text", {});
    add(kRelay, "", {"click", KeyScope::forever});
    add(kImage, "", {"prompt", KeyScope::window});
    add(kMedia, "", {"film", KeyScope::while_open});
  }};
  const auto keyed = [](const char* table, const char* state, const char* key, const char* scope) {
    return insert_sql(state, "key, key_scope", fmt::format("'{}', '{}'", key, scope), table);
  };

  check_allowed(store, insert_sql("queued", "slot", "'1/b2/text'"));
  check_refused(store, insert_sql("queued", "slot", "'1/b1/text'"), {"jobs.slot"});
  check_allowed(store, keyed("relay", "QUEUED", "other", "forever"));
  check_refused(store, keyed("relay", "QUEUED", "click", "forever"), {"jobs.key"});
  check_refused(store, keyed("image", "queued", "prompt", "window"), {"jobs.key"});
  check_refused(store, keyed("media", "queued", "film", "while_open"), {"jobs.key"});
}

TEST_CASE("promise 14: a key and a slot stay with the job they were given to") {
  JobId job;
  const StoppedStore store{[&](Bench& b) {
    job = b.add({.lifecycle = &kRelay,
                 .request = request_for(kRelay),
                 .slot = "s",
                 .key = {"click", KeyScope::forever}})
              ->id;
  }};

  for (const char* what :
       {"key = 'other'", "slot = 'other'", "slot = NULL", "id = 77", "owner = 2",
        "lifecycle = 'book'", "created_at = 1", "retry_of = 1", "key = NULL, key_scope = NULL"})
    check_refused(store, set_sql(job, what), {"fixed"});
}

TEST_CASE("promise 4: a fence is never lowered") {
  JobId job;
  const StoppedStore store{[&](Bench& b) { job = b.reach(kRelay, "CLAIMED"); }};

  check_allowed(store, set_sql(job, "fence = fence + 1"));
  check_refused(store, set_sql(job, "fence = fence - 1"), {"fence"});
  check_refused(store, set_sql(job, "fence = 0"), {"fence"});
}

TEST_CASE("promise 3: jobs and requests are never deleted, and a request is never edited") {
  const StoppedStore store{[](Bench& b) {
    b.add(kBook);
    b.reach(kBook, "failed");
  }};

  check_refused(store, "DELETE FROM jobs WHERE id = 1", {"jobs"});
  check_refused(store, "DELETE FROM jobs WHERE id = 2", {"jobs"});
  check_refused(store, "DELETE FROM requests WHERE job = 1", {"requests"});
  check_refused(store, "UPDATE requests SET body = '{}' WHERE job = 1", {"request"});
  check_refused(store, "UPDATE requests SET job = 9 WHERE job = 1", {"request"});
}
