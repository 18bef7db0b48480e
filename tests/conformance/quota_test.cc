// Quotas: how many jobs of a lifecycle may be open, checked in the transaction that adds one.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <latch>
#include <set>
#include <thread>

#include "lifecycle/tables.h"
#include "support/store/bench.h"
#include "support/store/test_store.h"

using namespace haul;
using namespace haul::testing;

namespace {

// A relay of this click, when at most two of a user and three in all may be open.
NewJob click(const std::string& nonce, UserId owner = kAdmin) {
  NewJob job{.lifecycle = &kRelay, .owner = owner};
  job.request = fmt::format(R"({{"n":"{}"}})", nonce);
  job.key = {.value = nonce, .scope = KeyScope::forever};
  job.quota = {.open_max = 2, .open_in_all = 3, .owner_code = "user_queue_full"};
  return job;
}

std::string answer_of(const AddAnswer& answer) {
  if (!answer) return answer.error().code;
  return answer->replayed ? "replayed" : "added";
}

struct Queue {
  Bench b;
  UserId bob = b.store().users().add("bob", Role::adder, b.now())->id;

  std::string add(const NewJob& job) { return answer_of(b.add(job)); }
};

}  // namespace

TEST_CASE("S3-20: a user's queue and the whole queue are full at their limits") {
  Queue q;
  CHECK(q.add(click("1")) == "added");
  CHECK(q.add(click("2")) == "added");
  CHECK(q.add(click("3")) == "user_queue_full");
  CHECK(q.add(click("4", q.bob)) == "added");
  CHECK(q.add(click("5", q.bob)) == "queue_full");
}

TEST_CASE("S3-20, S3-10: a full queue still answers a repeated click with its job") {
  Queue q;
  CHECK(q.add(click("1")) == "added");
  CHECK(q.add(click("2")) == "added");
  CHECK(q.add(click("2")) == "replayed");
}

TEST_CASE("S3-20: a job that ends makes room, also one that is paused or leased counts") {
  Queue q;
  NewJob paused = click("1");
  paused.paused = true;
  const JobId first = q.b.add(paused)->id;
  CHECK(q.add(click("2")) == "added");
  q.b.claim(kRelay);
  CHECK(q.add(click("3")) == "user_queue_full");
  REQUIRE(q.b.ask(first, On::cancel).has_value());
  CHECK(q.add(click("3")) == "added");
}

TEST_CASE("S3-20: jobs of other lifecycles do not count") {
  Queue q;
  for (int i = 0; i < 5; ++i) q.b.add(kImage);
  CHECK(q.add(click("1")) == "added");
}

TEST_CASE("S3-20: later jobs of one call see the earlier ones") {
  Queue q;
  const NewJob jobs[] = {click("1"), click("2"), click("3"), click("2")};
  std::string answers;
  for (const AddAnswer& answer : q.b.jobs().add(jobs, q.b.now()))
    answers += answer_of(answer) + " ";
  CHECK(answers == "added added user_queue_full replayed ");
}

TEST_CASE("S3-10: 1,000 requests at once with 500 nonces are 500 jobs") {
  constexpr int kThreads = 8;
  constexpr int kRequests = 1'000;
  TestFolder folder;
  Bench b{folder.open(Bench::kStart)};
  std::latch ready{kThreads};
  std::vector<std::vector<AddAnswer>> answers(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      ready.arrive_and_wait();
      for (int i = t; i < kRequests; i += kThreads) {
        NewJob job = click(std::to_string(i % (kRequests / 2)));
        job.quota = {};
        answers[static_cast<std::size_t>(t)].push_back(b.add(job));
      }
    });
  for (std::thread& thread : threads) thread.join();

  std::set<std::int64_t> ids;
  int fresh = 0;
  for (const auto& some : answers)
    for (const AddAnswer& answer : some) {
      ids.insert(answer.value().id.value);
      fresh += answer->replayed ? 0 : 1;
    }
  CHECK(ids.size() == kRequests / 2);
  CHECK(fresh == kRequests / 2);
}
