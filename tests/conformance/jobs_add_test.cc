// Jobs::add: what a new row holds, and which jobs are refused without failing the rest of their
// batch.

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kRequestMax = std::size_t{16} << 20U;

std::string code(const AddAnswer& answer) { return answer ? "ok" : answer.error().code; }

std::string codes(const std::vector<AddAnswer>& answers) {
  std::string text;
  for (const AddAnswer& answer : answers) text += (text.empty() ? "" : " ") + code(answer);
  return text;
}

NewJob job_of(const Lifecycle& table, int number = 1) {
  return {.lifecycle = &table, .request = request_for(table, number)};
}

NewJob image_for(std::int64_t price, int number = 1) {
  NewJob job = job_of(kImage, number);
  job.price = price;
  return job;
}

// A valid request of exactly this many bytes.
std::string request_of_bytes(std::size_t bytes) {
  return "{\"a\":\"" + std::string(bytes - 8, 'x') + "\"}";
}

std::vector<NewJob> many(std::size_t count) {
  std::vector<NewJob> jobs;
  for (std::size_t i = 0; i < count; ++i) jobs.push_back(job_of(kBatch, static_cast<int>(i)));
  return jobs;
}

std::size_t jobs_in(Bench& b) { return b.reader().list({.limit = kListMax}).jobs.size(); }

}  // namespace

TEST_CASE("as_added says of a job what the store has of it, field by field") {
  Bench b;
  NewJob full = job_of(kBatch, 2);
  full.lane = "night";
  full.due_at = b.now() + 1h;
  full.expires_at = b.now() + 2h;
  full.slot = "a slot";
  full.key = {.value = "a key", .scope = KeyScope::forever};
  full.engine = "http";
  full.paused = true;
  full.retry_of = b.add(kBatch);
  for (const NewJob& job :
       {job_of(kBook), job_of(kMedia), job_of(kBatch, 3), job_of(kRelay), image_for(0), full}) {
    CAPTURE(job.lifecycle->name);
    const AddAnswer added = b.add(job);
    REQUIRE(added.has_value());
    CHECK((b.job(added->id) == as_added(job, added->id, b.now())));
  }
}

TEST_CASE(
    "a new job is in its first state at seq, fence and attempt 0, due now, and nothing else") {
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay, &kImage}) {
    Bench b;

    const JobId id = b.add(*table);

    CAPTURE(table->name);
    CHECK((b.job(id) == Job{.version = {id, table, table->initial().name, 0, 0, 0},
                            .owner = kAdmin,
                            .lane = std::string{table->name},
                            .due_at = b.now(),
                            .created_at = b.now(),
                            .moved_at = b.now()}));
  }
}

TEST_CASE("S0-16, S2-32: a new job keeps all it was given, and its request word for word") {
  Bench b;
  const UserId user = b.store().users().add("ann", Role::adder, b.now())->id;
  const JobId first = b.add(kRelay);
  const NewJob wanted{.lifecycle = &kRelay,
                      .owner = user,
                      .request = R"({ "b":1, "a" : [ ] })",
                      .lane = "host",
                      .due_at = b.now() + 5s,
                      .expires_at = b.now() + 1h,
                      .slot = "slot",
                      .key = {.value = "key", .scope = KeyScope::forever},
                      .engine = "http",
                      .paused = true,
                      .retry_of = first};

  const JobId id = b.add(wanted)->id;

  CHECK((b.job(id) == Job{.version = {id, &kRelay, "QUEUED", 0, 0, 0},
                          .owner = user,
                          .lane = "host",
                          .due_at = b.now() + 5s,
                          .paused = true,
                          .created_at = b.now(),
                          .moved_at = b.now(),
                          .expires_at = b.now() + 1h,
                          .slot = "slot",
                          .key = "key",
                          .engine = "http",
                          .retry_of = first}));
  CHECK(b.reader().request(id) == wanted.request);
}

