#include <doctest/doctest.h>

#include "cli/remote/remote.h"
#include "support/api/fake_api.h"

namespace haul::cli {
namespace {

using testing::Desk;

// What `haul why 4` prints of a job that waits and is held by these jobs.
std::string printed_with(const std::string& holders) {
  Desk desk;
  desk.api.on("GET /api/v1/jobs/4/why", 200,
              R"({"job":4,"lifecycle":"batch","state":"PENDING","since":)"
              R"("2026-02-03T04:05:06.789Z","seen_at":null,"code":"host_busy","because":)"
              R"("2 jobs run at its host h.example, the limit","reason":null,"detail":null,)"
              R"("next":"its turn, when one of them ends","next_at":null,"stuck":false,)"
              R"("holders":)" +
                  holders + R"(,"allowed":["cancel","pause"]})");
  CHECK(run_why(4, desk.remote()) == 0);
  return desk.printed();
}

}  // namespace

TEST_CASE("why prints what holds a job back, by which jobs, and what happens next") {
  CHECK(printed_with("[2,3]") == R"(
job           4 (batch)
state         PENDING
since         2026-02-03 04:05:06
because       2 jobs run at its host h.example, the limit (host_busy)
held by       jobs 2, 3
next          its turn, when one of them ends
possible now  cancel, pause
)");
}

TEST_CASE("why names one holder, the first five of many, and has no such line without holders") {
  CHECK(printed_with("[2]").find("\nheld by       job 2\n") != std::string::npos);
  CHECK(printed_with("[1,2,3,5,6]").find("\nheld by       jobs 1, 2, 3, 5, 6\n") !=
        std::string::npos);
  CHECK(printed_with("[1,2,3,5,6,7]").find("\nheld by       jobs 1, 2, 3, 5, 6 and 1 more\n") !=
        std::string::npos);
  CHECK(printed_with("[]").find("held by") == std::string::npos);
}

TEST_CASE("why prints the time of the next step where it is known, and a stuck job as stuck") {
  Desk desk;
  desk.api.on("GET /api/v1/jobs/4/why", 200,
              R"({"job":4,"lifecycle":"book","state":"queued","since":)"
              R"("2026-02-03T04:05:06.789Z","seen_at":"2026-02-03T05:00:00.000Z","code":)"
              R"("cannot_look","because":"the client does not answer; haul waits for it",)"
              R"("reason":"client_unreachable","detail":"refused","next":"haul asks the client",)"
              R"("next_at":"2026-02-03T05:00:05.000Z","stuck":true,"holders":[],"allowed":[]})");

  CHECK(run_why(4, desk.remote()) == 0);

  CHECK(desk.printed() == R"(
job        4 (book)
state      queued, stuck
since      2026-02-03 04:05:06
because    the client does not answer; haul waits for it (cannot_look)
reason     client_unreachable
detail     refused
last seen  2026-02-03 05:00:00
next       haul asks the client, at 2026-02-03 05:00:05
)");
}

}  // namespace haul::cli
