// What the API refuses in a request before it writes anything, and the errors it gives.

#include <doctest/doctest.h>

#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

std::string with(const std::string& request) {
  return R"({"lifecycle":"batch","request":)" + request + "}";
}

}  // namespace

TEST_CASE("a refused request names the path of its field, and nothing is written") {
  struct Bad {
    const char* request;
    int status;
    const char* code;
    const char* fields;
  };
  const Bad bad[] = {
      {R"({"url":5})", 400, "wrong_type", R"({"request.url":"expected a string"})"},
      {R"({"url":"http://h/","segments":"x"})", 400, "wrong_type",
       R"({"request.segments":"expected a whole number"})"},
      {R"({"url":"http://h/","filters":{"min_size":-1}})", 422, "bad_request",
       R"({"request.filters.min_size":"expected a whole number from 0 to 1152921504606846976"})"},
      {R"({"url":"http://h/","filters":{"min":1}})", 400, "unknown_field",
       R"({"request.filters.min":"unknown field"})"},
      {R"({"url":"http://h/","limits":{"dely":"1s"}})", 400, "unknown_field",
       R"({"request.limits.dely":"unknown field; did you mean 'delay'?"})"},
      {R"({"url":"http://h/","limits":{"delay":"-1s"}})", 422, "bad_request",
       R"({"request.limits.delay":"expected a duration such as 500ms or 2s, or 0"})"},
      {R"({"urls":[]})", 422, "bad_request", R"({"request.urls":"expected at least one element"})"},
      {R"({"urls":["http://h/","notaurl"]})", 422, "bad_url_scheme",
       R"({"request.urls[1]":"not an http or https URL: only http and https are fetched"})"},
      {R"j({"url":"javascript:alert(1)"})j", 422, "bad_url_scheme",
       R"({"request.url":"not an http or https URL: only http and https are fetched"})"},
      {R"({"url":"http://h/","folder":5})", 400, "wrong_type",
       R"({"request.folder":"expected a string"})"},
      {R"({"url":"http://h/","folder":"..\u0000x"})", 422, "bad_request",
       R"({"request.folder":"control characters are not allowed"})"},
      {R"({"url":"http://h/","headers":["Content-Length: 5"]})", 422, "bad_request",
       R"({"request.headers[0]":"haul sets this header itself; leave it out"})"},
      {R"({})", 400, "missing_field", R"({"request.url":"required, or urls"})"},
  };
  ApiBench b;
  for (const Bad& each : bad) {
    const WebReply reply = b.post("/api/v1/jobs", with(each.request));
    CAPTURE(each.request);
    CHECK(reply.status == each.status);
    CHECK(member(reply, "code") == each.code);
    CHECK(member(reply, "fields") == each.fields);
    CHECK(member(reply, "detail").starts_with("request."));
  }
  CHECK(b.store().reader().list({}).jobs.empty());
}

