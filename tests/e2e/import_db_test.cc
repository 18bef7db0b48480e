// `haul import-db` as a user runs it: a database of document 001's older shape becomes films of
// haul's (Z-17, Z-31).

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "support/process/daemon.h"
#include "support/store/invariants.h"
#include "support/store/sql.h"
#include "support/store/stopped_store.h"

using namespace haul;
using namespace haul::testing;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

// The document's table before its migration: no last_transition_at, no cleaned.
constexpr const char* kOld = R"(
CREATE TABLE content (id INTEGER PRIMARY KEY, type TEXT, title TEXT, year INTEGER);
CREATE TABLE files (id INTEGER PRIMARY KEY, content_id INTEGER, episode_id INTEGER, path TEXT,
                    size_bytes INTEGER);
CREATE TABLE downloads (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  content_id   INTEGER NOT NULL,
  episode_id   INTEGER,
  status       TEXT NOT NULL
               CHECK (status IN ('queued', 'downloading', 'completed', 'failed', 'imported')),
  release_name TEXT,
  added_at     TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
  completed_at TIMESTAMP);
INSERT INTO content VALUES (1, 'movie', 'A Film', 2024), (2, 'movie', 'B Film', 2025);
INSERT INTO files VALUES (1, 1, NULL, '/srv/movies/A Film.mkv', 10);
INSERT INTO downloads (content_id, status, release_name, added_at, completed_at)
VALUES (1, 'imported', 'A.Film.2024-GRP', '2026-01-19 10:00:00', '2026-01-19 11:00:00'),
       (2, 'downloading', 'B.Film.2025-GRP', '2026-01-20 10:00:00', NULL),
       (2, 'failed', 'B.Film.2025-OTHER', '2026-01-18 10:00:00', NULL);)";

constexpr const char* kView =
    "SELECT title, release_name, status, added_at, last_transition_at, completed_at FROM "
    "contract_media_downloads ORDER BY id";

struct Takeover {
  TempFolder folder;
  fs::path old = folder / "old.db";
  fs::path data = folder / "data";

  explicit Takeover(const std::string& sql = kOld) { shell(sql); }
  void shell(const std::string& sql) const {
    REQUIRE(run_program({"sqlite3", "-batch", "-init", "/dev/null", old.string(), sql}).code == 0);
  }
  Finished haul(std::vector<std::string> words) const {
    words.insert(words.begin(), {HAUL_BINARY, "import-db", old.string(), "--data", data.string()});
    return run_program(words);
  }
};

}  // namespace

TEST_CASE("Z-17, S1-15: haul import-db takes over an old database, at its own times") {
  const Takeover take;
  const std::string before = read_bytes(take.old);

  const Finished done = take.haul({});

  CHECK(done.code == 0);
  CHECK(done.out ==
        "Took over 3 of 3 films: 1 downloading, 1 failed, 1 imported\n"
        "haul sends, pays, deletes and adds nothing at clients until an admin runs: haul resume "
        "--all\n");
  CHECK(done.err.empty());
  CHECK(Sql{take.data / "haul.db"}.ask(kView) ==
        "A Film|A.Film.2024-GRP|imported|2026-01-19 10:00:00|2026-01-19 11:00:00|2026-01-19 "
        "11:00:00\n"
        "B Film|B.Film.2025-GRP|downloading|2026-01-20 10:00:00|2026-01-20 10:00:00|NULL\n"
        "B Film|B.Film.2025-OTHER|failed|2026-01-18 10:00:00|2026-01-18 10:00:00|NULL");
  CHECK(read_bytes(take.old) == before);
  Sql store{take.data / "haul.db"};
  CHECK(broken_invariants(store).empty());
}

TEST_CASE("Z-17: a second haul import-db adds nothing, and neither does a dry run") {
  const Takeover take;
  const json trial = json::parse(take.haul({"--dry-run", "--json"}).out);
  CHECK(trial["added"] == 3);
  CHECK_FALSE(fs::exists(take.data));
  REQUIRE(take.haul({}).code == 0);

  const Finished again = take.haul({"--json"});

  CHECK(again.code == 0);
  CHECK(json::parse(again.out) == json{{"ok", true},
                                       {"dry_run", false},
                                       {"rows", 3},
                                       {"added", 0},
                                       {"states", json::object()},
                                       {"already", 3},
                                       {"finished", 0},
                                       {"left_out", 0},
                                       {"problems", json::array()}});
  CHECK(Sql{take.data / "haul.db"}.ask("SELECT count(*) FROM jobs") == "3");
}

TEST_CASE("Z-31: after haul import-db the daemon acts on nothing outside until an admin says so") {
  const Takeover take;
  REQUIRE(take.haul({}).code == 0);

  Daemon daemon{take.data};

  CHECK(member_of(daemon.get("/api/v1/stats").body(), "restored_at") != "null");
  CHECK(member_of(daemon.get("/api/v1/jobs/2/why").body(), "code") == "restored");
  CHECK(daemon.post("/api/v1/resume", "{}").status() == 200);
  CHECK(member_of(daemon.get("/api/v1/jobs/2/why").body(), "code") != "restored");

  // A daemon has the store: nothing new gets in.
  take.shell(
      "INSERT INTO downloads (content_id, status, release_name, added_at) "
      "VALUES (2, 'queued', 'C', '2026-01-21 10:00:00')");
  const Finished refused = take.haul({});
  CHECK(refused.code == 1);
  CHECK(refused.err.starts_with("haul: "));
  CHECK(take.haul({"--dry-run"}).code == 0);
  CHECK(daemon.stop() == 0);
  CHECK(take.haul({}).out.starts_with("Took over 1 of 4 films: 1 queued\nAlready there: 3\n"));
}

TEST_CASE("Z-17: haul import-db names the rows it leaves out, takes the others, and exits 1") {
  const Takeover take{std::string{kOld} + "DELETE FROM files;"};

  const Finished done = take.haul({});

  CHECK(done.code == 1);
  CHECK(done.out.find("Took over 2 of 3 films: 1 downloading, 1 failed\nLeft out: 1\n  row 1: ") !=
        std::string::npos);
  CHECK(done.out.find("[no_library_file]\n") != std::string::npos);
}

TEST_CASE("Z-17: haul import-db refuses what is no such database, and makes no store") {
  const Takeover take{"CREATE TABLE notes (x);"};

  const Finished words = take.haul({});
  const Finished data = take.haul({"--json"});

  CHECK(words.code == 1);
  CHECK(words.err ==
        fmt::format("haul: cannot take over {}: it has no table downloads\n", take.old.string()));
  CHECK(json::parse(data.out)["code"] == "refused");
  CHECK_FALSE(fs::exists(take.data));
}