TEST_CASE("Z-6: adding writes one event at seq 0 that names the first state") {
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay, &kImage}) {
    Bench b;

    const JobId id = b.add(*table);

    const std::vector<Event> events = b.store().events().of(id, {}, 10);
    CAPTURE(table->name);
    REQUIRE(events.size() == 1);
    CHECK(events[0].type == (table == &kBatch ? "JOB_ADDED" : "ADDED"));
    CHECK(events[0].seq == 0);
    CHECK(events[0].to == table->initial().name);
    CHECK((events[0].at == b.now()));
  }
}

TEST_CASE("every entry of a batch is judged alone, and answers come in order (S4-2)") {
  Bench b;
  std::vector<NewJob> jobs;
  for (int i = 0; i < 9; ++i) jobs.push_back(image_for(0, i));
  jobs[1].request = R"({"prompt":)";
  jobs[2].owner = UserId{99};
  jobs[3].request = request_of_bytes(kRequestMax + 1);
  jobs[4].key = {.value = std::string(256, 'k'), .scope = KeyScope::forever};
  jobs[5].price = -1;
  jobs[6].price = 1;
  jobs[7].key = {.value = "key", .scope = KeyScope::none};

  const auto answers = b.jobs().add(jobs, b.now());

  CHECK(codes(answers) ==
        "ok bad_request no_such_user request_too_large bad_key bad_price no_credit bad_key ok");
  CHECK(b.reader().request(answers[0]->id) == jobs[0].request);
  CHECK(b.reader().request(answers[8]->id) == jobs[8].request);
  CHECK(jobs_in(b) == 2);
}

TEST_CASE("a refused job leaves no event, no credit and no row behind (S4-2)") {
  Bench b;
  CHECK(b.store().ledger().grant(kAdmin, 5, "", b.now()).has_value());
  NewJob broken = image_for(5);
  broken.request = "{";

  CHECK(code(b.add(broken)) == "bad_request");
  CHECK(code(b.add(image_for(6))) == "no_credit");
  CHECK(code(b.add(image_for(-1))) == "bad_price");

  CHECK(jobs_in(b) == 0);
  CHECK(b.store().events().newest() == EventId{});
  CHECK((b.store().ledger().wallet(kAdmin) == Wallet{.granted = 5, .available = 5}));
}

