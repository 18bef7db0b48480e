// Document 001's stuck query runs on contract_media_downloads exactly as the document has it, with
// only the table's name changed (Z-5), and Reader::stuck lists the same jobs.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "support/store/open_store.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// 001 Stuck Detection, Query, with the view for `downloads` and the id for `*`, to compare.
constexpr const char* kDocumentQuery = R"(
SELECT id FROM contract_media_downloads
WHERE (status = 'queued' AND last_transition_at < datetime('now', '-1 hour'))
   OR (status = 'downloading' AND last_transition_at < datetime('now', '-24 hours'))
   OR (status = 'completed' AND last_transition_at < datetime('now', '-1 hour'))
   OR (status = 'imported' AND last_transition_at < datetime('now', '-24 hours'))
)";

constexpr Time kNow = Bench::kStart + 1000h;

JobId reach_at(Bench& b, std::string_view state, Millis ago) {
  b.after(kNow - ago - b.now());
  return b.reach(kMedia, state);
}

std::string shown(std::vector<std::int64_t> ids) {
  std::ranges::sort(ids);
  std::string text;
  for (const std::int64_t id : ids) text += (text.empty() ? "" : "\n") + std::to_string(id);
  return text;
}

std::string by_document(const OpenStore& store) {
  Sql sql{store.folder / "haul.db", kNow};
  return sql.ask(std::string{kDocumentQuery} + " ORDER BY id");
}

std::string by_reader(OpenStore& store) {
  std::vector<std::int64_t> ids;
  for (const Job& job : store.b.reader().stuck(default_stuck_rules(), kNow, 100))
    ids.push_back(job.version.id.value);
  return shown(ids);
}

// 001 Stuck Detection, Thresholds.
const std::map<std::string_view, Millis> kThresholds = {
    {"queued", 1h}, {"downloading", 24h}, {"completed", 1h}, {"imported", 24h}};

}  // namespace

TEST_CASE("001 Stuck Detection: the document's query lists what is 2 s past its threshold, only") {
  OpenStore store;
  std::vector<std::int64_t> stuck;
  for (const auto& [state, threshold] : kThresholds) {
    stuck.push_back(reach_at(store.b, state, threshold + 2s).value);
    reach_at(store.b, state, threshold);
    reach_at(store.b, state, threshold - 2s);
  }

  CHECK(by_document(store) == shown(stuck));
  CHECK(by_reader(store) == shown(stuck));
}

TEST_CASE("001 Stuck Detection: a whole row of the document's query is there to be read") {
  OpenStore store;
  reach_at(store.b, "queued", 2h);

  Sql sql{store.folder / "haul.db", kNow};
  std::string query{kDocumentQuery};
  query.replace(query.find("SELECT id"), 9, "SELECT *");
  CHECK(sql.ask(query) == "1|Film 1|Film.1|queued|2026-03-15 16:40:00|2026-03-15 16:40:00|NULL");
}

TEST_CASE("001 Stuck Detection: failed and cleaned are never stuck, however old") {
  OpenStore store;
  reach_at(store.b, "failed", 999h);
  reach_at(store.b, "cleaned", 999h);
  const JobId control = reach_at(store.b, "imported", 999h);

  CHECK(by_document(store) == shown({control.value}));
  CHECK(by_reader(store) == shown({control.value}));
}

TEST_CASE("001 Stuck Detection: time counts from the last move, not from when the job was added") {
  OpenStore store;
  const JobId moved = reach_at(store.b, "queued", 30h);
  store.b.after(29h + 30min);
  REQUIRE(store.b.ask(moved, On::started));
  const JobId looked_at = reach_at(store.b, "queued", 30h);
  const Observation seen{.version = store.b.version(looked_at)};
  REQUIRE(store.b.jobs().observe({&seen, 1}, kNow).front());

  CHECK(by_document(store) == shown({looked_at.value}));
  CHECK(by_reader(store) == shown({looked_at.value}));
}

TEST_CASE("Z-5: jobs of the other lifecycles are not in the document's list") {
  OpenStore store;
  store.b.after(-999h);
  for (const Lifecycle* table : {&kBook, &kBatch, &kRelay, &kImage}) store.b.add(*table);
  store.b.reach(kBook, "downloading");

  CHECK(by_document(store).empty());
  CHECK(by_reader(store).empty());
}
