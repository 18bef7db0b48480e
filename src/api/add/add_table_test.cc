// Every field of every request with values that do not fit it: the API refuses each by its path, or
// accepts what the engines can read.

#include <doctest/doctest.h>

#include "engine/choose/choice.h"
#include "engine/get_request.h"
#include "flow/batch/request_limits.h"
#include "lifecycle/request.h"
#include "lifecycle/tables.h"
#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

constexpr const char* kOdd[] = {R"("")", "null",   "[]",      "{}",     "true",         "-1",
                                "1e300", R"("x")", R"([""])", "[null]", R"({"x":null})"};

std::string fitting(const RequestField& field) {
  if (field.name == "uri") return R"("magnet:?x")";
  if (field.name == "user_id") return R"("boss")";
  return field.values.empty() ? R"("x")" : json_quoted(*field.values.begin());
}

// A job whose request is valid except for one field.
std::string job_with(const Lifecycle& table, std::string_view name, const std::string& value) {
  std::string request = &table == &kBatch && name != "url" ? R"("url":"http://h/")" : "";
  const auto add = [&](std::string_view field, const std::string& json) {
    request += fmt::format("{}\"{}\":{}", request.empty() ? "" : ",", field, json);
  };
  for (const RequestField& field : table.request.fields)
    if (field.name == name || field.required)
      add(field.name, field.name == name ? value : fitting(field));
  return fmt::format(R"({{"lifecycle":"{}","request":{{{}}}}})", table.name, request);
}

struct Odd {
  std::string path;
  std::string value;
  std::string job;
};

// Also the fields inside objects: each alone, and each pair with the same value.
std::vector<Odd> all_odd() {
  std::vector<Odd> all;
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay, &kImage})
    for (const RequestField& field : table->request.fields)
      for (const std::string value : kOdd) {
        const std::string name{field.name};
        all.push_back({name, value, job_with(*table, name, value)});
        for (const RequestField& one : field.within)
          for (const RequestField& other : field.within) {
            const std::string both =
                fmt::format(R"("{}":{})", one.name, value) +
                (&one == &other ? "" : fmt::format(R"(,"{}":{})", other.name, value));
            all.push_back({fmt::format("{}.{}", name, one.name), value,
                           job_with(*table, name, "{" + both + "}")});
          }
      }
  return all;
}

// How the engines read a request that the API accepted.
std::string unreadable(const std::string& request) {
  if (const auto read = engine::read_get_request(request); !read) return read.error().detail;
  if (const auto engine = choose::engine_wanted(request); !engine) return engine.error().detail;
  const auto own = flow::read_own_limits(read_object(request).value());
  return own ? "" : own.error().detail;
}

}  // namespace

TEST_CASE("no odd value of any field is an internal error, and the engines read what is accepted") {
  ApiBench b;
  int accepted = 0;
  int refused = 0;
  for (const Odd& odd : all_odd()) {
    const WebReply reply = b.post("/api/v1/jobs", odd.job);
    CAPTURE(odd.job);
    CHECK(reply.status < 500);
    if (reply.status == 409) continue;  // An equal job is open: the request itself is fine.
    const bool is_job = reply.status == 201 || reply.status == 200;
    (is_job ? accepted : refused) += 1;
    if (!is_job) CHECK(member(reply, "detail").starts_with("request."));
    if (is_job && member(reply, "lifecycle") == "batch")
      CHECK(unreadable(
                *b.store().reader().request(JobId{read_whole(member(reply, "id")).value()})) == "");
  }
  CHECK(accepted > 50);
  CHECK(refused > 300);
}

TEST_CASE("an empty text is not a number, flag, list, object or duration") {
  ApiBench b;
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay, &kImage})
    for (const RequestField& field : table->request.fields) {
      if (field.type == FieldType::text || field.type == FieldType::lines) continue;
      if (field.type == FieldType::id) continue;  // Required, so it is missing.
      const WebReply reply = b.post("/api/v1/jobs", job_with(*table, field.name, R"("")"));
      CAPTURE(field.name);
      CHECK(reply.status == 400);
      CHECK(member(reply, "code") == "wrong_type");
      CHECK(member(reply, "fields").find(fmt::format("request.{}", field.name)) !=
            std::string::npos);
    }
}

TEST_CASE("one bad job of a list is refused alone") {
  ApiBench b;
  const std::string good = R"({"lifecycle":"batch","request":{"url":"http://h/"}})";
  for (const char* filters : {R"("")", R"({"min_size":"","max_size":5})"}) {
    const WebReply reply = b.post(
        "/api/v1/jobs/batch",
        fmt::format(
            R"([{},{{"lifecycle":"batch","request":{{"url":"http://h/","filters":{}}}}},{}])", good,
            filters, good));
    CHECK(reply.status == 200);
    CHECK(reply.body.find(R"([{"status":201,)") == 0);
    CHECK(reply.body.find(R"({"status":400,"error":{"code":"wrong_type")") != std::string::npos);
  }
  CHECK(b.store().reader().list({}).jobs.size() == 4);
}

TEST_CASE("null inside the objects of a request reads like an absent field") {
  const auto read = engine::read_get_request(
      R"({"url":"http://h/","filters":{"min_size":null,"max_size":1,"date_from":""},)"
      R"("limits":{"speed_limit":null},"logins":{"http://h":null},"folder":null})");
  REQUIRE(read);
  CHECK_FALSE(read->filters.size_min);
  CHECK(read->filters.size_max == 1);
  CHECK(read->logins.empty());
}

}  // namespace haul::testing
