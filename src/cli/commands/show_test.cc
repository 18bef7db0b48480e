#include <doctest/doctest.h>

#include <sstream>

#include "cli/draw/receipt_lines.h"
#include "cli/remote/json_view.h"
#include "cli/remote/remote.h"
#include "support/api/fake_api.h"

namespace haul::cli {
namespace {

using testing::Desk;

const std::string kJob =
    R"({"id":4,"lifecycle":"batch","state":"COMPLETED","end":"good","outcome":"partly",)"
    R"("owner":1,"request":)"
    R"({"url":"https://a/b"},"attempt":1,"attempts_max":3,"reason":null,"created_at":)"
    R"("2026-02-03T04:05:06.789Z","allowed":["retry"],"counts":{"total":2,"completed":1,)"
    R"("failed":1}})";
const std::string kItem =
    R"({"n":1,"url":"https://a/b","state":"FAILED","end":"bad","reason":"http_404"})";

Desk& set_up(Desk& desk) {
  desk.api.on("GET /api/v1/jobs/4", 200, kJob)
      .on("GET /api/v1/jobs/4/items?limit=100", 200, R"({"items":[)" + kItem + R"(],"next":"1"})")
      .on("GET /api/v1/jobs/4/items?limit=99&cursor=1", 200, R"({"items":[],"next":"1"})")
      .on("GET /api/v1/jobs/4/result", 200,
          R"({"success":false,"failed_files":["a","b","c","d","e","f"],"result":null})");
  return desk;
}

TEST_CASE("show prints the job, its items and its result") {
  Desk desk;

  CHECK(run_show({.id = 4}, set_up(desk).remote()) == 0);

  CHECK(desk.printed() == R"(
job           4
lifecycle     batch
state         COMPLETED, partly
what          https://a/b
progress      1 of 2, 1 failed
attempt       1 of 3
owner         1
created       2026-02-03 04:05:06
request       {"url":"https://a/b"}
possible now  retry

N  STATE   SIZE  REASON    PROOF  FILE
1  FAILED        http_404         https://a/b
There are more: --all shows them

failed  a, b, c, d, e and 1 more
)");
}

TEST_CASE("show says what became of the files of a deleted job, and why some were kept") {
  const auto shown = [](const std::string& files) {
    Desk desk;
    desk.api
        .on("GET /api/v1/jobs/4", 200,
            kJob.substr(0, kJob.size() - 1) + R"(,"deleted_files":)" + files + "}")
        .on("GET /api/v1/jobs/4/items?limit=100", 200, R"({"items":[],"next":null})")
        .on("GET /api/v1/jobs/4/result", 200, R"({"success":true,"result":null})");
    CHECK(run_show({.id = 4}, desk.remote()) == 0);
    std::string lines;
    std::istringstream all{desk.printed()};
    for (std::string line; std::getline(all, line);)
      if (line.starts_with("its files") || line.starts_with("kept")) lines += line + "\n";
    return lines;
  };
  CHECK(shown("null").empty());
  CHECK(shown(R"({"removed":2,"bytes":1536,"gone":1,"kept":1,"reasons":["/in/a: it changed"],)"
              R"("waits_for":null,"asked_at":"2026-02-03T04:05:06Z",)"
              R"("ended_at":"2026-02-03T04:05:07Z"})") ==
        "its files     2 removed (1.5 KiB), 1 was gone already, 1 kept\n"
        "kept          /in/a: it changed\n");
  CHECK(shown(R"({"removed":0,"bytes":0,"gone":2,"kept":0,"reasons":[],"waits_for":null,)"
              R"("asked_at":"2026-02-03T04:05:06Z","ended_at":null})") ==
        "its files     0 removed (0 B), 2 were gone already; not done yet\n");
  CHECK(shown(R"({"removed":0,"bytes":0,"gone":0,"kept":0,"reasons":[],"waits_for":"no disk",)"
              R"("asked_at":"2026-02-03T04:05:06Z","ended_at":null})") ==
        "its files     0 removed (0 B); waits: no disk\n");
}

TEST_CASE("show says by which rule a file was accepted, and which hash its receipt has") {
  Desk desk;
  desk.api.on("GET /api/v1/jobs/4", 200, kJob)
      .on("GET /api/v1/jobs/4/items?limit=100", 200,
          R"({"items":[{"n":1,"url":"https://a/b","state":"COMPLETED","end":"good","size":5,)"
          R"("path":"/x/b","evidence":{"kind":"etag","sha256":"9f86"}},)"
          R"({"n":2,"url":"https://a/c","state":"COMPLETED","end":"good","size":5,"path":"/x/c",)"
          R"("evidence":{"kind":"unverified","unchecked":true}}],"next":null})")
      .on("GET /api/v1/jobs/4/result", 200, R"({"success":true,"result":null})");

  CHECK(run_show({.id = 4}, desk.remote()) == 0);

  CHECK(desk.printed().find("etag, sha256 ") != std::string::npos);
  CHECK(desk.printed().find("unverified, unchecked  /x/c") != std::string::npos);
}

// `count` files with the smallest receipt.
std::string shown_files(int count, bool receipts) {
  Desk desk;
  std::string items;
  for (int n = 1; n <= count; ++n)
    items += (n == 1 ? R"({"n":)" : R"(,{"n":)") + std::to_string(n) +
             R"(,"url":"https://a/b","state":"COMPLETED","end":"good","size":5,"path":"/x/b",)"
             R"("evidence":{"kind":"size"}})";
  desk.api.on("GET /api/v1/jobs/4", 200, kJob)
      .on("GET /api/v1/jobs/4/items?limit=100", 200, R"({"items":[)" + items + R"(],"next":null})")
      .on("GET /api/v1/jobs/4/result", 200, R"({"success":true,"result":null})");
  CHECK(run_show({.id = 4, .receipts = receipts}, desk.remote()) == 0);
  return desk.printed();
}

TEST_CASE("show prints the receipt of a file: rule, size, hash, validators, URLs, ranges, time") {
  Desk desk;
  desk.api.on("GET /api/v1/jobs/4", 200, R"({"id":4,"state":"RUNNING","end":"open"})")
      .on("GET /api/v1/jobs/4/items?limit=100", 200,
          R"({"items":[{"n":1,"url":"https://a/b","state":"COMPLETED","end":"good",)"
          R"("size":500000,"path":"/x/b","evidence":{"kind":"etag","etag":"\"v1\"","size":500000,)"
          R"("last_modified":"Mon, 01 Jan 2024 00:00:00 GMT","url":"https://cdn/b",)"
          R"("ranges":[[0,200000],[200000,500000]],"sha256":"9f86d081884c7d659a2feaa0c55ad015",)"
          R"("landed_at":"2026-02-03T04:05:06.789Z"}},)"
          R"({"n":2,"url":"https://a/c","state":"COMPLETED","end":"good","size":5,"path":"/x/c",)"
          R"("evidence":{"kind":"already_here","was":"size","unchecked":true}},)"
          R"({"n":3,"url":"https://a/d","state":"PENDING","end":"open","evidence":null}],)"
          R"("next":null})");

