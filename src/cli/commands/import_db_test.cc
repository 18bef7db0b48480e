#include <doctest/doctest.h>

#include <sstream>
#include <stdexcept>

#include "cli/commands/commands.h"

namespace haul::cli {
namespace {

using TakenOver = Maintenance::TakenOver;

struct Answer {
  int code = 0;
  std::string out;
  std::string err;
};

// What the command prints if the takeover ends like this.
Answer run(const std::function<TakenOver(const Maintenance::TakeOver&)>& import_db,
           const ImportDbOptions& options = {.data = "/data", .file = "/old.db"}) {
  std::ostringstream out;
  std::ostringstream err;
  Maintenance maintenance;
  maintenance.import_db = import_db;
  const int code = run_import_db(options, maintenance, {out, err});
  return {code, out.str(), err.str()};
}

const TakenOver kTaken{.rows = 9,
                       .added = {{"imported", 3}, {"queued", 1}},
                       .already = 2,
                       .over = 1,
                       .left_out = 2,
                       .problems = {{"7", "bad_status", "\"odd\" is not a status"}}};

TEST_CASE("Z-17: import-db says what it took over, what not, and that nothing acts yet") {
  const Answer answer = run([](const auto&) { return kTaken; });
  CHECK(answer.code == 1);  // Rows are left out.
  CHECK(answer.err.empty());
  CHECK(answer.out ==
        "Took over 4 of 9 films: 3 imported, 1 queued\n"
        "Already there: 2\n"
        "Finished in the old program: 1\n"
        "Left out: 2\n"
        "  row 7: \"odd\" is not a status [bad_status]\n"
        "  and 1 more\n"
        "haul sends, pays, deletes and adds nothing at clients until an admin runs: haul resume "
        "--all\n");
}

TEST_CASE("Z-17: a second import-db took over nothing, and exits 0") {
  const Answer answer = run([](const auto&) { return TakenOver{.rows = 3, .already = 3}; });
  CHECK(answer.code == 0);
  CHECK(answer.out == "Took over 0 of 3 films\nAlready there: 3\n");
}

TEST_CASE("Z-17: import-db --dry-run says what it would do, and is asked to do no more") {
  const Answer answer = run(
      [](const Maintenance::TakeOver& asked) {
        CHECK(asked.dry_run);
        CHECK(asked.data == "/data");
        CHECK(asked.file == "/old.db");
        return TakenOver{.rows = 1, .added = {{"failed", 1}}};
      },
      {.data = "/data", .file = "/old.db", .dry_run = true});
  CHECK(answer.code == 0);
  CHECK(answer.out == "Would take over 1 of 1 films: 1 failed\n");
}

TEST_CASE("Z-17: import-db --json has every number, and the rows left out") {
  const Answer answer =
      run([](const auto&) { return kTaken; }, {.data = "/data", .file = "/old.db", .json = true});
  CHECK(answer.code == 1);
  CHECK(answer.out ==
        R"({"ok":false,"dry_run":false,"rows":9,"added":4,"states":{"imported":3,"queued":1},)"
        R"("already":2,"finished":1,"left_out":2,"problems":[{"row":"7","code":"bad_status",)"
        R"("detail":"\"odd\" is not a status"}]})"
        "\n");
}

TEST_CASE("Z-17: a refused import-db exits 1, its reason on standard error or in the JSON") {
  const auto refuse = [](const Maintenance::TakeOver&) -> TakenOver {
    throw std::runtime_error{"it has no table downloads"};
  };
  const Answer words = run(refuse);
  CHECK(words.code == 1);
  CHECK(words.out.empty());
  CHECK(words.err == "haul: it has no table downloads\n");
  const Answer json = run(refuse, {.data = "/data", .file = "/old.db", .json = true});
  CHECK(json.code == 1);
  CHECK(json.out ==
        "{\"ok\":false,\"code\":\"refused\",\"detail\":\"it has no table downloads\"}\n");
}

TEST_CASE("Z-17: import-db tells how far it is every 10,000 rows, but not in JSON") {
  const auto slow = [](const Maintenance::TakeOver& asked) {
    for (const std::size_t done : {9'999U, 10'000U, 10'500U, 20'500U}) asked.tell(done, 20'500);
    return TakenOver{.rows = 20'500, .already = 20'500};
  };
  CHECK(run(slow).err == "haul: 10000 of 20500 rows\nhaul: 20500 of 20500 rows\n");
  CHECK(run(slow, {.data = "/data", .file = "/old.db", .json = true}).err.empty());
}

}  // namespace
}  // namespace haul::cli
