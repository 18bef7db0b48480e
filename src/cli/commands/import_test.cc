#include <doctest/doctest.h>

#include "cli/remote/json_view.h"
#include "cli/remote/remote.h"
#include "support/api/fake_api.h"

namespace haul::cli {
namespace {

using testing::Desk;

constexpr const char* kAsk = "POST /api/v1/jobs/7/import";

const std::string kPlan =
    R"({"files":[{"source":"S/a.mkv","target":"/lib/A.mkv","how":"hardlink or copy",)"
    R"("size":1536,"note":null},{"source":"S/b.mkv","target":null,"how":"skip","size":10,)"
    R"("note":"sample"}],"problem":null})";

const std::string kProblem =
    R"({"files":[{"source":"S/a.mkv","target":null,"how":null,"size":1536,"note":null}],)"
    R"("problem":{"code":"cannot_parse","detail":"it says nothing",)"
    R"("fix":"haul import 7 --as S01E02"}})";

TEST_CASE("S1-21: import says what the files are, and prints the state of the job") {
  Desk desk;
  desk.api.on(kAsk, 202, R"({"id":7,"state":"completed"})");

  CHECK(run_import({.id = 7, .as = "S01", .files = {"a=b.mkv=S01E02", "c.mkv=skip"}},
                   desk.remote()) == 0);

  CHECK(desk.api.asked ==
        "POST /api/v1/jobs/7/import "
        R"({"as":"S01","files":{"a=b.mkv":"S01E02","c.mkv":"skip"}})"
        "\n");
  CHECK(desk.out.str() == "haul will import job 7 like this; so far it is completed\n");
}

TEST_CASE("S1-21: a dry run prints where each file would go, and which stay out") {
  Desk desk;
  desk.api.on(kAsk, 200, kPlan);

  CHECK(run_import({.id = 7, .dry_run = true}, desk.remote()) == 0);

  CHECK(desk.api.asked == "POST /api/v1/jobs/7/import {\"dry_run\":true}\n");
  CHECK(desk.out.str() ==
        "S/a.mkv (1.5 KiB)\n  > /lib/A.mkv (hardlink or copy)\n"
        "S/b.mkv (10 B) stays out: sample\n");
  CHECK(desk.err.str().empty());
}

TEST_CASE("S1-21: a dry run prints that another file is in the place of one that would go") {
  Desk desk;
  desk.api.on(kAsk, 200,
              R"({"files":[{"source":"a.mkv","target":"/lib/A.mkv","how":"copy","size":10,)"
              R"("note":"destination_taken"}],"problem":null})");

  CHECK(run_import({.id = 7, .dry_run = true}, desk.remote()) == 0);

  CHECK(desk.out.str() == "a.mkv (10 B)\n  > /lib/A.mkv (copy)\n  stays out: destination_taken\n");
}

TEST_CASE("S1-21: a dry run of what cannot be imported says why and how to mend it, and is 1") {
  Desk desk;
  desk.api.on(kAsk, 200, kProblem);

  CHECK(run_import({.id = 7, .dry_run = true}, desk.remote()) == 1);

  CHECK(desk.out.str() == "S/a.mkv (1.5 KiB)\n");
  CHECK(desk.err.str() == "haul: it says nothing (cannot_parse); haul import 7 --as S01E02\n");
}

TEST_CASE("import prints the API's JSON, with the exit code of the text") {
  for (const auto& [reply, code] : {std::pair{kPlan, 0}, std::pair{kProblem, 1}}) {
    Desk desk;
    desk.api.on(kAsk, 200, reply);
    CHECK(run_import({.id = 7, .dry_run = true}, desk.json()) == code);
    CHECK(desk.out.str() == safe_json(reply) + "\n");
    CHECK(desk.err.str().empty());
  }
  Desk done;
  done.api.on(kAsk, 202, R"({"id":7})");
  CHECK(run_import({.id = 7}, done.json()) == 0);
  CHECK(done.out.str() == "{\"id\":7}\n");
}

TEST_CASE("S1-21: a refused import is 1, and its detail is printed") {
  Desk desk;
  desk.api.on(kAsk, 422, R"({"code":"ambiguous","detail":"one episode for two videos"})");

  CHECK(run_import({.id = 7, .as = "S01E02"}, desk.remote()) == 1);

  CHECK(desk.out.str().empty());
  CHECK(desk.err.str().find("one episode for two videos") != std::string::npos);
}

TEST_CASE("a --file without a path, without a word or given twice is wrong usage") {
  for (const std::vector<std::string>& files :
       {std::vector<std::string>{"a.mkv"}, std::vector<std::string>{"=S01E02"},
        std::vector<std::string>{"a.mkv="},
        std::vector<std::string>{"a.mkv=S01E01", "a.mkv=S01E02"}}) {
    Desk desk;
    CHECK(run_import({.id = 7, .files = files}, desk.remote()) == 2);
    CHECK(desk.api.asked.empty());
    CHECK(desk.err.str().starts_with("haul: --file: \""));
  }
}

TEST_CASE("T1: names of files cannot steer the terminal") {
  Desk desk;
  desk.api.on(kAsk, 200,
              R"({"files":[{"source":"\u001b[2Ja","target":"/\u001b[2J","how":"copy","size":1}],)"
              R"("problem":{"code":"x","detail":"\u001b[2J","fix":"\u001b[2J"}})");
  run_import({.id = 7, .dry_run = true}, desk.remote());
  CHECK((desk.out.str() + desk.err.str()).find('\x1b') == std::string::npos);
}

}  // namespace
}  // namespace haul::cli
