#include "cli/remote/answers.h"

#include <doctest/doctest.h>

#include "support/api/fake_api.h"

namespace haul::cli {
namespace {

using testing::Desk;

TEST_CASE("without a daemon the error names the address and how to start one") {
  Desk desk;
  desk.api.away();

  CHECK(run_why(3, desk.remote()) == 1);

  CHECK(desk.err.str() ==
        "haul: no daemon answers at http://127.0.0.1:4285; start one with haul serve, or set "
        "HAUL_URL to its URL (cannot_connect)\n");
  CHECK(desk.out.str().empty());
}

TEST_CASE("with --json that error has the shape of the daemon's errors") {
  Desk desk;
  desk.api.away();

  CHECK(run_why(3, desk.json()) == 1);

  const auto error = JsonView::read(desk.out.str());
  REQUIRE(error);
  CHECK(error->text("code") == "cannot_connect");
  CHECK(desk.err.str().empty());
}

TEST_CASE("the error about a key names where it is from, or how to give one") {
  const std::string body = R"({"code":"no_key","detail":"a key is required"})";
  Desk desk;
  desk.api.on("GET /api/v1/jobs/3/why", 401, body);
  CHECK(run_why(3, desk.remote()) == 1);
  CHECK(desk.err.str() ==
        "haul: the daemon at http://127.0.0.1:4285 does not accept the key in "
        "/data/admin.key (no_key)\n");

  Desk keyless;
  keyless.api.key_file = "";
  keyless.api.on("GET /api/v1/jobs/3/why", 401, body);
  CHECK(run_why(3, keyless.remote()) == 1);
  CHECK(keyless.err.str() ==
        "haul: the daemon requires a key: set HAUL_KEY, or give the daemon's "
        "data folder with --data (no_key)\n");
}

TEST_CASE("an error names each wrong field once") {
  Desk desk;
  desk.api.on("GET /api/v1/jobs/3/why", 400,
              R"({"code":"wrong_type","detail":"two are wrong","fields":{"a":"no","b":"nor"}})");
  CHECK(run_why(3, desk.remote()) == 1);
  CHECK(desk.err.str() == "haul: two are wrong (wrong_type); a: no; b: nor\n");
}

TEST_CASE("an answer of another server is named as such") {
  Desk desk;
  desk.api.on("GET /api/v1/jobs/3/why", 302, "<html>\x1b[31m");
  CHECK(run_why(3, desk.remote()) == 1);
  CHECK(desk.err.str().find("answers 302 without haul's JSON") != std::string::npos);
  CHECK(desk.err.str().find('\x1b') == std::string::npos);
}

TEST_CASE("why prints facts, and with --json the daemon's reply") {
  const std::string body =
      R"({"job":3,"lifecycle":"media","state":"queued","since":"2026-02-03T04:05:06.789Z",)"
      R"("seen_at":null,"code":"waits","because":"it waits for its turn","reason":null,)"
      R"("detail":null,"next":"a worker takes it","next_at":"2026-02-03T04:06:00.000Z",)"
      R"("stuck":false,"allowed":["cancel","pause"]})";
  Desk desk;
  desk.api.on("GET /api/v1/jobs/3/why", 200, body);
  CHECK(run_why(3, desk.remote()) == 0);
  CHECK(desk.printed() == R"(
job           3 (media)
state         queued
since         2026-02-03 04:05:06
because       it waits for its turn (waits)
next          a worker takes it, at 2026-02-03 04:06:00
possible now  cancel, pause
)");

  Desk json;
  json.api.on("GET /api/v1/jobs/3/why", 200, body);
  CHECK(run_why(3, json.json()) == 0);
  CHECK(json.out.str() == body + "\n");
}

}  // namespace
}  // namespace haul::cli
