#include <doctest/doctest.h>

#include "cli/remote/remote.h"
#include "support/api/fake_api.h"

namespace haul::cli {
namespace {

using testing::Desk;

TEST_CASE("audit prints a table, or that there is nothing") {
  Desk desk;
  desk.api.on("GET /api/v1/audit?limit=20", 200,
              R"({"items":[{"id":1,"at":"2026-02-03T04:05:06.789Z","user_hash":)"
              R"("0123456789abcdef","job":null,"action":"KEY_ADDED","detail":"key 3"}],)"
              R"("next":null})");
  CHECK(run_audit({}, desk.remote()) == 0);
  CHECK(desk.out.str().find("0123456789ab  ") != std::string::npos);
  CHECK(desk.out.str().find("KEY_ADDED  key 3") != std::string::npos);

  Desk empty;
  empty.api.on("GET /api/v1/audit?limit=20", 200, R"({"items":[],"next":null})");
  CHECK(run_audit({}, empty.remote()) == 0);
  CHECK(empty.out.str() == "None found.\n");
}

}  // namespace
}  // namespace haul::cli
