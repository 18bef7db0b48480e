#include "flow/batch/request_limits.h"

#include <doctest/doctest.h>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

std::string with_limits(const std::string& limits) {
  return R"({"url":"https://h/a","limits":)" + limits + "}";
}

// "per_host 2, delay 500 ms", or what is wrong with them.
std::string read(const std::string& limits) {
  const auto own = flow::read_own_limits(read_object(with_limits(limits)).value());
  if (!own) return own.error().detail;
  return "per_host " + std::to_string(own->at_once) + ", delay " +
         std::to_string(own->apart.count()) + " ms";
}

// "added", or the code and the detail of the refusal.
std::string why_not(const std::string& limits) {
  Stage s;
  const auto added =
      flow::add(s.store(), {.lifecycle = &kBatch, .request = with_limits(limits)}, s.clock.now());
  return added ? "added" : added.error().code + ": " + added.error().detail;
}

Planned found(int number) {
  Planned planned;
  for (int i = 1; i <= number; ++i)
    planned.items.push_back({.key = std::to_string(i), .url = "https://h/" + std::to_string(i)});
  return planned;
}

}  // namespace

TEST_CASE("Z-11: a job's own limits are read with both ends of their ranges") {
  CHECK(read("{}") == "per_host 0, delay 0 ms");
  CHECK(read("null") == "per_host 0, delay 0 ms");
  CHECK(read(R"({"per_host":1,"delay":0})") == "per_host 1, delay 0 ms");
  CHECK(read(R"({"per_host":1000,"delay":"1h"})") == "per_host 1000, delay 3600000 ms");
  CHECK(read(R"({"delay":"3600001ms"})") == "limits.delay: expected a duration from 0 to 1h");
  for (const char* wrong : {"0", "-1", "1001"})
    CHECK(read(std::string{R"({"per_host":)"} + wrong + "}") ==
          "limits.per_host: expected a whole number from 1 to 1000");
  for (const char* wrong : {"1.5", "\"2\"", "\"\"", "true", "99999999999999999999"})
    CHECK(read(std::string{R"({"per_host":)"} + wrong + "}") ==
          "limits.per_host: expected a whole number");
  for (const char* wrong : {"5", "-1", "\"-1s\"", "\"10000d\"", "\"soon\"", "\"\"", "[]"})
    CHECK(read(std::string{R"({"delay":)"} + wrong + "}")
              .starts_with("limits.delay: expected a duration"));
  CHECK(read(R"({"per_host":null,"delay":null})") == "per_host 0, delay 0 ms");
}

TEST_CASE("Z-11: absurd limits of a job are refused when it is added, with their path") {
  CHECK(why_not(R"({"delay":"1h","per_host":1})") == "added");
  CHECK(why_not(R"({"delay":"10000d"})") ==
        "bad_request: limits.delay: expected a duration from 0 to 1h");
  CHECK(why_not("[]") == "wrong_type: limits: expected an object");
}

TEST_CASE("Z-11: a job whose own delay is 1 h leaves its host to the others") {
  Stage s;
  const JobId slow = s.add(kBatch, {.request = with_limits(R"({"delay":"1h"})")});
  s.tick();
  s.reply("http.plan", found(3));
  s.reply("http.start", whole("/in/1"));
  s.live(3s);
  REQUIRE(s.count("http.start") == 1);

  const JobId quick = s.add(kBatch, {.request = R"({"url":"https://h/b"})"});
  s.after(1s);
  s.reply("http.plan", found(2));
  CHECK((s.last("http.start").job == quick));
  s.reply("http.start", whole("/in/1"));
  s.after(1s);
  CHECK(s.count("http.start") == 3);
  CHECK((s.last("http.start").job == quick));
  s.reply("http.start", whole("/in/2"));
  CHECK(s.state(quick) == "COMPLETED");

  s.live(1h - 6s, 1s);
  CHECK(s.count("http.start") == 3);
  s.live(1s);
  CHECK(s.count("http.start") == 4);
  CHECK((s.last("http.start").job == slow));
}

}  // namespace haul::testing
