#include <doctest/doctest.h>

#include "cli/remote/remote.h"
#include "support/api/fake_api.h"

namespace haul::cli {
namespace {

using testing::Desk;

TEST_CASE("credits shows a wallet and grants credits") {
  const std::string wallet = R"({"granted":10,"available":7,"reserved":1,"spent":2})";
  Desk desk;
  desk.api.on("GET /api/v1/users/2/credits", 200, wallet);
  desk.api.on("POST /api/v1/users/2/credits", 200, wallet);

  CHECK(run_credits({.user = "2"}, desk.remote()) == 0);
  CHECK(run_credits({.act = CreditsAct::grant, .user = "2", .amount = 5, .detail = "thanks"},
                    desk.json()) == 0);

  CHECK(desk.printed() == R"(
granted    10
available  7
reserved   1
spent      2
)" + wallet + "\n");
  CHECK(desk.api.asked.find("{\"amount\":5,\"detail\":\"thanks\"} key=") != std::string::npos);
}

TEST_CASE("a grant sends the given idempotency key, or a new one each time") {
  Desk desk;
  desk.api.on("POST /api/v1/users/2/credits", 200, "{}");
  const auto key_of_grant = [&](const std::string& given) {
    desk.api.asked.clear();
    CHECK(run_credits({.act = CreditsAct::grant, .user = "2", .amount = 5, .key = given},
                      desk.json()) == 0);
    const std::size_t at = desk.api.asked.find(" key=");
    return at == std::string::npos ? "none" : desk.api.asked.substr(at + 5);
  };

  CHECK(key_of_grant("march") == "march\n");
  const std::string first = key_of_grant("");
  CHECK(first.size() > 20);
  CHECK(key_of_grant("") != first);
}

TEST_CASE("credits history lists what each entry did to the available credits") {
  Desk desk;
  desk.api
      .on("GET /api/v1/users/2/credits/history?limit=100", 200,
          R"({"items":[{"id":4,"at":"2026-02-03T04:05:06.789Z","kind":"spend","amount":2,"job":7,)"
          R"("detail":""},{"id":3,"at":"2026-02-03T04:05:00.000Z","kind":"reserve","amount":-2,)"
          R"("job":7,"detail":""}],"next":3})")
      .on("GET /api/v1/users/2/credits/history?limit=100&before=3", 200,
          R"({"items":[{"id":1,"at":"2026-02-01T00:00:00.000Z","kind":"grant","amount":10,)"
          R"("job":null,"detail":"thanks"}],"next":null})");

  CHECK(run_credits({.act = CreditsAct::history, .user = "2", .page = {.limit = {}, .all = true}},
                    desk.remote()) == 0);

  CHECK(desk.printed() == R"(
AT                   KIND     CREDITS  JOB  DETAIL
2026-02-03 04:05:06  spend          2    7
2026-02-03 04:05:00  reserve       -2    7
2026-02-01 00:00:00  grant        +10       thanks
)");
}

}  // namespace
}  // namespace haul::cli
