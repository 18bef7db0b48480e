// An action on many jobs whose store fails in the middle.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <optional>

#include "support/api/job_calls.h"

namespace haul::testing {
namespace {

// An API whose store fails once, before one of its next writes.
struct Sick {
  int writes_before = 0;
  std::optional<StoreFault::Kind> kind;
  ApiBench b{open_test_store(Bench::kStart, [this](CommitPhase phase) {
    if (phase != CommitPhase::before || !kind || writes_before-- > 0) return;
    const StoreFault fault{*kind, "as scripted"};
    kind.reset();
    throw StoreFault{fault};
  })};

  WebReply cancel_all(const std::string& more = "") {
    return b.as("operator", "POST", "/api/v1/jobs/actions",
                R"({"action":"cancel","filter":{})" + more + "}");
  }
  // The key's use is written now, so the next writes are those of the action.
  void fail_at(int write, StoreFault::Kind how) {
    REQUIRE(b.as("operator", "GET", "/api/v1/jobs").status == 200);
    writes_before = write - 1;
    kind = how;
  }
};

}  // namespace

TEST_CASE("Z-16: if the store fails in the middle of an action, the jobs before are audited") {
  for (const auto& [kind, code] : {std::pair{StoreFault::Kind::busy, "busy"},
                                   std::pair{StoreFault::Kind::full, "disk_full"}}) {
    CAPTURE(code);
    Sick sick;
    for (int i = 0; i < 4; ++i) sick.b.add_for("adder");
    sick.fail_at(3, kind);

    const WebReply reply = sick.cancel_all();

    CHECK(reply.status == 200);
    CHECK(reply.body.contains(R"({"id":4,"state":"PENDING","outcome":"done"},)"
                              R"({"id":3,"state":"PENDING","outcome":"done"},)"
                              R"({"id":2,"state":"PENDING","outcome":"refused","code":")"));
    CHECK(reply.body.contains(fmt::format(R"("code":"{}")", code)));
    CHECK(member(reply, "matched") == "3");
    CHECK(member(reply, "acted") == "2");
    CHECK(member(reply, "next") == "2");
    CHECK(audited(sick.b) == "JOB_CANCELLED 4\nJOB_CANCELLED 3\n");
    CHECK(state_of(sick.b, JobId{2}) == "PENDING");

    CHECK(member(sick.cancel_all(R"(,"cursor":"2")"), "acted") == "1");  // The job after it.
    CHECK(state_of(sick.b, JobId{1}) == "CANCELLED");
  }
}

TEST_CASE("an action is an error if its store fails at the first job, or for good") {
  Sick sick;
  for (int i = 0; i < 3; ++i) sick.b.add_for("adder");
  sick.fail_at(1, StoreFault::Kind::busy);
  CHECK(sick.cancel_all().status == 503);
  CHECK(state_of(sick.b, JobId{3}) == "PENDING");

  sick.fail_at(2, StoreFault::Kind::broken);
  CHECK(sick.cancel_all().status == 500);
}

}  // namespace haul::testing
