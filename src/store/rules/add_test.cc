#include "store/rules/add.h"

#include <doctest/doctest.h>

#include <map>

namespace haul::rules {
namespace {

using namespace std::chrono_literals;

constexpr Time kNow = from_unix_ms(1'770'000'000'000);

struct Keys final : KeyFacts {
  std::optional<KeyedJob> find(const std::string& key) override {
    ++asked;
    const auto found = jobs.find(key);
    return found == jobs.end() ? std::nullopt : std::optional{found->second};
  }

  std::map<std::string, KeyedJob> jobs;
  int asked = 0;
};

// "1 again", the code of a refusal, or "-" for none.
std::string existing(const NewJob::Key& key, Keys& keys) {
  const auto answer = find_existing(key, keys, kNow);
  if (!answer) return "-";
  return *answer ? std::to_string((*answer)->id.value) + " again" : answer->error().code;
}

}  // namespace

TEST_CASE("a job without a key finds no other, and asks for none") {
  Keys keys;
  CHECK(existing({}, keys) == "-");
  CHECK(keys.asked == 0);
}

TEST_CASE("the same request finds the job of its key; another request is refused") {
  Keys keys;
  const NewJob::Key key{.value = "k", .scope = KeyScope::forever, .earlier = {}};
  CHECK(existing(key, keys) == "-");
  keys.jobs["k"] = {.id = JobId{1}, .created_at = kNow - 24h, .has_same_request = true};
  CHECK(existing(key, keys) == "1 again");
  keys.jobs["k"].has_same_request = false;
  CHECK(existing(key, keys) == "key_reused");
}

TEST_CASE("Z-15: the key of the window before finds a job younger than one window, not of one") {
  Keys keys;
  const NewJob::Key key{.value = "now", .scope = KeyScope::window, .earlier = "before"};
  keys.jobs["before"] = {.id = JobId{1}, .created_at = kNow - 59'999ms, .has_same_request = true};
  CHECK(existing(key, keys) == "1 again");
  keys.jobs["before"].created_at = kNow - 60s;
  CHECK(existing(key, keys) == "-");

  keys.jobs["now"] = {.id = JobId{2}, .created_at = kNow, .has_same_request = true};
  CHECK(existing(key, keys) == "2 again");
}

}  // namespace haul::rules
