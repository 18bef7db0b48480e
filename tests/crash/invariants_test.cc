// The kill test depends on its invariants: this test breaks each on purpose, and the invariant must
// report it.

#include "support/store/invariants.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "support/store/stopped_store.h"

using namespace haul;
using namespace haul::testing;

namespace {

void fill(Bench& b) {
  REQUIRE(b.store().ledger().grant(kAdmin, 100, "", b.now()));
  const auto keyed = [&](const Lifecycle& table, const char* slot, const NewJob::Key& key) {
    const NewJob job{.lifecycle = &table,
                     .request = request_for(table),
                     .slot = slot,
                     .key = key,
                     .price = table.name == "image" ? 5 : 0};
    return b.add(job)->id;
  };
  REQUIRE(b.ask(keyed(kBook, "s1", {}), On::started));  // 1
  keyed(kBook, "s2", {});                               // 2
  keyed(kRelay, "", {"k1", KeyScope::forever});         // 3
  keyed(kRelay, "", {"k2", KeyScope::forever});         // 4
  REQUIRE(b.ask(keyed(kImage, "", {}), On::reject));    // 5
  keyed(kImage, "", {});                                // 6
  const JobId batch = b.reach(kBatch, "RUNNING");       // 7
  const NewItem items[] = {{"a", "u", {}}, {"b", "u", {}}};
  REQUIRE(b.store().items().add(b.hold(batch), items, Enumeration::complete, b.now()));
  b.reach(kBatch, "CANCELLED");  // 8
}

// Drops the triggers and unique indexes first, so that any damage can be written. Returns the names
// of the broken invariants.
std::string broken_by(const std::string& sql) {
  const StoppedStore store{fill};
  const std::string drops = store.answer(
      "SELECT 'DROP ' || type || ' ' || name || ';' FROM sqlite_schema "
      "WHERE type = 'trigger' OR (type = 'index' AND sql LIKE '%UNIQUE%')");
  const std::string off = "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; ";
  store.answer(drops + off + sql);
  Sql eyes{store.file()};
  std::string names;
  for (const std::string& broken : broken_invariants(eyes))
    names += (names.empty() ? "" : " ") + broken.substr(0, broken.find(':'));
  return names;
}

bool has(const std::string& names, const std::string& name) {
  return (" " + names + " ").find(" " + name + " ") != std::string::npos;
}

}  // namespace

TEST_CASE("an unharmed store breaks no invariant") { CHECK(broken_by("").empty()); }

TEST_CASE("every invariant sees the harm it is there for") {
  const std::pair<const char*, const char*> harms[] = {
      {"moves_without_gap", "UPDATE jobs SET seq = 2 WHERE id = 1"},
      {"moves_without_gap", "DELETE FROM events WHERE job = 1 AND n = 0"},
      {"moves_without_gap", "UPDATE events SET seq = 0 WHERE job = 1 AND n = 0"},
      {"one_move_per_seq", "UPDATE events SET type = 'MOVED' WHERE job = 7 AND seq = 1"},
      {"last_move_is_state", "UPDATE jobs SET state = 'queued' WHERE id = 1"},
      {"moves_follow_each_other",
       "UPDATE events SET from_state = 'failed' WHERE job = 1 AND n = 0"},
      {"moves_are_in_the_table",
       "UPDATE events SET to_state = 'completed' WHERE job = 1 AND n = 0"},
      {"events_not_ahead", "UPDATE events SET seq = 9 WHERE job = 2"},
      {"events_not_ahead", "UPDATE events SET job = 99 WHERE job = 2"},
      {"added_once", "DELETE FROM events WHERE job = 2"},
      {"request_kept", "DELETE FROM requests WHERE job = 2"},
      {"ends_and_leases", "UPDATE jobs SET due_at = NULL WHERE id = 2"},
      {"ends_and_leases", "UPDATE jobs SET worker = 1 WHERE id = 2"},
      {"ends_and_leases", "UPDATE jobs SET ended_at = 1 WHERE id = 2"},
      {"ends_and_leases", "UPDATE jobs SET \"end\" = 'good' WHERE id = 2"},
      {"ends_and_leases", "UPDATE jobs SET state = 'lost' WHERE id = 2"},
      {"counts_are_the_items", "UPDATE counts SET total = 3"},
      {"counts_are_the_items", "UPDATE items SET state = 'FAILED' WHERE n = 1"},
      {"counts_are_the_items", "DELETE FROM counts"},
      {"ended_batch_has_no_live_item", "UPDATE items SET job = 8"},
      {"wallet_adds_up", "UPDATE wallets SET available = available + 1"},
      {"wallet_adds_up", "UPDATE wallets SET available = -1, granted = reserved + spent - 1"},
      {"wallet_is_the_sum_of_credits", "UPDATE wallets SET granted = 101, available = 96"},
      {"wallet_is_the_sum_of_credits", "DELETE FROM wallets"},
      {"one_reservation", "DELETE FROM credits WHERE kind = 'reserve' AND job = 6"},
      {"one_reservation",
       "INSERT INTO credits SELECT 90, owner, 2, kind, amount, at, detail, NULL "
       "FROM credits WHERE kind = 'reserve' AND job = 6"},
      {"one_reservation",
       "INSERT INTO credits SELECT 90, owner, job, kind, amount, at, detail, NULL "
       "FROM credits WHERE kind = 'reserve' AND job = 6"},
      {"one_resolution_once_ended", "DELETE FROM credits WHERE kind = 'refund'"},
      {"one_resolution_once_ended",
       "INSERT INTO credits SELECT 90, owner, job, 'refund', amount, at, detail, NULL "
       "FROM credits WHERE kind = 'reserve' AND job = 6"},
      {"one_resolution_once_ended",
       "INSERT INTO credits SELECT 90, owner, job, 'spend', amount, at, detail, NULL "
       "FROM credits WHERE kind = 'refund'"},
      {"resolution_is_the_reservation", "UPDATE credits SET amount = 6 WHERE kind = 'refund'"},
      {"one_job_per_key", "UPDATE jobs SET key = 'k1' WHERE id = 4"},
      {"one_open_job_per_slot", "UPDATE jobs SET slot = 's1' WHERE id = 2"},
      {"foreign_keys", "UPDATE jobs SET owner = 77 WHERE id = 2"},
  };
  for (const auto& [name, harm] : harms) {
    const std::string names = broken_by(harm);
    CHECK_MESSAGE(has(names, name), name << " is not among '" << names << "' after: " << harm);
  }
}

TEST_CASE("integrity sees a page that is not what it was") {
  const StoppedStore store{fill};
  std::filesystem::resize_file(store.file(), std::filesystem::file_size(store.file()) - 4096);

  Sql eyes{store.file()};
  const std::vector<std::string> broken = broken_invariants(eyes);

  REQUIRE(broken.size() == 1);
  CHECK(broken.front().starts_with("integrity: "));
}
