#include "store/rules/purge.h"

#include <doctest/doctest.h>

#include <string>

#include "lifecycle/tables.h"

namespace haul::rules {

TEST_CASE("only jobs with items have files of their own") {
  std::string own;
  for (const Lifecycle* table : all_lifecycles())
    if (has_own_files(*table)) own += std::string{table->name} + " ";
  CHECK(own == "batch ");
}

TEST_CASE("a wish begins a purge, unless one goes on or has removed all") {
  const Time now = from_unix_ms(1'000);
  CHECK(begins_purge(std::nullopt));
  CHECK_FALSE(begins_purge(Purge{.job = JobId{1}, .asked_at = now, .ended_at = {}}));
  CHECK_FALSE(begins_purge(Purge{.job = JobId{1}, .removed = 3, .asked_at = now, .ended_at = now}));
  CHECK(begins_purge(Purge{.job = JobId{1}, .gone = 1, .asked_at = now, .ended_at = now}));
  CHECK(begins_purge(Purge{.job = JobId{1}, .kept = 1, .asked_at = now, .ended_at = now}));
}

TEST_CASE("the event of a purge says how many files are removed, gone and kept, and why") {
  const Note note = purged_note({.job = JobId{1},
                                 .removed = 2,
                                 .bytes = 10,
                                 .gone = 1,
                                 .kept = 1,
                                 .reasons = {"/in/\"a\": it was written after it landed"},
                                 .asked_at = {},
                                 .ended_at = {}});
  CHECK(note.type == "FILES_REMOVED");
  CHECK(note.data == R"({"removed":2,"bytes":10,"gone":1,"kept":1,)"
                     R"("reasons":["/in/\"a\": it was written after it landed"]})");
}

}  // namespace haul::rules
