#include <doctest/doctest.h>

#include "cli/remote/remote.h"
#include "support/api/fake_api.h"

namespace haul::cli {
namespace {

using testing::Desk;

constexpr const char* kList =
    R"({"entries":[{"job":7,"path":"Film/film.mkv","size":2048,)"
    R"("trashed_at":"2026-02-03T04:05:06.789Z","leaves_at":"2026-02-10T04:05:06.789Z"},)"
    R"({"job":6,"path":"\u001b[2J.mkv","size":1,"trashed_at":"2026-02-03T04:05:06.789Z",)"
    R"("leaves_at":null}],"next":null,"problems":[]})";

TEST_CASE("trash ls prints what is in the trash, and until when it stays") {
  Desk desk;
  desk.api.on("GET /api/v1/trash?limit=20", 200, kList);

  CHECK(run_trash({}, desk.remote()) == 0);

  CHECK(desk.printed() == R"(
JOB     SIZE  TRASHED              STAYS UNTIL          FILE
  7  2.0 KiB  2026-02-03 04:05:06  2026-02-10 04:05:06  Film/film.mkv
  6      1 B  2026-02-03 04:05:06                       \u{1b}[2J.mkv
)");
}

TEST_CASE("trash ls says that the trash is empty, and what it cannot read") {
  Desk desk;
  desk.api.on("GET /api/v1/trash?limit=20", 200, R"({"entries":[],"next":null,"problems":[]})")
      .on("GET /api/v1/trash?limit=20", 200,
          R"({"entries":[],"next":null,"problems":["job 7: no"]})");
  CHECK(run_trash({}, desk.remote()) == 0);
  CHECK(desk.out.str() == "The trash is empty.\n");

  CHECK(run_trash({}, desk.remote()) == 1);
  CHECK(desk.out.str() == "The trash is empty.\n");
  CHECK(desk.err.str() == "haul: job 7: no\n");
}

TEST_CASE("trash ls --all --json prints one list of all pages") {
  Desk desk;
  desk.api
      .on("GET /api/v1/trash?limit=100", 200,
          R"({"entries":[{"job":7}],"next":"6.0","problems":[]})")
      .on("GET /api/v1/trash?limit=100&cursor=6.0", 200,
          R"({"entries":[{"job":6}],"next":null,"problems":[]})");
  CHECK(run_trash({.page = {.limit = {}, .all = true}}, desk.json()) == 0);
  CHECK(desk.out.str() == "{\"entries\":[{\"job\":7},\n{\"job\":6}],\"next\":null}\n");
}

TEST_CASE("trash restore says what came back, and fails if a file stays") {
  Desk desk;
  desk.api.on("POST /api/v1/trash/restore", 200, R"({"restored":["a.mkv"],"kept":[]})")
      .on("POST /api/v1/trash/restore", 200,
          R"({"restored":[],"kept":["a.mkv: another file has its place"]})");

  CHECK(run_trash({.act = TrashAct::restore, .job = 7}, desk.remote()) == 0);
  CHECK(run_trash({.act = TrashAct::restore, .job = 7, .path = "a.mkv"}, desk.remote()) == 1);

  CHECK(desk.api.asked ==
        "POST /api/v1/trash/restore {\"job\":7}\n"
        "POST /api/v1/trash/restore {\"job\":7,\"path\":\"a.mkv\"}\n");
  CHECK(desk.out.str() == "Restored a.mkv\n");
  CHECK(desk.err.str() == "haul: a.mkv: another file has its place\n");
  CHECK(run_trash({.act = TrashAct::restore, .job = 7}, desk.json()) == 1);
}

TEST_CASE("trash empty goes on until nothing is left, and says how much it deleted") {
  Desk desk;
  desk.api
      .on("POST /api/v1/trash/empty", 200, R"({"files":1000,"bytes":2048,"kept":[],"more":true})")
      .on("POST /api/v1/trash/empty", 200, R"({"files":1,"bytes":1024,"kept":[],"more":false})");

  CHECK(run_trash({.act = TrashAct::empty, .job = 7, .older_than = "7d"}, desk.remote()) == 0);

  CHECK(desk.api.asked ==
        "POST /api/v1/trash/empty {\"job\":7,\"older_than\":\"7d\"}\n"
        "POST /api/v1/trash/empty {\"job\":7,\"older_than\":\"7d\"}\n");
  CHECK(desk.out.str() == "Deleted 1,001 files, 3.0 KiB\n");
}

TEST_CASE("trash empty ends when a turn deletes nothing, and names what stays") {
  Desk desk;
  desk.api.on("POST /api/v1/trash/empty", 200,
              R"({"files":0,"bytes":0,"kept":["job 7: in use"],"more":true})");
  CHECK(run_trash({.act = TrashAct::empty}, desk.json()) == 1);
  CHECK(desk.api.asked == "POST /api/v1/trash/empty {}\n");
  CHECK(desk.out.str() == R"({"files":0,"bytes":0,"kept":["job 7: in use"],"more":true})"
                          "\n");
}

}  // namespace
}  // namespace haul::cli
