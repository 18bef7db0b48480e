#include "store/rules/add.h"

#include <doctest/doctest.h>

#include <map>

#include "lifecycle/tables.h"

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

TEST_CASE("a job's first event is told in its document's words where that has some") {
  const auto first = [](const Lifecycle& table) {
    const auto writes = writes_of({.lifecycle = &table, .request = R"({"url":"u"})"});
    REQUIRE_FALSE(writes.empty());
    const auto& note = std::get<NoteAdded>(writes.front());
    return std::string{note.type} + " " + note.data;
  };
  CHECK(first(kBatch) == R"(JOB_ADDED {"url":"u","engine":"auto","output_folder":null})");
  CHECK(first(kRelay) == "ADDED ");
}

TEST_CASE("a job for a book enters it, with a title or without; no other job does") {
  const auto entered = [](const Lifecycle& table, const char* request) {
    for (const AddWrite& write : writes_of({.lifecycle = &table, .request = request}))
      if (const auto* entry = std::get_if<EnterBook>(&write))
        return entry->book + "/" + entry->title;
    return std::string{"-"};
  };
  CHECK(entered(kBook, R"({"book_id":"b1","title":"T"})") == "b1/T");
  CHECK(entered(kBook, R"({"book_id":7,"title":null})") == "7/");
  CHECK(entered(kBook, R"({"book_id":""})") == "-");
  CHECK(entered(kBook, R"({"title":"T"})") == "-");
  CHECK(entered(kMedia, R"({"book_id":"b1"})") == "-");
}

TEST_CASE("a job reserves its price where the lifecycle asks for credit") {
  const NewJob image{.lifecycle = &kImage, .request = "{}", .price = 3};
  const auto writes = writes_of(image);
  REQUIRE(writes.size() == 2);
  CHECK(std::get<ReserveCredit>(writes.back()).amount == 3);
  CHECK(asks_credit(image));
  CHECK(check_add(image, 2).has_value());
  CHECK_FALSE(check_add(image, 3).has_value());

  const NewJob relay{.lifecycle = &kRelay, .request = "{}", .price = 3};
  CHECK(writes_of(relay).size() == 1);
  CHECK_FALSE(asks_credit(relay));
}

}  // namespace haul::rules