TEST_CASE("J12: JSON that is followed by a NUL is refused") {
  ApiBench b;
  const std::string job = with(R"({"url":"http://h/"})");
  for (const std::string& after : {std::string{'\0'}, std::string{"\0x", 2}, std::string{" \0", 2}})
    CHECK(b.post("/api/v1/jobs", job + after).status == 400);
  CHECK(b.post("/api/v1/jobs/batch", "[" + job + "]" + std::string{'\0'}).status == 400);
  CHECK(b.store().reader().list({}).jobs.empty());
  CHECK(b.post("/api/v1/jobs", job).status == 201);
}

TEST_CASE("J14: cancel, retry, pause and resume take an empty body or {}, and no fields") {
  ApiBench b;
  const std::string job =
      "/api/v1/jobs/" + member(b.post("/api/v1/jobs", with(R"({"url":"http://h/"})")), "id");
  for (const char* act : {"/pause", "/resume", "/retry", "/cancel"}) {
    CAPTURE(act);
    const WebReply unknown = b.post(job + act, R"({"seq":1})");
    CHECK(unknown.status == 400);
    CHECK(member(unknown, "code") == "unknown_field");
    CHECK(b.post(job + act, "[]").status == 400);
  }
  CHECK(member(b.get(job), "state") == "PENDING");
  CHECK(b.post(job + "/pause", "{}").status == 200);
  CHECK(b.post(job + "/cancel").status == 200);
}

TEST_CASE("a body with control characters in any other string is refused") {
  ApiBench b;
  CHECK(b.post("/api/v1/books", R"({"id":"b","title":"a\u0000b"})").status == 400);
  CHECK(b.post("/api/v1/books", R"({"id":"b\u0001"})").status == 400);
  CHECK(b.post("/api/v1/users", R"({"name":"a\nb","role":"adder"})").status == 400);
  CHECK(b.post("/api/v1/keys", R"({"name":"a\u0085b"})").status == 400);
  CHECK(b.as("", "POST", "/api/v1/login", R"({"name":"a\u0000b","password":"x"})").status == 400);
}

TEST_CASE("A0-9: an Idempotency-Key is for one job or for one list, whichever came first") {
  ApiBench b;
  const std::string job = with(R"({"url":"http://h/"})");
  const std::string list = "[" + job + "]";
  const WebFields one{{"idempotency-key", "one"}};
  const WebFields many{{"idempotency-key", "many"}};
  CHECK(b.post("/api/v1/jobs", job, one).status == 201);
  CHECK(member(b.post("/api/v1/jobs/batch", list, one), "code") == "key_reused");
  CHECK(b.post("/api/v1/jobs/batch", list, many).status == 200);
  const WebReply single = b.post("/api/v1/jobs", job, many);
  CHECK(single.status == 409);
  CHECK(member(single, "code") == "key_reused");
  CHECK(b.post("/api/v1/jobs", job, one).status == 200);
  CHECK(b.store().reader().list({}).jobs.size() == 2);
}

TEST_CASE(
    "Z-26: a relay job belongs to the user it names, who asks, or for whom an operator asks") {
  ApiBench b;
  const std::string adder = std::to_string(b.users.at("adder").id.value);
  const auto relay = [](const std::string& user) {
    return R"({"lifecycle":"relay","request":{"chat_id":2,"file_id":"/f","nonce":"n","user_id":)" +
           user + "}}";
  };
  const WebReply own = b.as("adder", "POST", "/api/v1/jobs", relay("\"adder\""));
  CHECK(own.status == 201);
  CHECK(member(own, "owner") == adder);
  CHECK(member(own, "request").ends_with("\"user_id\":" + adder + "}"));
  const WebReply again = b.as("operator", "POST", "/api/v1/jobs", relay(adder));
  CHECK(again.status == 200);
  CHECK(member(again, "id") == member(own, "id"));
  CHECK(b.as("adder", "POST", "/api/v1/jobs", relay("\"boss\"")).status == 403);
  const WebReply no_such_user = b.as("boss", "POST", "/api/v1/jobs", relay("\"nobody\""));
  CHECK(no_such_user.status == 404);
  CHECK(member(no_such_user, "code") == "no_such_user");
  CHECK(b.store().reader().list({}).jobs.size() == 1);
}

TEST_CASE("S3-20, A3-10: a relay beyond the queue is refused, and one that fits gets its expiry") {
  ApiBench b{
      open_test_store(Bench::kStart),
      std::vector<flow::LifecycleWork>{{.lifecycle = &kRelay,
                                        .make_handler = {},
                                        .quota = {.open_max = 1, .owner_code = "user_queue_full"},
                                        .expires_after = std::chrono::hours{1}}}};
  const auto relay = [&](const std::string& nonce) {
    return b.as("adder", "POST", "/api/v1/jobs",
                R"({"lifecycle":"relay","request":{"chat_id":2,"file_id":"/f","user_id":"adder",)"
                R"("nonce":")" +
                    nonce + "\"}}");
  };
  const WebReply first = relay("1");
  REQUIRE(first.status == 201);
  const Job job = b.store().reader().find(JobId{std::stoll(member(first, "id"))}).value();
  CHECK((job.expires_at == b.clock.now() + std::chrono::hours{1}));
  const WebReply second = relay("2");
  CHECK(second.status == 422);
  CHECK(member(second, "code") == "user_queue_full");
  CHECK(member(second, "detail").find("1 open relay jobs, the limit") != std::string::npos);
  CHECK(relay("1").status == 200);
}

TEST_CASE("Z-30: what the daemon lacks is named at the add, and nothing is stored") {
  ApiBench b;
  b.lacks = [](const Lifecycle& lifecycle, std::string_view engine) {
    return std::string{&lifecycle == &kImage ? "configure x" : engine == "yt-dlp" ? "yt-dlp" : ""};
  };
  const WebReply image =
      b.post("/api/v1/jobs", R"({"lifecycle":"image","request":{"prompt":"x"}})");
  CHECK(image.status == 422);
  CHECK(member(image, "code") == "not_configured");
  CHECK(member(image, "detail") == "this daemon cannot run this image job: configure x");
  CHECK(member(b.post("/api/v1/jobs", with(R"({"url":"http://h/","engine":"yt-dlp"})")), "code") ==
        "not_configured");
  CHECK(b.store().reader().list({}).jobs.empty());
  CHECK(b.post("/api/v1/jobs", with(R"({"url":"http://h/","engine":"http"})")).status == 201);
  CHECK(b.post("/api/v1/jobs", with(R"({"url":"http://h/"})")).status == 201);
}

TEST_CASE("an owner's stuck jobs are listed and counted although others have a full page of them") {
  ApiBench b;
  const std::string film = R"({"title":"t","release_name":"r"})";
  for (int i = 0; i < 1'001; ++i) {
    const NewJob job{.lifecycle = &kMedia, .owner = b.users.at("boss").id, .request = film};
    REQUIRE(b.store().jobs().add({&job, 1}, b.clock.now()).front());
  }
  b.clock.pass(std::chrono::seconds{1});
  const NewJob mine{.lifecycle = &kMedia, .owner = b.users.at("adder").id, .request = film};
  const JobId id = b.store().jobs().add({&mine, 1}, b.clock.now()).front().value().id;
  b.clock.pass(std::chrono::hours{2});
  const WebReply stuck = b.as("adder", "GET", "/api/v1/stuck?limit=1");
  CHECK(stuck.body.find(fmt::format("\"id\":{},", id.value)) != std::string::npos);
  CHECK(member(b.as("adder", "GET", "/api/v1/stats"), "stuck") == "1");
}

}  // namespace haul::testing
