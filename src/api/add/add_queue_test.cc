#include "api/add/add_queue.h"

#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <semaphore>
#include <set>

#include "store/sqlite/sqlite.h"
#include "support/api/api_bench.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

constexpr const char* kJob =
    R"({"lifecycle":"batch","request":{"url":"https://h/a"},"paused":true})";

// A store that blocks after the next transaction until the test lets it go on.
struct Gated {
  TempFolder folder;
  std::counting_semaphore<> reached{0};
  std::counting_semaphore<> may_go{0};
  std::atomic<bool> shut = false;
  std::atomic<int> commits = 0;

  std::unique_ptr<Store> open() {
    StoreOptions options;
    options.on_commit = [this](const Committed&) {
      ++commits;
      if (!shut.exchange(false)) return;
      reached.release();
      may_go.acquire();
    };
    return open_sqlite(folder.path(), options, Bench::kStart);
  }
};

// haul writes a key's last use now and then. This request triggers it, so that later ones do not.
void use_key(ApiBench& b) { REQUIRE(b.as("adder", "GET", "/api/v1/me").status == 200); }

api::AddQueue::PendingAdd pending(ApiBench& b, std::promise<WebReply>& answer,
                                  const std::string& body = kJob) {
  WebRequest request = ApiBench::request("POST", "/api/v1/jobs", body);
  request.headers.emplace_back("x-api-key", b.keys.at("adder"));
  return {std::move(request), [&](WebReply reply) { answer.set_value(std::move(reply)); }};
}

}  // namespace

TEST_CASE("a request that adds a job has one way in: alone or grouped, the reply is the same") {
  for (const api::Route& route : api::routes()) CHECK(route.groups == (route.handler == nullptr));

  ApiBench b;
  const auto ask = [&](const std::string& url) {
    WebRequest request =
        ApiBench::request("POST", "/api/v1/jobs",
                          fmt::format(R"({{"lifecycle":"batch","request":{{"url":"{}"}}}})", url));
    request.headers.emplace_back("x-api-key", b.keys.at("adder"));
    request.headers.emplace_back("x-correlation-id", "c-1");
    request.headers.emplace_back("idempotency-key", "k");
    return request;
  };
  const WebReply first = b.api.answer(ask("https://h.example/1"));
  REQUIRE(first.status == 201);

  api::AddTransaction group{b.api};
  for (const char* url : {"https://h.example/1", "https://h.example/2"}) group.read(ask(url));
  group.add();
  std::vector<WebReply> grouped;
  group.answer([&](WebReply reply) { grouped.push_back(std::move(reply)); });

  for (std::size_t i = 0; i < grouped.size(); ++i) {
    const WebReply alone = b.api.answer(ask(fmt::format("https://h.example/{}", i + 1)));
    CHECK(alone.status == grouped[i].status);
    CHECK(alone.body == grouped[i].body);
    CHECK(alone.headers == grouped[i].headers);
  }
  CHECK(grouped.at(0).status == 200);
  CHECK(grouped.at(1).status == 409);
}

TEST_CASE(
    "requests that arrive during a transaction share the next one, and each gets its own answer") {
  constexpr std::size_t kMany = 100;
  Gated gated;
  ApiBench b{gated.open()};
  use_key(b);
  std::vector<std::promise<WebReply>> answers(kMany);
  std::vector<std::future<WebReply>> replies;
  for (auto& answer : answers) replies.push_back(answer.get_future());
  api::AddQueue desk{b.api, kMany};
  const auto put = [&](std::size_t which, const std::string& body) {
    api::AddQueue::PendingAdd one = pending(b, answers[which], body);
    return desk.put(one);
  };

  gated.shut = true;
  REQUIRE(put(0, kJob));
  gated.reached.acquire();  // The first is being committed.
  const int before = gated.commits;
  for (std::size_t i = 1; i < kMany; ++i) REQUIRE(put(i, i % 10 == 0 ? "{" : kJob));
  gated.may_go.release();  // All others arrived meanwhile.

  std::set<std::string> ids;
  for (std::size_t i = 0; i < kMany; ++i) {
    const WebReply reply = replies[i].get();
    const bool is_bad = i > 0 && i % 10 == 0;
    CHECK(reply.status == (is_bad ? 400 : 201));
    if (!is_bad) CHECK(ids.insert(member(reply, "id")).second);
  }
  CHECK(ids.size() == 91);
  CHECK(gated.commits - before <= 7);  // At most sixteen are read at once.
}

TEST_CASE("promise 17: a full queue refuses a request and leaves it with the caller") {
  Gated gated;
  ApiBench b{gated.open()};
  use_key(b);
  std::vector<std::promise<WebReply>> answers(4);
  std::vector<std::future<WebReply>> replies;
  for (auto& answer : answers) replies.push_back(answer.get_future());
  api::AddQueue desk{b.api, 2};

  gated.shut = true;
  api::AddQueue::PendingAdd first = pending(b, answers[0]);
  REQUIRE(desk.put(first));
  gated.reached.acquire();
  api::AddQueue::PendingAdd second = pending(b, answers[1]);
  api::AddQueue::PendingAdd third = pending(b, answers[2]);
  CHECK(desk.put(second));
  CHECK(desk.put(third));
  api::AddQueue::PendingAdd fourth = pending(b, answers[3]);
  CHECK_FALSE(desk.put(fourth));
  CHECK(fourth.request.body == kJob);
  gated.may_go.release();

  for (std::size_t i = 0; i < 3; ++i) CHECK(replies[i].get().status == 201);
  REQUIRE(desk.put(fourth));
  CHECK(replies[3].get().status == 201);
}

TEST_CASE("a queue destroyed while requests wait drops them and finishes its transaction") {
  Gated gated;
  ApiBench b{gated.open()};
  use_key(b);
  {
    std::vector<std::promise<WebReply>> answers(2);
    api::AddQueue desk{b.api, 2};
    gated.shut = true;
    api::AddQueue::PendingAdd first = pending(b, answers[0]);
    REQUIRE(desk.put(first));
    gated.reached.acquire();
    api::AddQueue::PendingAdd second = pending(b, answers[1]);
    REQUIRE(desk.put(second));
    gated.may_go.release();
  }
  const std::size_t kept = b.store().reader().list({.limit = kListMax}).jobs.size();
  CHECK(kept >= 1);
  CHECK(kept <= 2);
}

}  // namespace haul::testing
