#include "api/json/job_json.h"

#include <doctest/doctest.h>

#include "lifecycle/tables.h"

namespace haul::api {
namespace {

// The JSON of a failed film after these failures and retries.
std::string film(int attempt, int retries) {
  JobView view;
  view.job.version = {.id = JobId{7}, .lifecycle = &kMedia, .state = "failed", .attempt = attempt};
  view.job.retries = retries;
  view.request = "{}";
  return to_json(view);
}

bool has(const std::string& json, const std::string& part) {
  return json.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Z-29, S1-17: a job says its failures, its retries, and their sum as attempts") {
  CHECK(has(film(0, 0), R"("attempt":0,"attempts_max":5,"retries":0,"attempts":0,)"));
  CHECK(has(film(1, 0), R"("attempt":1,"attempts_max":5,"retries":0,"attempts":1,)"));
  CHECK(has(film(0, 4), R"("attempt":0,"attempts_max":5,"retries":4,"attempts":4,)"));
  CHECK(has(film(1, 4), R"("attempt":1,"attempts_max":5,"retries":4,"attempts":5,)"));
}

TEST_CASE("a job whose items all wait for another try says when and why, and no other does") {
  const auto shown = [](std::vector<ItemProgress> items, bool is_resting = false) {
    JobProgress progress{.job = JobId{7}, .is_resting = is_resting, .items = std::move(items)};
    return to_json(progress);
  };
  using std::chrono::seconds;
  const ItemProgress later{.n = 1, .retry_in = seconds{20}, .reason = "http_503"};
  const ItemProgress sooner{.n = 2, .retry_in = seconds{4}, .reason = "timeout"};
  const ItemProgress moves{.n = 3};

  CHECK(has(shown({later, sooner}), R"("retry_in":4,"retry_reason":"timeout","resting":false)"));
  const std::string none = R"("retry_in":null,"retry_reason":null)";
  CHECK(has(shown({later, moves}), none));
  CHECK(has(shown({}), none));
  CHECK(has(shown({later}, true), none));
}

}  // namespace haul::api
