// Z-25 over the API: the outcome of ended jobs, as a field, a filter and a metric.

#include <doctest/doctest.h>

#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

JobId add(ApiBench& b, const Lifecycle& table, int number) {
  const NewJob job{.lifecycle = &table, .request = full_request(table, number)};
  return b.store().jobs().add({&job, 1}, b.clock.now()).front().value().id;
}

void fail(ApiBench& b, JobId id) {
  const Ask ask{
      .version = b.store().reader().find(id)->version, .on = On::fail, .reason = "client_error"};
  REQUIRE(b.store().jobs().move({&ask, 1}, b.clock.now()).front());
}

std::string path_of(JobId id) { return "/api/v1/jobs/" + std::to_string(id.value); }

}  // namespace

TEST_CASE("Z-25: a job has an outcome once it has ended") {
  ApiBench b;
  const JobId book = add(b, kBook, 1);
  CHECK(member(b.get(path_of(book)), "outcome") == "null");
  fail(b, book);
  CHECK(member(b.get(path_of(book)), "outcome") == "nothing");
  const JobId batch = b.add_for("boss");
  CHECK(b.post(path_of(batch) + "/cancel").status == 200);
  CHECK(member(b.get(path_of(batch)), "outcome") == "nothing");
}

TEST_CASE("Z-25: jobs are listed by outcome, and an unknown outcome is refused") {
  ApiBench b;
  const JobId failed = add(b, kBook, 1);
  fail(b, failed);
  add(b, kBook, 2);
  const auto listed = [&](const std::string& outcome) {
    return read_array(member(b.get("/api/v1/jobs?outcome=" + outcome), "items"))->size();
  };
  CHECK(listed("nothing") == 1);
  CHECK(listed("whole") == 0);
  CHECK(listed("partly") == 0);
  CHECK(b.get("/api/v1/jobs?outcome=good").status == 400);
}

}  // namespace haul::testing
