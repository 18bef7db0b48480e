#include <doctest/doctest.h>

#include "cli/remote/remote.h"
#include "support/api/fake_api.h"

namespace haul::cli {
namespace {

using testing::Desk;

const std::string kForms = R"({"items":[{"name":"media","request":[)"
                           R"({"name":"title","type":"string","required":true},)"
                           R"({"name":"year","type":"number","required":false},)"
                           R"({"name":"deep","type":"boolean","required":false},)"
                           R"({"name":"params","type":"object","required":false},)"
                           R"({"name":"headers","type":"list","required":false}]},)"
                           R"({"name":"item","request":[]}],"next":null})";
const std::string kAdded = R"({"id":5,"state":"queued","end":"open"})";

// The request that a daemon receives; it accepts everything.
std::string body_of(std::vector<std::string> words) {
  Desk desk;
  desk.api.on("GET /api/v1/lifecycles", 200, kForms).on("POST /api/v1/jobs", 201, kAdded);
  const int code = run_add({.words = std::move(words)}, desk.remote());
  if (code != 0) return std::to_string(code) + " " + desk.err.str();
  return desk.api.asked.substr(desk.api.asked.find("POST"));
}

TEST_CASE("add passes the time on before which the job does not begin") {
  Desk desk;
  desk.api.on("POST /api/v1/jobs", 201, kAdded);

  CHECK(run_add({.words = {"https://example.org/a"}, .not_before = "2h"}, desk.remote()) == 0);

  CHECK(desk.api.asked ==
        R"(POST /api/v1/jobs {"lifecycle":"batch","request":{"url":"https://example.org/a"},)"
        "\"not_before\":\"2h\"}\n");
}

TEST_CASE("add passes the category of URLs on; other jobs take it as a field") {
  Desk desk;
  desk.api.on("POST /api/v1/jobs", 201, kAdded);
  CHECK(run_add({.words = {"https://example.org/a"}, .category = "films"}, desk.remote()) == 0);
  CHECK(run_add({.words = {"https://h/a", "https://h/b"}, .category = "films"}, desk.remote()) ==
        0);

  CHECK(desk.api.asked ==
        R"(POST /api/v1/jobs {"lifecycle":"batch","request":{"url":"https://example.org/a",)"
        "\"category\":\"films\"}}\n"
        R"(POST /api/v1/jobs {"lifecycle":"batch","request":{"urls":["https://h/a","https://h/b"],)"
        "\"category\":\"films\"}}\n");
  CHECK(run_add({.words = {"media", "title=x"}, .category = "films"}, desk.remote()) == 2);
}

TEST_CASE("add with URLs alone adds a batch in one request") {
  Desk desk;
  desk.api.on("POST /api/v1/jobs", 201, kAdded);

  CHECK(run_add({.words = {"https://example.org/a"}, .key = "k1", .owner = 3, .paused = true},
                desk.remote()) == 0);

  CHECK(desk.api.asked ==
        R"(POST /api/v1/jobs {"lifecycle":"batch","request":{"url":"https://example.org/a"},)"
        "\"owner\":3,\"paused\":true} key=k1\n");
  CHECK(desk.out.str() == "Added job 5: queued\n");
  CHECK(body_of({"HTTP://a/1", "https://b/2"}) ==
        "POST /api/v1/jobs {\"lifecycle\":\"batch\",\"request\":{\"urls\":[\"HTTP://a/1\","
        "\"https://b/2\"]}}\n");
}

TEST_CASE("add says when the job already exists") {
  Desk desk;
  desk.api.on("POST /api/v1/jobs", 200, kAdded);

  CHECK(run_add({.words = {"https://example.org/a"}, .key = "k1"}, desk.remote()) == 0);

  CHECK(desk.out.str() == "Job 5 already exists: queued\n");
}

TEST_CASE("add converts each value to the type of its field") {
  CHECK(
      body_of({"media", "title=12", "year=1972", "deep=true", "params={\"b\": [1]}", "headers=A: 1",
               "headers=B: 2"}) ==
      "POST /api/v1/jobs {\"lifecycle\":\"media\",\"request\":{\"deep\":true,"
      "\"headers\":[\"A: 1\",\"B: 2\"],\"params\":{\"b\":[1]},\"title\":\"12\",\"year\":1972}}\n");
  CHECK(body_of({"media", "title=a=b \"c\"", R"(headers=["x",1])", "headers=[]"}) ==
        "POST /api/v1/jobs {\"lifecycle\":\"media\",\"request\":{\"headers\":[\"x\",1],"
        "\"title\":\"a=b \\\"c\\\"\"}}\n");
}

TEST_CASE("add exits with 2 on wrong usage and says what it expected") {
  CHECK(body_of({"media", "title=x", "year=old"}) == "2 haul: year: expected a number\n");
  CHECK(body_of({"media", "title=x", "year=1,2"}) == "2 haul: year: expected a number\n");
  CHECK(body_of({"media", "title=x", "deep=yes"}) == "2 haul: deep: expected true or false\n");
  CHECK(body_of({"media", "title=x", "params=[1]"})
            .starts_with("2 haul: params: expected an object"));
  CHECK(body_of({"media", "title=x", "headers=[1"}) == "2 haul: headers: expected a list\n");
  CHECK(body_of({"media", "title"}) == "2 haul: 'title': expected field=value\n");
  CHECK(body_of({"media", "title=x", "title=y"}) == "2 haul: title is given twice\n");
  CHECK(body_of({"media", "year=1972"}) == "2 haul: a media job also requires title\n");
  CHECK(body_of({"media", "titel=x"}) ==
        "2 haul: a media job has no field 'titel'; did you mean 'title'?\n");
  CHECK(body_of({"medai"}) ==
        "2 haul: 'medai' is neither a URL nor a lifecycle (media); did you mean 'media'?\n");
  CHECK(body_of({"https://a/1", "title=x"}) == "2 haul: 'title=x' is not a URL\n");
  CHECK(body_of({}).starts_with("2 haul: expected URL"));
}

TEST_CASE("add takes fields that forms leave out from the description of the API") {
  const std::string api =
      R"({"components":{"schemas":{"media_request":{"properties":{"title":{"type":"string"},)"
      R"("max_time":{"type":["string","integer"]},"tries":{"type":"integer"},)"
      R"("insecure":{"type":"boolean"},"sums":{"type":"array"},"each":{"type":"object"}}}}}})";
  const auto body_of = [&](std::vector<std::string> words) {
    Desk desk;
    desk.api.on("GET /api/v1/lifecycles", 200, kForms)
        .on("GET /api/v1/openapi.json", 200, api)
        .on("POST /api/v1/jobs", 201, kAdded);
    const int code = run_add({.words = std::move(words)}, desk.remote());
    if (code != 0) return std::to_string(code) + " " + desk.err.str();
    return desk.api.asked.substr(desk.api.asked.find("POST"));
  };

  CHECK(body_of({"media", "title=x", "max_time=60s", "tries=2", "insecure=true", "sums=a",
                 "each={}"}) ==
        R"(POST /api/v1/jobs {"lifecycle":"media","request":{"each":{},"insecure":true,)"
        R"("max_time":"60s","sums":["a"],"title":"x","tries":2}})"
        "\n");
  CHECK(body_of({"media", "title=x", "insecure=1"}) ==
        "2 haul: insecure: expected true or false\n");
  CHECK(body_of({"media", "title=x", "max_tim=60s"}) ==
        "2 haul: a media job has no field 'max_tim'; did you mean 'max_time'?\n");
}

TEST_CASE("Z-30: the daemon decides whether it can run a job, and add passes on what it says") {
  const std::string forms = R"({"items":[{"name":"book","not_ready":"configure engine.x.url",)"
                            R"("request":[{"name":"title","type":"string","required":true}]},)"
                            R"({"name":"media","not_ready":"",)"
                            R"("request":[{"name":"title","type":"string","required":true}]}],)"
                            R"("next":null})";
  const std::string refusal =
      R"({"code":"not_configured","detail":"it lacks x","correlation_id":"a-1"})";
  const auto added = [&](const std::vector<std::string>& words, int status) {
    Desk desk;
    desk.api.on("GET /api/v1/lifecycles", 200, forms)
        .on("POST /api/v1/jobs", status, status == 201 ? kAdded : refusal);
    const int code = run_add({.words = words}, desk.remote());
    return std::to_string(code) + " " + desk.out.str() + desk.err.str();
  };

  CHECK(added({"book", "title=x"}, 422) == "1 haul: it lacks x (not_configured)\n");
  CHECK(added({"book", "title=x"}, 201) == "0 Added job 5: queued\n");
  CHECK(added({"movie"}, 201).find("(book [not configured], media)") != std::string::npos);

  Desk desk;
  desk.api.on("GET /api/v1/lifecycles", 200, forms).on("POST /api/v1/jobs", 422, refusal);
  CHECK(run_add({.words = {"book", "title=x"}}, desk.json()) == 1);
  CHECK(desk.out.str() == refusal + "\n");
}

TEST_CASE("add exits with 1 if the daemon refuses the job") {
  Desk desk;
  desk.api.on("POST /api/v1/jobs", 409,
              R"({"code":"key_reused","detail":"the key has another request"})");

  CHECK(run_add({.words = {"https://a/1"}, .key = "k"}, desk.remote()) == 1);

  CHECK(desk.err.str() == "haul: the key has another request (key_reused)\n");
}

}  // namespace
}  // namespace haul::cli