TEST_CASE(
    "a request is JSON: an object, a list and a number are; a rest, a stub, nothing are not") {
  Bench b;
  const auto answer = [&](const char* request) {
    return code(b.add({.lifecycle = &kBatch, .request = request}));
  };

  for (const char* fine : {"{}", "[]", "1", R"({"url":"https://h/é"})"})
    CHECK(answer(fine) == "ok");
  for (const char* bad : {"", "{", "{} {}", "nul", "{'a':1}", "\"open"})
    CHECK(answer(bad) == "bad_request");
}

TEST_CASE("promise 17: a request of 16 MiB is taken, one byte more is refused") {
  Bench b;
  NewJob job = job_of(kBatch);

  job.request = request_of_bytes(kRequestMax);
  CHECK(code(b.add(job)) == "ok");
  job.request = request_of_bytes(kRequestMax + 1);
  CHECK(code(b.add(job)) == "request_too_large");
}

TEST_CASE("promise 17: a key of 255 bytes is taken, one byte more is refused") {
  Bench b;
  NewJob job = job_of(kRelay);
  job.key.scope = KeyScope::forever;

  job.key.value = std::string(255, 'k');
  CHECK(code(b.add(job)) == "ok");
  job.key.value = std::string(256, 'k');
  CHECK(code(b.add(job)) == "bad_key");
}

TEST_CASE("a key without a scope, or a scope without a key, is refused") {
  Bench b;
  NewJob job = job_of(kRelay);

  job.key = {.value = "key", .scope = KeyScope::none};
  CHECK(code(b.add(job)) == "bad_key");
  job.key = {.value = "", .scope = KeyScope::forever};
  CHECK(code(b.add(job)) == "bad_key");
}

TEST_CASE("S4-3: a price up to the last credit is reserved, one credit more is refused") {
  Bench b;
  CHECK(b.store().ledger().grant(kAdmin, 10, "", b.now()).has_value());

  CHECK(code(b.add(image_for(11, 1))) == "no_credit");
  CHECK(code(b.add(image_for(10, 2))) == "ok");
  CHECK((b.store().ledger().wallet(kAdmin) == Wallet{.granted = 10, .reserved = 10}));

  CHECK(code(b.add(image_for(1, 3))) == "no_credit");
  CHECK(code(b.add(image_for(0, 4))) == "ok");
  CHECK((b.store().ledger().wallet(kAdmin) == Wallet{.granted = 10, .reserved = 10}));
}

TEST_CASE("S4-3: a batch cannot spend one credit twice") {
  Bench b;
  CHECK(b.store().ledger().grant(kAdmin, 5, "", b.now()).has_value());
  const std::vector<NewJob> jobs{image_for(3, 1), image_for(3, 2), image_for(2, 3)};

  CHECK(codes(b.jobs().add(jobs, b.now())) == "ok no_credit ok");

  CHECK((b.store().ledger().wallet(kAdmin) == Wallet{.granted = 5, .reserved = 5}));
}

TEST_CASE("a user pays from the own wallet only, and only where the lifecycle takes credits") {
  Bench b;
  const UserId user = b.store().users().add("ann", Role::adder, b.now())->id;
  CHECK(b.store().ledger().grant(kAdmin, 5, "", b.now()).has_value());
  NewJob theirs = image_for(1, 1);
  theirs.owner = user;
  NewJob free_of_charge = job_of(kBook);
  free_of_charge.price = 100;

  CHECK(code(b.add(theirs)) == "no_credit");
  CHECK(code(b.add(free_of_charge)) == "ok");

  CHECK((b.store().ledger().wallet(kAdmin) == Wallet{.granted = 5, .available = 5}));
}

TEST_CASE("an empty batch is no write, one entry is one answer") {
  Bench b;

  CHECK(b.jobs().add({}, b.now()).empty());
  CHECK(codes(b.jobs().add(many(1), b.now())) == "ok");

  CHECK(jobs_in(b) == 1);
}

TEST_CASE("promise 17: 4,000 jobs fit a batch, all answered in order") {
  Bench b;

  const auto answers = b.jobs().add(many(4000), b.now());

  REQUIRE(answers.size() == 4000);
  std::size_t in_order = 0;
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (answers[i] &&
        b.reader().request(answers[i]->id) == request_for(kBatch, static_cast<int>(i)))
      ++in_order;
  CHECK(in_order == 4000);
}

TEST_CASE("promise 17: 4,001 jobs are one too many, and none of them is written") {
  Bench b;

  CHECK_THROWS_AS(b.jobs().add(many(4001), b.now()), StoreFault);

  CHECK(jobs_in(b) == 0);
}

TEST_CASE("promise 16: a retry_of that names no job is refused alone, not with its batch") {
  Bench b;
  std::vector<NewJob> jobs = many(3);
  jobs[1].retry_of = JobId{99};

  const auto answers = b.jobs().add(jobs, b.now());

  CHECK(answers[0].has_value());
  CHECK_FALSE(answers[1].has_value());
  CHECK(answers[2].has_value());
}

TEST_CASE("a job that is added with its items has them all, and lists no others") {
  Bench b;
  NewJob job = job_of(kBatch);
  job.items = {{.key = "a", .url = "http://h/a", .size = {}, .skip = {}, .checkpoint = "{\"x\":1}"},
               {.key = "b", .url = "http://h/b", .size = 7, .skip = {}, .checkpoint = "no json"}};

  const AddAnswer added = b.jobs().add({&job, 1}, b.now()).front();

  REQUIRE(added);
  const Counts counts = b.store().items().counts(added->id);
  CHECK(counts.total == 2);
  CHECK(counts.enumerated);
  const auto items = b.store().items().list(added->id, "", 0, 10);
  REQUIRE(items.size() == 2);
  CHECK(items[0].n == 1);
  CHECK(items[0].state == "PENDING");
  CHECK(items[0].checkpoint == "{\"x\":1}");
  CHECK(items[1].key == "b");
  CHECK(items[1].size == 7);
  CHECK(items[1].checkpoint.empty());
}
