#include <doctest/doctest.h>
#include <fmt/core.h>

#include "api/add/add_transaction.h"
#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

const std::string kJob = R"({"lifecycle":"batch","request":{"url":"http://h/a"}})";

std::string cancel_path(const std::string& id) { return "/api/v1/jobs/" + id + "/cancel"; }

}  // namespace

TEST_CASE("promise 14: the same key is the same job; with another body it is refused") {
  ApiBench b;
  const WebFields key{{"idempotency-key", "k1"}};
  const WebReply first = b.post("/api/v1/jobs", kJob, key);
  CHECK(first.status == 201);
  CHECK(header_of(first, "Location") == "/api/v1/jobs/" + member(first, "id"));
  const WebReply again = b.post("/api/v1/jobs", kJob, key);
  CHECK(again.status == 200);
  CHECK(member(again, "id") == member(first, "id"));
  const WebReply other =
      b.post("/api/v1/jobs", R"({"lifecycle":"batch","request":{"url":"http://h/b"}})", key);
  CHECK(other.status == 409);
  CHECK(member(other, "code") == "key_reused");
  // The same key from another user is another key.
  CHECK(b.as("adder", "POST", "/api/v1/jobs", kJob, key).status == 201);
}

TEST_CASE("A0-9: without a key, another film of one title and release is refused by that job") {
  ApiBench b;
  const auto film = [&](int year) {
    return b.post("/api/v1/jobs",
                  fmt::format(R"({{"lifecycle":"media","request":{{"title":"F","release_name":"R",)"
                              R"("uri":"magnet:?xt=urn:btih:{}","year":{}}}}})",
                              std::string(40, 'a'), year));
  };
  REQUIRE(film(2020).status == 201);

  const WebReply other = film(2021);
  CHECK(other.status == 409);
  CHECK(member(other, "code") == "already_asked");
  CHECK(member(other, "detail").find("the same title, release_name") != std::string::npos);
  CHECK(film(2020).status == 200);
}

TEST_CASE("J: an invalid body is refused with the code and field of its error") {
  ApiBench b;
  struct Bad {
    const char* id;
    std::string body;
    int status;
    const char* code;
    const char* position = nullptr;  // Null: not asked.
  };
  const std::vector<Bad> bad = {
      {"J1", "hello", 400, "bad_json", "line 1, column 1"},
      {"J2", R"({"lifecycle":"batch")", 400, "bad_json", "line 1, column 21"},
      {"J2", "{\"lifecycle\":\n  \"batch\",,", 400, "bad_json", "line 2, column 11"},
      {"J4", std::string(100'000, '['), 400, "bad_json"},
      {"J6", R"({"lifecycle":"batch","lifecycle":"book","request":{}})", 400, "bad_json"},
      {"J6", R"({"lifecycle":"batch","request":{"url":"a","url":"b"}})", 400, "bad_json"},
      {"J7", R"({"lifecycle":"batch","request":{"__proto__":{"x":1}}})", 400, "unknown_field"},
      {"J11", R"({"lifecycle":"batch","request":{"url":"\ud800"}})", 400, "bad_json"},
      {"J12", "\xef\xbb\xbf{}", 400, "wrong_type"},
      {"J12", "{\0\"\0a\0\"\0", 400, "bad_json"},
      {"J14", R"({"lifecycle":"batch","request":{"url":"http://h/"},"x":1})", 400, "unknown_field"},
      {"J14", R"({"lifecycle":"batch","request":{"url":"http://h/","urk":1}})", 400,
       "unknown_field"},
      {"J16", R"([{"lifecycle":"batch"}])", 400, "bad_json"},
      {"J16", R"({"lifecycle":"batch","request":[]})", 400, "wrong_type"},
      {"", R"({"lifecycle":"nothing","request":{}})", 400, "wrong_type"},
      {"", R"({"lifecycle":"item","request":{}})", 400, "wrong_type"},
      {"", R"({"lifecycle":1,"request":{}})", 400, "wrong_type"},
      {"", R"({"lifecycle":"batch","request":{},"paused":"yes"})", 400, "wrong_type"},
      {"", R"({"lifecycle":"batch","request":{}})", 400, "missing_field"},
      {"", R"({"lifecycle":"batch","request":{"url":"http://h/"},"owner":"'; DROP TABLE jobs;--"})",
       400, "wrong_type"},
      {"", R"({"lifecycle":"batch","request":{"url":"http://h/"},"owner":999})", 404,
       "no_such_user"},
  };
  for (const Bad& each : bad) {
    const WebReply reply = b.post("/api/v1/jobs", each.body);
    CAPTURE(each.id);
    CAPTURE(each.body.substr(0, 80));
    CHECK(reply.status == each.status);
    CHECK(member(reply, "code") == each.code);
    if (each.position) CHECK(member(reply, "detail") == "not JSON: " + std::string{each.position});
  }
  CHECK(b.store().reader().list({}).jobs.empty());
}

TEST_CASE("J19: a batch fills haul's own folder, or one in it, and no other") {
  ApiBench b;
  const auto folder = [&](const std::string& asked) {
    const WebReply reply = b.post(
        "/api/v1/jobs",
        fmt::format(R"({{"lifecycle":"batch","request":{{"url":"http://h/a","folder":"{}"}}}})",
                    asked));
    if (reply.status != 201) return member(reply, "code");
    const auto request = b.store().reader().request(JobId{std::stoll(member(reply, "id"))});
    const auto fields = read_object(*request);
    for (const JsonField& field : *fields)
      if (field.name == "folder") return field.text;
    return std::string{"none"};
  };
  CHECK(folder("") == "/srv/haul/");
  CHECK(folder("films") == "/srv/haul/films");
  CHECK(folder("/srv/haul/films/new") == "/srv/haul/films/new");
  for (const char* bad : {"/", "/etc", "..", "films/../..", "/srv", "/srv/hauls", "../haul2"})
    CHECK_MESSAGE(folder(bad) == "bad_folder", bad);
}

TEST_CASE("only admins may name files of the server") {
  ApiBench b;
  const std::string body =
      R"({"lifecycle":"batch","request":{"url":"http://h/a","cookies":"/etc/passwd"}})";
  CHECK(b.as("operator", "POST", "/api/v1/jobs", body).status == 403);
  CHECK(b.post("/api/v1/jobs", body).status == 201);
}

TEST_CASE("only admins may turn off the check of certificates") {
  ApiBench b;
  const std::string body =
      R"({"lifecycle":"batch","request":{"url":"http://h/a","insecure":true}})";
  CHECK(b.as("operator", "POST", "/api/v1/jobs", body).status == 403);
  CHECK(b.post("/api/v1/jobs", body).status == 201);
}

TEST_CASE("engine is one of the known engines, or absent") {
  ApiBench b;
  const auto asked_with = [&](const std::string& engine) {
    return b.post(
        "/api/v1/jobs",
        R"({"lifecycle":"batch","request":{"url":"http://h/a","engine":)" + engine + "}}");
  };
  for (const char* engine : {R"("auto")", R"("http")", R"("yt-dlp")", R"("gallery-dl")", "null"})
    CHECK(asked_with(engine).status == 201);
  const WebReply none = asked_with(R"("youtube-dl")");
  CHECK(none.status == 422);
  CHECK(member(none, "code") == "bad_request");
  CHECK(member(none, "fields") ==
        R"({"request.engine":"\"youtube-dl\" is not one of auto, http, yt-dlp or gallery-dl"})");
}

TEST_CASE("J24: cancelled twice, the second is refused with the state and what is allowed") {
  ApiBench b;
  const std::string id = member(b.post("/api/v1/jobs", kJob), "id");
  CHECK(member(b.get("/api/v1/jobs/" + id), "allowed") == R"(["cancel","pause"])");
  const WebReply first = b.post(cancel_path(id));
  CHECK(first.status == 200);
  CHECK(member(first, "state") == "CANCELLED");
  const WebReply second = b.post(cancel_path(id));
  CHECK(second.status == 409);
  CHECK(member(second, "code") == "cannot_cancel");
  CHECK(member(second, "state") == "CANCELLED");
  CHECK(member(second, "allowed") == R"(["retry","delete"])");
  CHECK(b.post(cancel_path("999")).status == 404);
  CHECK(b.post(cancel_path("1 OR 1=1")).status == 404);
}

TEST_CASE("Z-25: retrying a cancelled batch adds a new job, 201; retrying again returns it, 200") {
  ApiBench b;
  const std::string id = member(b.post("/api/v1/jobs", kJob), "id");
  CHECK(b.post("/api/v1/jobs/" + id + "/retry").status == 409);
  CHECK(b.post(cancel_path(id)).status == 200);

  const WebReply next = b.post("/api/v1/jobs/" + id + "/retry");
  CHECK(next.status == 201);
  CHECK(member(next, "retry_of") == id);
  const WebReply same = b.post("/api/v1/jobs/" + id + "/retry");
  CHECK(same.status == 200);
  CHECK(member(same, "id") == member(next, "id"));
}

TEST_CASE("a paused job is not claimed until it is resumed") {
  ApiBench b;
  const std::string id = member(b.post("/api/v1/jobs", kJob), "id");
  CHECK(member(b.post("/api/v1/jobs/" + id + "/pause"), "paused") == "true");
  CHECK(member(b.get("/api/v1/jobs/" + id), "allowed") == R"(["cancel","resume"])");
  CHECK(member(b.post("/api/v1/jobs/" + id + "/resume"), "paused") == "false");
}

TEST_CASE("pausing a held job is 202 and why says so; resuming withdraws it") {
  ApiBench b;
  const std::string id = member(b.post("/api/v1/jobs", kJob), "id");
  const WorkerId worker = b.store().workers().enlist("w", b.clock.now());
  const ClaimRequest request{.lifecycle = &kBatch, .lane = "h", .worker = worker};
  REQUIRE(b.store().jobs().claim(request, b.clock.now()).size() == 1);
  CHECK(member(b.get("/api/v1/jobs/" + id), "allowed") == R"(["cancel","pause"])");

  const WebReply wished = b.post("/api/v1/jobs/" + id + "/pause");
  CHECK(wished.status == 202);
  CHECK(member(wished, "paused") == "false");
  CHECK(member(wished, "allowed") == R"(["cancel","resume"])");
  CHECK(member(b.get("/api/v1/jobs/" + id + "/why"), "code") == "pause_asked");

  CHECK(b.post("/api/v1/jobs/" + id + "/resume").status == 200);
  CHECK(member(b.get("/api/v1/jobs/" + id), "allowed") == R"(["cancel","pause"])");
  const WebReply again = b.post("/api/v1/jobs/" + id + "/resume");
  CHECK(again.status == 409);
  CHECK(member(again, "code") == "leased");
}

TEST_CASE("J24: a repeated list under one key returns the same jobs; another list is refused") {
  ApiBench b;
  const WebFields key{{"idempotency-key", "many"}};
  const std::string path = "/api/v1/jobs/batch";
  const std::string body = "[" + kJob + R"(,{"x":1},)" + kJob + "]";
  const auto ids = [](const WebReply& reply) {
    std::string all;
    const auto answers = read_array(reply.body).value();
    for (const std::string& answer : answers) {
      const auto fields = read_object(answer).value();
      for (const JsonField& field : fields)
        if (field.name == "job")
          all +=
              member({.status = 200, .headers = {}, .body = field.json, .stream = {}}, "id") + ":";
      all += fields.back().text + " ";  // The status: its name sorts last.
    }
    return all;
  };
  CHECK(ids(b.as("adder", "POST", path, body, key)) == "1:201 400 2:201 ");
  CHECK(ids(b.as("adder", "POST", path, body, key)) == "1:200 400 2:200 ");
  CHECK(ids(b.as("adder", "POST", path, "[ " + kJob + R"( , {"x" : 1} ,)" + kJob + "]", key)) ==
        "1:200 400 2:200 ");
  for (const std::string& other : {"[" + kJob + "]", "[" + kJob + "," + kJob + "]",
                                   "[" + kJob + R"(,{"x":1},)" + kJob + "," + kJob + "]"}) {
    const WebReply refused = b.as("adder", "POST", path, other, key);
    CHECK(refused.status == 409);
    CHECK(member(refused, "code") == "key_reused");
  }
  CHECK(ids(b.as("operator", "POST", path, "[" + kJob + "]", key)) == "3:201 ");
  CHECK(ids(b.as("adder", "POST", path, body)) == "4:201 400 5:201 ");
  const WebFields long_key{{"idempotency-key", std::string(201, 'k')}};
  CHECK(b.as("adder", "POST", path, body, long_key).status == 400);
}

TEST_CASE("a list gets one answer per job, in order, and a bad job does not stop the others") {
  ApiBench b;
  const WebReply reply = b.post("/api/v1/jobs/batch", "[" + kJob + R"(,{"x":1},)" + kJob + "]");
  CHECK(reply.status == 200);
  const auto answers = read_array(reply.body);
  REQUIRE(answers);
  REQUIRE(answers->size() == 3);
  CHECK((*answers)[0].find("\"status\":201") != std::string::npos);
  CHECK((*answers)[1].find("\"status\":400") != std::string::npos);
  CHECK((*answers)[2].find("\"status\":201") != std::string::npos);
  CHECK(b.store().reader().list({}).jobs.size() == 2);

  std::string most = kJob;
  for (int i = 1; i < 1'000; ++i) most += "," + kJob;
  CHECK(b.post("/api/v1/jobs/batch", "[" + most + "]").status == 200);
  CHECK(b.post("/api/v1/jobs/batch", "[" + most + "," + kJob + "]").status == 413);
  CHECK(b.post("/api/v1/jobs/batch", "[]").status == 200);
}

TEST_CASE("a body must be JSON and have its content type") {
  ApiBench b;
  WebRequest asked = ApiBench::request("POST", "/api/v1/jobs");
  asked.headers.emplace_back("x-api-key", b.keys["boss"]);
  asked.body = kJob;
  CHECK(b.api.answer(asked).status == 415);
  asked.headers.emplace_back("content-type", "application/json; charset=utf-8");
  CHECK(b.api.answer(asked).status == 201);
}

TEST_CASE("F52: logins, header values and a proxy's password are never shown") {
  ApiBench b;
  const WebReply reply = b.post("/api/v1/jobs", R"({"lifecycle":"batch","request":{
      "url":"http://ann:canary1@h/a","headers":["Authorization: canary2"],
      "proxy":"http://bob:canary3@p:1"}})");
  REQUIRE(reply.status == 201);
  const std::string id = member(reply, "id");
  for (const std::string& path : {"/api/v1/jobs/" + id, std::string{"/api/v1/jobs"},
                                  "/api/v1/jobs/" + id + "/events", "/api/v1/jobs/" + id + "/why"})
    CHECK_MESSAGE(b.get(path).body.find("canary") == std::string::npos, path);
  CHECK(reply.body.find("canary") == std::string::npos);
  CHECK(reply.body.find("Authorization: ***") != std::string::npos);
}

TEST_CASE("pages continue at their cursor without a gap") {
  ApiBench b;
  for (int i = 0; i < 5; ++i) b.post("/api/v1/jobs", kJob);
  const WebReply first = b.get("/api/v1/jobs?limit=2");
  const std::string next = member(first, "next");
  const WebReply second = b.get("/api/v1/jobs?limit=2&cursor=" + next);
  const WebReply third = b.get("/api/v1/jobs?limit=2&cursor=" + member(second, "next"));
  CHECK(read_array(member(first, "items"))->size() == 2);
  CHECK(read_array(member(second, "items"))->size() == 2);
  CHECK(read_array(member(third, "items"))->size() == 1);
  CHECK(member(third, "next") == "null");
  for (const char* bad : {"limit=0", "limit=101", "limit=x", "cursor=0", "cursor=-1", "cursor=x",
                          "end=nowhere", "owner=x", "stuck=maybe", "sort=id", "limit=1&limit=2"})
    CHECK_MESSAGE(b.get(std::string{"/api/v1/jobs?"} + bad).status == 400, bad);
}

TEST_CASE("jobs added together get the answers that each would get alone") {
  ApiBench b;
  const auto ask = [&](const std::string& who, const std::string& body, const std::string& key) {
    WebRequest request = ApiBench::request("POST", "/api/v1/jobs", body);
    if (!who.empty()) request.headers.emplace_back("x-api-key", b.keys.at(who));
    if (!key.empty()) request.headers.emplace_back("idempotency-key", key);
    CHECK(api::Api::is_add(request));
    return request;
  };
  const std::vector<WebRequest> requests{ask("adder", kJob, ""),
                                         ask("", kJob, ""),
                                         ask("viewer", kJob, ""),
                                         ask("boss", "{", ""),
                                         ask("adder", kJob, "k"),
                                         ask("adder", kJob, "k"),
                                         ask("boss", R"({"lifecycle":"batch","request":{}})", "")};
  api::AddTransaction adds{b.api};
  for (const WebRequest& request : requests) adds.read(request);
  adds.add();
  std::vector<WebReply> replies;
  adds.answer([&](WebReply reply) { replies.push_back(std::move(reply)); });
  std::vector<int> statuses;
  for (const WebReply& reply : replies) statuses.push_back(reply.status);
  CHECK(statuses == std::vector{201, 401, 403, 400, 201, 200, 400});
  CHECK(header_of(replies[0], "Location") == "/api/v1/jobs/" + member(replies[0], "id"));
  CHECK(member(replies[4], "id") == member(replies[5], "id"));
  CHECK(member(replies[0], "owner") == std::to_string(b.users.at("adder").id.value));
  CHECK(member(replies[6], "code") == "missing_field");
  CHECK_FALSE(api::Api::is_add(ApiBench::request("POST", "/api/v1/jobs/batch", "[]")));
  CHECK_FALSE(api::Api::is_add(ApiBench::request("GET", "/api/v1/jobs")));
}

}  // namespace haul::testing