  CHECK(run_show({.id = 4}, desk.remote()) == 0);

  const std::string printed = desk.printed();
  CHECK(printed.substr(printed.find("\nfile ")) == R"(
file           /x/b
rule           etag
size           500,000 bytes
sha256         9f86d081884c7d659a2feaa0c55ad015
etag           "v1"
last modified  Mon, 01 Jan 2024 00:00:00 GMT
url            https://a/b
final url      https://cdn/b
ranges         2, each of this version
landed         2026-02-03 04:05:06

file  /x/c
rule  already_here, was size, the certificate was not checked
size  5 bytes
url   https://a/c
)");
}

TEST_CASE(
    "a receipt says how many replies brought the file, and of which version only if it knows") {
  const auto shown = [](int ranges, const std::string& more) {
    std::string list;
    for (int n = 0; n < ranges; ++n)
      list += (n == 0 ? "[" : ",[") + std::to_string(n) + "," + std::to_string(n + 1) + "]";
    const auto item = JsonView::read(R"({"path":"/x","evidence":{"kind":"size","ranges":[)" + list +
                                     "]" + more + "}}");
    return receipt_lines(item.value(), Colour::off);
  };

  CHECK(shown(2, "").find("ranges  2\n") != std::string::npos);
  CHECK(shown(31, "").find("ranges  31\n") != std::string::npos);
  CHECK(shown(32, "").find("ranges  32 or more\n") != std::string::npos);
  CHECK(shown(2, R"(,"last_modified":"x")").find("2, each of this version") != std::string::npos);
  CHECK(shown(2, R"(,"etag":"\"x\"")").find("2, each of this version") != std::string::npos);
  for (const char* more : {R"(,"etag":"W/\"x\"")", R"(,"last_modified":"x","sources":"u v")",
                           R"(,"last_modified":"x","former_url":"u")"}) {
    const std::string lines = shown(2, more);  // Longer names of rows move the number.
    CHECK_MESSAGE(lines.find(" 2\n") != std::string::npos, lines);
    CHECK_MESSAGE(lines.find("of this version") == std::string::npos, lines);
  }
}

TEST_CASE("show prints the receipts of up to 3 files, and of more only with --receipts") {
  const std::string three = shown_files(3, false);
  CHECK(three.find("rule  size") != std::string::npos);
  CHECK(three.find("--receipts") == std::string::npos);

  const std::string four = shown_files(4, false);
  CHECK(four.find("rule  size") == std::string::npos);
  CHECK(four.find("--receipts shows the receipt of each file") != std::string::npos);
  CHECK(shown_files(4, true).find("rule  size") != std::string::npos);
}

TEST_CASE("show --json adds items and result to the daemon's job") {
  Desk desk;

  CHECK(run_show({.id = 4}, set_up(desk).json()) == 0);

  const auto shown = JsonView::read(desk.out.str());
  REQUIRE(shown);
  CHECK(shown->text("state") == "COMPLETED");
  CHECK(shown->object("items").list("items").size() == 1);
  CHECK(shown->object("items").text("next") == "1");
  CHECK(shown->object("result").list("failed_files").size() == 6);
}

TEST_CASE("show paints an item by the end of its state, whatever the state's name") {
  const auto printed = [](const std::string& end) {
    Desk desk;
    desk.colour = Colour::on;
    desk.api.on("GET /api/v1/jobs/4", 200, R"({"id":4,"state":"queued","end":"open"})")
        .on("GET /api/v1/jobs/4/items?limit=100", 200,
            R"({"items":[{"n":1,"url":"https://a/b","state":"ODD","end":")" + end +
                R"("}],"next":null})");
    CHECK(run_show({.id = 4}, desk.remote()) == 0);
    return desk.out.str();
  };
  constexpr const char* kRed = "\x1b[31m";
  constexpr const char* kGreen = "\x1b[32m";

  CHECK(printed("bad").find(kRed) != std::string::npos);
  CHECK(printed("bad").find(kGreen) == std::string::npos);
  CHECK(printed("good").find(kGreen) != std::string::npos);
  CHECK(printed("open").find(kGreen) == std::string::npos);
  CHECK(printed("stopped").find(kRed) == std::string::npos);
}

TEST_CASE("show does not request the result of an open job") {
  Desk desk;
  desk.api.on("GET /api/v1/jobs/4", 200, R"({"id":4,"state":"queued","end":"open"})")
      .on("GET /api/v1/jobs/4/items?limit=100", 200, R"({"items":[],"next":null})");

  CHECK(run_show({.id = 4}, desk.remote()) == 0);

  CHECK(desk.api.asked.find("result") == std::string::npos);
}

}  // namespace
}  // namespace haul::cli
