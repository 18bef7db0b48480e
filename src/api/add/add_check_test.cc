// What the API refuses in a request before it writes anything, and the errors it gives.

#include <doctest/doctest.h>

#include <functional>

#include "api/json/api_schemas.h"
#include "api/json/operations.h"
#include "api/json/schema.h"
#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

std::string with(const std::string& request) {
  return R"({"lifecycle":"batch","request":)" + request + "}";
}

// The members of a schema of a body. The tables make the one of a job, and the tests of the tables
// check its request.
std::string members_of(std::string_view schema) {
  if (schema == "NewJob") return "lifecycle: string\n...NewJobTerms";
  return std::string{api::members_of_schema(schema)};
}

bool is_schema(std::string_view type) { return type.front() >= 'A' && type.front() <= 'Z'; }

// A value that a member of this type may have, in JSON.
std::string good_value(std::string_view type) {
  if (is_schema(type)) return "{}";
  if (type == "id" || type.starts_with("integer")) return "1";
  return json_quoted(type.substr(0, type.find('|')));
}

using EachBody = std::function<void(const std::string& member, const std::string& body)>;

// Passes one body for every member of the schema, also of the schemas within it: with `text`, in
// JSON, as the value of that member, and with good values of the members that are required.
void for_each_member(std::string_view schema, const std::string& text, const EachBody& each) {
  const std::string members = members_of(schema);
  api::read_members(members, [&](const api::Member& member) {
    std::string others;
    api::read_members(members, [&](const api::Member& other) {
      if (other.required && other.name != member.name)
        others += fmt::format(R"("{}":{},)", other.name, good_value(other.type));
    });
    const auto tell = [&](const std::string& name, const std::string& value) {
      each(name, fmt::format(R"({{{}"{}":{}}})", others, member.name, value));
    };
    if (is_schema(member.type))
      return for_each_member(
          member.type, text,
          [&](const std::string& name, const std::string& body) { tell(name, body); });
    const bool is_map = member.type.starts_with("map<");
    tell(std::string{member.name}, is_map ? fmt::format(R"({{"x":{}}})", text) : text);
  });
}

// "/api/v1/jobs/1/items/1/url"
std::string path_of(std::string_view pattern) {
  std::string path{pattern};
  for (std::size_t at = path.find('{'); at != std::string::npos; at = path.find('{'))
    path.replace(at, path.find('}', at) + 1 - at, "1");
  return path;
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

TEST_CASE("every field of every body refuses control characters, but for the path of a file NUL") {
  ApiBench b;
  b.add_for("boss");
  int fields = 0;
  const auto check = [&](const api::Operation& operation, const std::string& control) {
    const std::size_t blank = operation.route.find(' ');
    const std::string method{operation.route.substr(0, blank)};
    std::string_view type = operation.body;
    if (type.ends_with('?')) type.remove_suffix(1);
    const bool is_list = type.ends_with("[]");
    if (is_list) type.remove_suffix(2);
    for_each_member(
        type, "\"a" + control + "b\"", [&](const std::string& member, const std::string& body) {
          ++fields;
          const bool is_path = member == "path";
          if (is_path && control != "\\u0000") return;
          CAPTURE(operation.route);
          CAPTURE(body);
          const WebReply reply = b.as("boss", method, path_of(operation.route.substr(blank + 1)),
                                      is_list ? "[" + body + "]" : body,
                                      {{"idempotency-key", fmt::format("k{}", fields)}});
          CHECK((reply.status == 400) != is_list);
          CHECK(
              reply.body.contains(is_path ? "without NUL" : "control characters are not allowed"));
        });
  };

  for (const api::Operation& operation : api::operations())
    for (const char* control : {"\\u0000", "\\u0001", "\\n", "\\u007f", "\\u0085"})
      if (!operation.body.empty()) check(operation, control);

  CHECK(fields > 5 * 40);
  CHECK(b.store().reader().list({}).jobs.size() == 1);
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
