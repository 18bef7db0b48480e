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

  std::optional<JobId> find_slot(const std::string& slot) override {
    ++asked;
    const auto found = slots.find(slot);
    return found == slots.end() ? std::nullopt : std::optional{found->second};
  }
  CallerKey find_caller_key(const std::string& key) override {
    ++asked;
    const auto found = callers.find(key);
    return found == callers.end() ? CallerKey{} : found->second;
  }

  std::map<std::string, KeyedJob> jobs;
  std::map<std::string, JobId> slots;
  std::map<std::string, CallerKey> callers;
  int asked = 0;
};

// "1 again", the code of a refusal, or "-" for none.
std::string text(const std::optional<AddAnswer>& answer) {
  if (!answer) return "-";
  return *answer ? std::to_string((*answer)->id.value) + " again" : answer->error().code;
}

std::string existing(const NewJob::Key& key, Keys& keys) {
  return text(find_existing({.lifecycle = &kRelay, .request = "{}", .key = key}, keys, kNow));
}

// The code of the refusal, or "ok".
std::string checked(const NewJob& job, const NewJobFacts& facts = {.has_owner = true}) {
  const auto refusal = check_new(job, facts);
  return refusal ? refusal->code : "ok";
}

NewJob relay() { return {.lifecycle = &kRelay, .request = "{}"}; }

}  // namespace

