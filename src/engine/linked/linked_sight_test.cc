#include "engine/linked/linked_sight.h"

#include <doctest/doctest.h>

namespace haul::linked {
namespace {

using Is = LinkedJob::Is;

LinkedJob job(Is is, std::string reason = {}, std::string detail = {}) {
  return {.id = JobId{17},
          .is = is,
          .folder = "/in/haul-x-7",
          .have = 3,
          .size = 10,
          .reason = std::move(reason),
          .detail = std::move(detail)};
}

}  // namespace

TEST_CASE("a handle is the number of the linked job, and no other text is one") {
  CHECK(handle_of(JobId{17}) == "17");
  CHECK((job_of("17") == JobId{17}));
  for (const char* text : {"", "0", "-1", "+1", "017", " 17", "17 ", "17a",
                           "0123456789abcdef0123456789abcdef01234567", "9223372036854775808"})
    CHECK_FALSE(job_of(text).has_value());
}

TEST_CASE("a linked job that no worker has waits, and one that a worker has moves") {
  const What waiting = sight_of(job(Is::waiting, "host_wait"), {});
  REQUIRE(std::holds_alternative<Waiting>(waiting));
  CHECK(std::get<Waiting>(waiting).code == "queued_in_client");
  CHECK(std::get<Waiting>(waiting).detail == "job 17: host_wait");

  const What moving = sight_of(job(Is::fetching), {});
  REQUIRE(std::holds_alternative<Moving>(moving));
  CHECK(std::get<Moving>(moving).have == 3);
  CHECK(std::get<Moving>(moving).size == 10);
}

TEST_CASE("a whole linked job is finished where its files are, if the disk has them") {
  const What whole = sight_of(job(Is::whole), {.size = 10});
  REQUIRE(std::holds_alternative<Finished>(whole));
  const auto& there = std::get<Finished>(whole);
  CHECK(there.in_place);
  CHECK(there.path == "/in/haul-x-7");
  CHECK(there.size == 10);
  CHECK(there.evidence == R"({"job":17,"size":10})");

  const What gone = sight_of(job(Is::whole), {.size = 10, .why_not = "asset_pending"});
  CHECK_FALSE(std::get<Finished>(gone).in_place);
  CHECK(std::get<Finished>(gone).why_not == "asset_pending");
}

TEST_CASE("a linked job that failed says why, and one that was cancelled is gone") {
  const What failed = sight_of(job(Is::failed, "http_404", "not found"), {});
  REQUIRE(std::holds_alternative<Failed>(failed));
  const Fault& fault = std::get<Failed>(failed).fault;
  CHECK((fault.kind == FaultKind::permanent));
  CHECK(fault.code == "http_404");
  CHECK(fault.detail == "job 17: http_404: not found");
  CHECK(std::get<Failed>(sight_of(job(Is::failed), {})).fault.code == "linked_job_failed");

  CHECK(std::holds_alternative<Missing>(sight_of(job(Is::cancelled), {})));
}

}  // namespace haul::linked
