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

}  // namespace haul::api