TEST_CASE("promise 17: a new job has its limits; one byte more is refused") {
  const auto lengthened = [](auto member, std::size_t bytes) {
    NewJob job = relay();
    job.*member = std::string(bytes, 'x');
    return checked(job);
  };
  CHECK(lengthened(&NewJob::lane, 255) == "ok");
  CHECK(lengthened(&NewJob::lane, 256) == "too_long");
  CHECK(lengthened(&NewJob::slot, 1'000) == "ok");
  CHECK(lengthened(&NewJob::slot, 1'001) == "too_long");
  CHECK(lengthened(&NewJob::caller_key, 255) == "ok");
  CHECK(lengthened(&NewJob::caller_key, 256) == "bad_key");

  NewJob job = relay();
  job.request = "\"" + std::string((16U << 20U) - 2, 'x') + "\"";
  CHECK(checked(job) == "ok");
  job.request = "\"" + std::string((16U << 20U) - 1, 'x') + "\"";
  CHECK(checked(job) == "request_too_large");
}

TEST_CASE("promise 17: a key has a scope, and at most 255 bytes") {
  const auto with = [](std::string value, KeyScope scope, std::string earlier = {}) {
    NewJob job = relay();
    job.key = {.value = std::move(value), .scope = scope, .earlier = std::move(earlier)};
    return checked(job);
  };
  CHECK(with("k", KeyScope::forever) == "ok");
  CHECK(with("", KeyScope::none) == "ok");
  CHECK(with("k", KeyScope::none) == "bad_key");
  CHECK(with("", KeyScope::forever) == "bad_key");
  CHECK(with(std::string(255, 'k'), KeyScope::forever) == "ok");
  CHECK(with(std::string(256, 'k'), KeyScope::forever) == "bad_key");
  CHECK(with("k", KeyScope::window, std::string(255, 'k')) == "ok");
  CHECK(with("k", KeyScope::window, std::string(256, 'k')) == "too_long");
}

TEST_CASE("a request is one JSON value, and an item is no job") {
  for (const char* fine : {"{}", "[]", "1", R"({"url":"https://h/é"})"})
    CHECK(checked({.lifecycle = &kBatch, .request = fine}) == "ok");
  for (const char* bad : {"", "{", "{} {}", "nul", "{'a':1}", "\"open"})
    CHECK(checked({.lifecycle = &kBatch, .request = bad}) == "bad_request");
  CHECK(checked({.lifecycle = &kItem, .request = "{}"}) == "not_a_job");
}

TEST_CASE("the owner exists, and so does the job that a new one repeats") {
  NewJob job = relay();
  CHECK(checked(job, {.has_owner = false}) == "no_such_user");
  CHECK(checked(job, {.has_owner = true}) == "ok");
  job.retry_of = JobId{7};
  CHECK(checked(job, {.has_owner = true, .has_retried = false}) == "no_such_job");
  CHECK(checked(job, {.has_owner = true, .has_retried = true}) == "ok");
}

TEST_CASE("a caller's key finds the job of the same request and lifecycle; others are refused") {
  Keys keys;
  NewJob job = relay();
  CHECK(text(find_by_caller_key(job, keys)) == "-");
  CHECK(keys.asked == 0);
  job.caller_key = "k";
  CHECK(text(find_by_caller_key(job, keys)) == "-");

  keys.callers["k"] = {.job = JobId{1}, .fingerprint = fingerprint_of(job)};
  CHECK(text(find_by_caller_key(job, keys)) == "1 again");
  NewJob other = job;
  other.request = "[]";
  CHECK(text(find_by_caller_key(other, keys)) == "key_reused");
  other = job;
  other.lifecycle = &kBatch;
  CHECK(text(find_by_caller_key(other, keys)) == "key_reused");

  keys.callers["k"] = {.is_of_list = true};
  CHECK(text(find_by_caller_key(job, keys)) == "key_reused");
}

TEST_CASE("a slot finds its open job, unless the key finds one first") {
  Keys keys;
  keys.slots["s"] = JobId{3};
  NewJob job = relay();
  CHECK(text(find_existing(job, keys, kNow)) == "-");
  CHECK(keys.asked == 0);
  job.slot = "t";
  CHECK(text(find_existing(job, keys, kNow)) == "-");
  job.slot = "s";
  CHECK(text(find_existing(job, keys, kNow)) == "3 again");

  job.key = {.value = "k", .scope = KeyScope::forever, .earlier = {}};
  keys.jobs["k"] = {.id = JobId{1}, .created_at = kNow, .has_same_request = true};
  CHECK(text(find_existing(job, keys, kNow)) == "1 again");
  keys.jobs["k"].has_same_request = false;
  CHECK(text(find_existing(job, keys, kNow)) == "already_asked");
}

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
  CHECK(existing(key, keys) == "already_asked");
}

TEST_CASE("A0-9: a job whose own key has another request is refused by the fields of that key") {
  Keys keys;
  keys.jobs["k"] = {.id = JobId{7}, .created_at = kNow, .has_same_request = false};
  const auto why = [&](const Lifecycle& lifecycle) {
    NewJob job{.lifecycle = &lifecycle, .request = "{}"};
    job.key = {.value = "k", .scope = KeyScope::forever, .earlier = {}};
    const auto answer = find_existing(job, keys, kNow);
    REQUIRE(answer);
    return answer->error().code + ": " + answer->error().detail;
  };
  CHECK(why(kMedia) ==
        "already_asked: job 7 has the same title, release_name but differs in another field; "
        "cancel it first");
  CHECK(why(kRelay) ==
        "already_asked: job 7 has the same user_id, file_id, nonce but differs in another field; "
        "change one of them");
  CHECK(why(kBatch) == "key_reused: job 7 has this key with another request");
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

TEST_CASE("a job's own note is written with its add, after the event of the add") {
  NewJob job{.lifecycle = &kRelay, .request = "{}"};
  CHECK(writes_of(job).size() == 1);

  job.note = {.type = "LINK_REPLACED", .data = R"({"item":1})"};
  const auto writes = writes_of(job);
  REQUIRE(writes.size() == 2);
  CHECK(std::get<NoteAdded>(writes.front()).type == "ADDED");
  CHECK(std::get<Note>(writes.back()).data == R"({"item":1})");
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

  static constexpr RequestField kOwn[] = {
      RequestField{"name", FieldType::text, "Name"}.used_as(FieldUse::book_title),
      RequestField{"isbn", FieldType::text, "Number"}.used_as(FieldUse::book)};
  Lifecycle own = kBook;
  own.request = {kOwn};
  CHECK(entered(own, R"({"book_id":"b1","isbn":"7","name":"N","title":"T"})") == "7/N");
}

TEST_CASE("a job reserves its price where the lifecycle asks for credit") {
  const NewJob image{.lifecycle = &kImage, .request = "{}", .price = 3};
  const auto writes = writes_of(image);
  REQUIRE(writes.size() == 2);
  CHECK(std::get<ReserveCredit>(writes.back()).amount == 3);
  CHECK(asks_credit(image));
  CHECK(check_add(image, {.available = 2}).has_value());
  CHECK_FALSE(check_add(image, {.available = 3}).has_value());

  const NewJob relay{.lifecycle = &kRelay, .request = "{}", .price = 3};
  CHECK(writes_of(relay).size() == 1);
  CHECK_FALSE(asks_credit(relay));
}

TEST_CASE("S3-20: a quota refuses the job after the last that fits, by its own code") {
  NewJob relay{.lifecycle = &kRelay, .request = "{}"};
  relay.quota = {.open_max = 2, .open_in_all = 5, .owner_code = "user_queue_full"};
  const auto code = [&](std::size_t open, std::size_t in_all) {
    const auto refusal = check_add(relay, {.open = open, .open_in_all = in_all});
    return refusal ? refusal->code : std::string{"fine"};
  };
  CHECK(code(1, 4) == "fine");
  CHECK(code(2, 4) == "user_queue_full");
  CHECK(code(1, 5) == "queue_full");
  CHECK(code(2, 5) == "user_queue_full");  // What the user can do something about.
  relay.quota = {};
  CHECK(code(1'000, 1'000) == "fine");
}

}  // namespace haul::rules
