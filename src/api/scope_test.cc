// Users who may not operate see their own jobs and no trace of others'. Also how often one user may
// send requests.

#include <doctest/doctest.h>

#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

JobId add_media(ApiBench& b, const std::string& who, int number) {
  const NewJob job{
      .lifecycle = &kMedia, .owner = b.users.at(who).id, .request = request_for(kMedia, number)};
  return b.store().jobs().add({&job, 1}, b.clock.now()).front().value().id;
}

// "1 3": the ids of a list, in order.
std::string ids_in(const WebReply& reply) {
  std::string text;
  const auto items = read_array(member(reply, "items"));
  for (const std::string& item : items.value_or(std::vector<std::string>{"not a list"})) {
    const auto fields = read_object(item);
    for (const JsonField& field : fields.value_or(std::vector<JsonField>{}))
      if (field.name == "id") text += (text.empty() ? "" : " ") + field.text;
  }
  return text;
}

}  // namespace

TEST_CASE("F49: /stuck and /stats show users their own jobs, and operators all jobs") {
  ApiBench b;
  add_media(b, "boss", 1);
  add_media(b, "adder", 2);
  add_media(b, "boss", 3);
  b.clock.pass(2h);
  const auto stuck = [&](const char* who) { return ids_in(b.as(who, "GET", "/api/v1/stuck")); };
  const auto count = [&](const char* who) {
    return member(b.as(who, "GET", "/api/v1/stats"), "stuck");
  };
  CHECK(stuck("adder") == "2");
  CHECK(stuck("viewer").empty());
  CHECK(stuck("operator").size() == std::string{"1 2 3"}.size());
  CHECK(count("adder") == "1");
  CHECK(count("viewer") == "0");
  CHECK(count("operator") == "3");
  CHECK(ids_in(b.as("adder", "GET", "/api/v1/jobs?stuck=true")) == "2");
}

TEST_CASE("F49: /stalled shows users their own jobs, and operators all jobs") {
  ApiBench b;
  std::map<JobId, api::JobProgress> all;
  for (const char* who : {"boss", "adder"}) {
    const JobId id = b.add_for(who);
    all[id] = {.job = id, .owner = b.users.at(who).id, .still_since = b.clock.steady()};
  }
  b.progress.put_up(all);
  b.clock.pass(24h);
  CHECK(ids_in(b.as("adder", "GET", "/api/v1/stalled")) == "2");
  CHECK(ids_in(b.as("viewer", "GET", "/api/v1/stalled")).empty());
  CHECK(ids_in(b.as("operator", "GET", "/api/v1/stalled")) == "1 2");
}

TEST_CASE("F49: an event stream shows users their own jobs, and operators all jobs") {
  ApiBench b;
  b.add_for("boss");
  b.add_for("adder");  // Both users receive the newest event.
  const auto heard = [&](const char* who) {
    const WebReply reply = b.as(who, "GET", "/api/v1/events", "", {{"last-event-id", "0"}});
    REQUIRE(reply.stream);
    return b.hear(*reply.stream, fmt::format("id: {}\n", b.store().events().newest().value));
  };
  CHECK(heard("adder").find("\"job\":1,") == std::string::npos);
  CHECK(heard("adder").find("\"job\":2,") != std::string::npos);
  CHECK(heard("operator").find("\"job\":1,") != std::string::npos);
}

TEST_CASE("F49: a user may send 2,000 requests at once, then 500 a second; an admin has no limit") {
  ApiBench b;
  const auto ask = [&](const char* who) { return b.as(who, "GET", "/api/v1/me").status; };
  for (int i = 0; i < 2'000; ++i) REQUIRE(ask("adder") == 200);
  const WebReply refused = b.as("adder", "GET", "/api/v1/me");
  CHECK(refused.status == 429);
  CHECK(header_of(refused, "Retry-After") == "1");
  CHECK(ask("viewer") == 200);  // Another user has their own allowance.

  b.clock.pass(1ms);
  CHECK(ask("adder") == 429);
  b.clock.pass(1ms);
  CHECK(ask("adder") == 200);
  CHECK(ask("adder") == 429);
  b.clock.pass(1s);
  for (int i = 0; i < 500; ++i) REQUIRE(ask("adder") == 200);
  CHECK(ask("adder") == 429);

  for (int i = 0; i < 2'001; ++i) REQUIRE(ask("boss") == 200);
}

}  // namespace haul::testing
