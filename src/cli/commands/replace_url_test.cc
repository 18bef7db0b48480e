#include <doctest/doctest.h>

#include "cli/remote/remote.h"
#include "support/api/fake_api.h"

namespace haul::cli {

using testing::Desk;

TEST_CASE("replace-url sends the new link of an item, and names the job that fetches it") {
  Desk desk;
  desk.api.on("POST /api/v1/jobs/7/items/2/url", 201, R"({"id":9,"state":"PENDING"})");

  CHECK(run_replace_url({.id = 7, .item = "2", .url = "https://h/new?a=\"b\""}, desk.remote()) ==
        0);

  CHECK(desk.api.asked ==
        "POST /api/v1/jobs/7/items/2/url {\"url\":\"https://h/new?a=\\\"b\\\"\"}\n");
  CHECK(desk.out.str() == "Job 9 fetches item 2 from the new link: haul watch 9\n");
}

TEST_CASE("replace-url finds an item by the URL that it has now") {
  Desk desk;
  desk.api.on("GET /api/v1/jobs/7/items?limit=100", 200,
              R"({"items":[{"n":1,"url":"https://h/a"},{"n":2,"url":"https://h/b"}],"next":null})");
  desk.api.on("POST /api/v1/jobs/7/items/2/url", 201, R"({"id":9,"state":"PENDING"})");

  CHECK(run_replace_url({.id = 7, .item = "https://h/b", .url = "https://h/c"}, desk.remote()) ==
        0);
  CHECK(desk.out.str().starts_with("Job 9 fetches item 2"));

  CHECK(run_replace_url({.id = 7, .item = "https://h/x", .url = "https://h/c"}, desk.remote()) ==
        2);
  CHECK(desk.err.str().find("no item with the URL https://h/x") != std::string::npos);
}

TEST_CASE("replace-url passes a refusal on") {
  Desk desk;
  desk.api.on("POST /api/v1/jobs/7/items/1/url", 409,
              R"({"code":"item_done","detail":"item 1 is COMPLETED: it needs no other link"})");

  CHECK(run_replace_url({.id = 7, .item = "1", .url = "https://h/c"}, desk.remote()) == 1);
  CHECK(desk.err.str().find("item 1 is COMPLETED") != std::string::npos);
}

}  // namespace haul::cli
