#include <doctest/doctest.h>

#include "cli/remote/json_view.h"
#include "cli/remote/remote.h"
#include "support/fake_api.h"

namespace haul {
namespace {

using testing::Desk;

const std::string kJob =
    R"({"id":4,"lifecycle":"batch","state":"COMPLETED","end":"good","outcome":"partly",)"
    R"("owner":1,"request":)"
    R"({"url":"https://a/b"},"attempt":1,"attempts_max":3,"reason":null,"created_at":)"
    R"("2026-02-03T04:05:06.789Z","allowed":["retry"],"counts":{"total":2,"completed":1,)"
    R"("failed":1}})";
const std::string kItem = R"({"n":1,"url":"https://a/b","state":"FAILED","reason":"http_404"})";

Desk& set_up(Desk& desk) {
  desk.api.on("GET /api/v1/jobs/4", 200, kJob)
      .on("GET /api/v1/jobs/4/items?limit=100", 200, R"({"items":[)" + kItem + R"(],"next":"1"})")
      .on("GET /api/v1/jobs/4/result", 200,
          R"({"success":false,"failed_files":["a","b","c","d","e","f"],"result":null})");
  return desk;
}

TEST_CASE("a job is shown with what it is, its items and its result") {
  Desk desk;

  CHECK(run_show({.id = 4}, set_up(desk).remote()) == 0);

  CHECK(desk.printed() == R"(
job           4
kind          batch
state         COMPLETED, partly
what          https://a/b
progress      1 of 2, 1 failed
attempt       1 of 3
owner         1
created       2026-02-03 04:05:06
request       {"url":"https://a/b"}
possible now  retry

N  STATE   SIZE  REASON    FILE
1  FAILED        http_404  https://a/b
There are more: --all shows them

failed  a, b, c, d, e and 1 more
)");
}

TEST_CASE("as JSON it is the job as it came, with items and result among its fields") {
  Desk desk;

  CHECK(run_show({.id = 4}, set_up(desk).json()) == 0);

  const auto shown = JsonView::read(desk.out.str());
  REQUIRE(shown);
  CHECK(shown->text("state") == "COMPLETED");
  CHECK(shown->object("items").list("items").size() == 1);
  CHECK(shown->object("items").text("next") == "1");
  CHECK(shown->object("result").list("failed_files").size() == 6);
}

TEST_CASE("an open job has no result to ask for") {
  Desk desk;
  desk.api.on("GET /api/v1/jobs/4", 200, R"({"id":4,"state":"queued","end":"open"})")
      .on("GET /api/v1/jobs/4/items?limit=100", 200, R"({"items":[],"next":null})");

  CHECK(run_show({.id = 4}, desk.remote()) == 0);

  CHECK(desk.api.asked.find("result") == std::string::npos);
}

}  // namespace
}  // namespace haul
