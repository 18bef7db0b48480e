#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "api/json/job_csv.h"
#include "base/json.h"
#include "cli/draw/width.h"
#include "cli/remote/json_view.h"
#include "cli/remote/remote.h"
#include "hostile/terminal.h"
#include "support/api/fake_api.h"

namespace haul::cli {
namespace {

using testing::Desk;

const std::string kRunning =
    R"({"id":12,"lifecycle":"batch","state":"RUNNING","end":"open","request":{"urls":)"
    R"(["https://a/a","https://a/b.iso"]},"moved_at":)"
    R"("2026-02-03T04:05:06.789Z","reason":null,"paused":false,"stuck":false,"counts":)"
    R"({"total":40,"completed":12,"failed":1},"progress":{"have":5,"size":10,"speed":0}})";
const std::string kFailed =
    R"({"id":7,"lifecycle":"media","state":"failed","end":"bad","outcome":"nothing","request":)"
    R"({"title":"Solaris"},)"
    R"("moved_at":"2026-02-03T04:05:06.789Z","reason":"disk_full","paused":false,"stuck":false,)"
    R"("counts":{"total":0},"progress":null})";

std::string list(const std::string& items, const std::string& next = "null") {
  return R"({"items":[)" + items + R"(],"next":)" + next + "}";
}

TEST_CASE("jobs prints a table with title, progress and failure reason") {
  Desk desk;
  desk.api.on("GET /api/v1/jobs?limit=20", 200, list(kRunning + "," + kFailed));

  CHECK(run_jobs({}, desk.remote()) == 0);

  CHECK(desk.printed() == R"(
ID  LIFECYCLE  STATE    PROGRESS                         SINCE                REASON     WHAT
12  batch      RUNNING  12 of 40, 1 failed, 5 B of 10 B  2026-02-03 04:05:06             )"
                          R"(https://a/a and 1 more
 7  media      failed                                    2026-02-03 04:05:06  disk_full  Solaris
)");
}

TEST_CASE("jobs says when a job begins whose user asked for a later time") {
  Desk desk;
  desk.api.on(
      "GET /api/v1/jobs?limit=20", 200,
      list(R"({"id":3,"lifecycle":"batch","state":"PENDING","end":"open","request":)"
           R"({"url":"https://a/a"},"moved_at":"2026-02-03T04:05:06.789Z","begins_at":)"
           R"("2026-02-04T00:00:00.000Z","paused":false,"stuck":false,"counts":{"total":0}})"));

  CHECK(run_jobs({}, desk.remote()) == 0);

  CHECK(desk.printed().find("PENDING, begins 2026-02-04 00:00:00") != std::string::npos);
}

TEST_CASE("jobs shows a job that waits for another try as that, with the time and the reason") {
  Desk desk;
  desk.api.on("GET /api/v1/jobs?category=films&limit=20", 200,
              list(R"({"id":12,"lifecycle":"batch","state":"RUNNING","end":"open","request":{},)"
                   R"("counts":{"total":1},"progress":{"have":0,"speed":0,"retry_in":20,)"
                   R"("retry_reason":"http_503"}})"));

  CHECK(run_jobs({.category = "films"}, desk.remote()) == 0);

  CHECK(desk.out.str().find("retry in 20 s (http_503)") != std::string::npos);
  CHECK(desk.out.str().find("RUNNING") == std::string::npos);
}

TEST_CASE("jobs says when it finds none, and when there are more") {
  Desk none;
  none.api.on("GET /api/v1/jobs?limit=20", 200, list(""));
  CHECK(run_jobs({}, none.remote()) == 0);
  CHECK(none.out.str() == "No jobs found.\n");

  Desk more;
  more.api.on("GET /api/v1/jobs?limit=1", 200, list(kFailed, R"("7")"));
  CHECK(run_jobs({.page = {.limit = 1}}, more.remote()) == 0);
  CHECK(more.out.str().ends_with("There are more: --all shows them\n"));
}

// A page of a search, with jobs of these ids.
std::string found(const std::vector<int>& ids, const std::string& next) {
  std::string items;
  for (const int id : ids)
    items += fmt::format(R"({}{{"id":{},"lifecycle":"batch","state":"PENDING","end":"open",)"
                         R"("request":{{"url":"https://a/{}"}}}})",
                         items.empty() ? "" : ",", id, id);
  return fmt::format(R"({{"items":[{}],"next":{},"searched":5000}})", items, next);
}

TEST_CASE("a search fills its page from the daemon's 2nd and 3rd page, up to the last job") {
  const auto script = [](Desk& desk) {
    desk.api.on("GET /api/v1/jobs?q=rare&limit=3", 200, found({}, R"("900")"))
        .on("GET /api/v1/jobs?q=rare&limit=3&cursor=900", 200, found({801}, R"("800")"))
        .on("GET /api/v1/jobs?q=rare&limit=2&cursor=800", 200, found({701}, "null"));
  };
  Desk text;
  script(text);
  CHECK(run_jobs({.search = "rare", .page = {.limit = 3}}, text.remote()) == 0);
  CHECK(text.out.str().find("https://a/801") < text.out.str().find("https://a/701"));
  CHECK(text.out.str().ends_with("https://a/701\n"));

  Desk json;
  script(json);
  CHECK(run_jobs({.search = "rare", .page = {.limit = 3}}, json.json()) == 0);
  const auto page = read_list(json.out.str());
  REQUIRE(page);
  CHECK(page->items.size() == 2);
  CHECK(page->next.empty());
  CHECK(page->searched == 15'000);
}

TEST_CASE("a search that has its limit asks no more, and does not claim that there are more") {
  Desk more;
  more.api.on("GET /api/v1/jobs?q=rare&limit=2", 200, found({801}, R"("800")"))
      .on("GET /api/v1/jobs?q=rare&limit=1&cursor=800", 200, found({701}, R"("700")"));
  CHECK(run_jobs({.search = "rare", .page = {.limit = 2}}, more.remote()) == 0);
  CHECK(more.api.asked ==
        "GET /api/v1/jobs?q=rare&limit=2\nGET /api/v1/jobs?q=rare&limit=1&cursor=800\n");
  CHECK(more.out.str().ends_with("There may be more: --all searches on\n"));

  Desk json;
  json.api.on("GET /api/v1/jobs?q=rare&limit=1", 200, found({801}, R"("800")"));
  CHECK(run_jobs({.search = "rare", .page = {.limit = 1}}, json.json()) == 0);
  CHECK(json.out.str() == found({801}, R"("800")") + "\n");

  Desk end;
  end.api.on("GET /api/v1/jobs?q=rare&limit=1", 200, found({801}, "null"));
  CHECK(run_jobs({.search = "rare", .page = {.limit = 1}}, end.remote()) == 0);
  CHECK(end.out.str().ends_with("https://a/801\n"));
}

TEST_CASE("promise 17: a search that finds nothing in 200 pages says how far it came") {
  Desk desk;
  const auto page = [](int next) {
    return fmt::format(R"({{"items":[],"next":"{}","searched":5000}})", next);
  };
  desk.api.on("GET /api/v1/jobs?q=rare&limit=20", 200, page(1'000));
  for (int at = 1'000; at > 800; --at)
    desk.api.on(fmt::format("GET /api/v1/jobs?q=rare&limit=20&cursor={}", at), 200, page(at - 1));

  CHECK(run_jobs({.search = "rare"}, desk.remote()) == 0);

  CHECK(desk.out.str() == "Searched 1,000,000 jobs so far and found none: --all searches on\n");
}

TEST_CASE(
    "promise 17: a search that finds too few in 200 pages says how many, and how far it came") {
  Desk desk;
  desk.api.on("GET /api/v1/jobs?q=rare&limit=20", 200, found({1'001}, R"("1000")"));
  for (int at = 1'000; at > 800; --at)
    desk.api.on(fmt::format("GET /api/v1/jobs?q=rare&limit=19&cursor={}", at), 200,
                found({}, fmt::format(R"("{}")", at - 1)));

  CHECK(run_jobs({.search = "rare"}, desk.remote()) == 0);

  CHECK(
      desk.out.str().ends_with("Searched 1,000,000 jobs so far and found 1: --all searches on\n"));
}

TEST_CASE("jobs --csv prints the API's columns, and what is left to the error output") {
  Desk desk;
  desk.api.on("GET /api/v1/jobs?limit=1", 200,
              list(R"({"id":7,"lifecycle":"media","state":"failed","end":"bad","outcome":null,)"
                   R"("owner":2,"attempt":1,"paused":false,"priority":-1,"reason":"=1+1",)"
                   R"("detail":"a, \"b\"\u001b","counts":{"total":3,"failed":1},)"
                   R"("request":{"title":"Solaris"}})",
                   R"("7")"));

  CHECK(run_jobs({.page = {.limit = 1}, .csv = true}, desk.remote()) == 0);

  const std::string head{api::kCsvHead};
  CHECK(desk.out.str() ==
        head +
            "\r\n7,media,failed,bad,,2,,,,,1,false,-1,'=1+1,\"a, \"\"b\"\"\\u{1b}\",3,,,1,,"
            "\"{\"\"title\"\":\"\"Solaris\"\"}\",\r\n");
  CHECK(desk.err.str() == "There are more: --all shows them\n");
}

TEST_CASE("jobs --all prints all pages, as text and as JSON") {
  for (const OutputForm form : {OutputForm::text, OutputForm::json}) {
    Desk desk;
    desk.form = form;
    desk.api.on("GET /api/v1/jobs?limit=100", 200, list(kRunning, R"("12")"));
    desk.api.on("GET /api/v1/jobs?limit=100&cursor=12", 200, list(kFailed));

    CHECK(run_jobs({.page = {.all = true}}, desk.remote()) == 0);

    CHECK(desk.out.str().find("Solaris") != std::string::npos);
    if (form == OutputForm::text) {
      CHECK(desk.out.str().find("ID") == desk.out.str().rfind("ID"));
      continue;
    }
    const auto fields = read_object(desk.out.str());
    REQUIRE(fields);
    CHECK(read_array(fields->front().json)->size() == 2);
  }
}

TEST_CASE("jobs --all stops when the cursor does not change") {
  Desk desk;
  desk.api.on("GET /api/v1/jobs?limit=100", 200, list(kFailed, R"("7")"));
  desk.api.on("GET /api/v1/jobs?limit=100&cursor=7", 200, list(kFailed, R"("7")"));

  CHECK(run_jobs({.page = {.all = true}}, desk.remote()) == 0);
}

TEST_CASE("jobs sends its filters encoded in the query") {
  Desk desk;

  CHECK(run_jobs({.lifecycle = "batch",
                  .state = "RUNNING",
                  .end = "open",
                  .owner = 3,
                  .stuck = true,
                  .search = "a&b=ü ?"},
                 desk.remote()) == 1);

  CHECK(desk.api.asked ==
        "GET /api/v1/jobs?lifecycle=batch&state=RUNNING&end=open&owner=3&stuck=true"
        "&q=a%26b%3D%C3%BC%20%3F&limit=20\n");
}

TEST_CASE("a hostile title stays in its row and within the terminal") {
  for (const testing::HostileText& hostile : testing::kHostileTexts) {
    CAPTURE(hostile.name);
    Desk desk;
    desk.columns = 80;
    const std::string job =
        R"({"id":1,"lifecycle":"media","state":"queued","end":"open","request":{"title":)" +
        json_quoted(hostile.text) + R"(},"moved_at":"2026-02-03T04:05:06.789Z","reason":)" +
        json_quoted(hostile.text) + "}";
    desk.api.on("GET /api/v1/jobs?limit=20", 200, list(job));

    CHECK(run_jobs({}, desk.remote()) == 0);

    const std::string text = desk.out.str();
    CHECK(std::ranges::count(text, '\n') == 2);
    CHECK(text.find_first_of("\x1b\x07\r\b") == std::string::npos);
    CHECK(text.find("\u202e") == std::string::npos);
    CHECK(columns_of(text.substr(text.find('\n') + 1)) < 81);

    Desk json;
    json.api.on("GET /api/v1/jobs?limit=20", 200, list(job));
    CHECK(run_jobs({}, json.json()) == 0);
    CHECK(json.out.str().find_first_of("\x1b\x07\r\b") == std::string::npos);
    CHECK(json.out.str().find("\u202e") == std::string::npos);
    CHECK(read_object(json.out.str()).has_value());
  }
}

TEST_CASE("stuck says when nothing is stuck") {
  Desk desk;
  desk.api.on("GET /api/v1/stuck?limit=100", 200, list(""));

  CHECK(run_stuck({}, desk.remote()) == 0);

  CHECK(desk.out.str() == "Nothing is stuck.\n");
}

}  // namespace
}  // namespace haul::cli
