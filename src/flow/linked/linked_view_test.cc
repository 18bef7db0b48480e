#include "flow/linked/linked_view.h"

#include <doctest/doctest.h>

#include <vector>

#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

using Is = LinkedJob::Is;

Job batch(std::string_view state) {
  Job job;
  job.version = {.id = JobId{17}, .lifecycle = &kBatch, .state = state};
  return job;
}

Item item(std::int64_t have, std::optional<std::int64_t> size, std::string reason = {}) {
  return {.have = have, .size = size, .reason = std::move(reason), .detail = "as it was told"};
}

Is state_of(const Job& job, const Counts& counts) {
  return linked_view({.job = job, .counts = counts, .items = {}}).is;
}

}  // namespace

TEST_CASE("a batch is fetched while a worker has it, and waits while none has") {
  Job job = batch("RUNNING");
  CHECK((state_of(job, {}) == Is::waiting));
  job.worker = WorkerId{1};
  CHECK((state_of(job, {}) == Is::fetching));
  CHECK((state_of(batch("PENDING"), {}) == Is::waiting));
  CHECK((state_of(batch("CANCELLED"), {}) == Is::cancelled));
  CHECK((state_of(batch("FAILED"), {}) == Is::failed));
}

TEST_CASE("promise 7: a batch is whole if every item that it found was downloaded") {
  const Job done = batch("COMPLETED");
  CHECK((state_of(done, {.total = 2, .downloaded = 2, .enumerated = true}) == Is::whole));
  CHECK((state_of(done, {.total = 2, .downloaded = 1, .failed = 1, .enumerated = true}) ==
         Is::failed));
  CHECK((state_of(done, {.total = 2, .downloaded = 1, .skipped = 1, .enumerated = true}) ==
         Is::failed));
  CHECK((state_of(done, {.total = 2, .downloaded = 2}) == Is::failed));
  CHECK((state_of(done, {.enumerated = true}) == Is::failed));
}

TEST_CASE("the bytes of a batch are those of its items, and its size if all of theirs are known") {
  const Job job = batch("RUNNING");
  const Counts counts{.total = 2, .enumerated = true};
  const std::vector<Item> known{item(3, 10), item(4, 20)};
  const LinkedJob view = linked_view({.job = job, .counts = counts, .items = known});
  CHECK(view.have == 7);
  CHECK(view.size == 30);

  const std::vector<Item> unknown{item(3, 10), item(4, {})};
  CHECK_FALSE(linked_view({.job = job, .counts = counts, .items = unknown}).size.has_value());
  CHECK_FALSE(linked_view({.job = job, .counts = {}, .items = known}).size.has_value());
}

TEST_CASE("a batch that failed says why: its own reason, or that of the first item that has one") {
  Job job = batch("COMPLETED");
  const Counts counts{.total = 2, .downloaded = 1, .failed = 1, .enumerated = true};
  const std::vector<Item> items{item(3, 3), item(0, {}, "http_404")};
  const LinkedJob by_item = linked_view({.job = job, .counts = counts, .items = items});
  CHECK(by_item.reason == "http_404");
  CHECK(by_item.detail == "as it was told");

  job = batch("FAILED");
  job.reason = "listing_failed";
  CHECK(linked_view({.job = job, .counts = counts, .items = items}).reason == "listing_failed");
}

TEST_CASE("a batch that a user has paused says so") {
  Job job = batch("PENDING");
  job.paused = true;
  CHECK(linked_view({.job = job, .counts = {}, .items = {}}).reason == "paused");
}

}  // namespace haul::flow
