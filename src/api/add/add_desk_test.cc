#include "api/add/add_desk.h"

#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <semaphore>
#include <set>

#include "support/api_bench.h"
#include "support/temp_folder.h"

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
    SqliteOptions options;
    options.on_commit = [this](const Committed&) {
      ++commits;
      if (!shut.exchange(false)) return;
      reached.release();
      may_go.acquire();
    };
    return open_sqlite(folder.path(), options, Bench::kStart);
  }
};

// Each key's last use is written now and then. This request does it, so that later ones need not.
void use_key(ApiBench& b) { REQUIRE(b.as("adder", "GET", "/api/v1/me").status == 200); }

AddDesk::Asked asked(ApiBench& b, std::promise<WebReply>& answer, const std::string& body = kJob) {
  WebRequest request = ApiBench::request("POST", "/api/v1/jobs", body);
  request.headers.emplace_back("x-api-key", b.keys.at("adder"));
  return {std::move(request), [&](WebReply reply) { answer.set_value(std::move(reply)); }};
}

}  // namespace

TEST_CASE("what comes while others are added is added together, and each has its own answer") {
  constexpr std::size_t kMany = 100;
  Gated gated;
  ApiBench b{gated.open()};
  use_key(b);
  std::vector<std::promise<WebReply>> answers(kMany);
  std::vector<std::future<WebReply>> replies;
  for (auto& answer : answers) replies.push_back(answer.get_future());
  AddDesk desk{b.api, kMany};
  const auto put = [&](std::size_t which, const std::string& body) {
    AddDesk::Asked one = asked(b, answers[which], body);
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

TEST_CASE("promise 17: no more wait than may, and what is refused is left with who brought it") {
  Gated gated;
  ApiBench b{gated.open()};
  use_key(b);
  std::vector<std::promise<WebReply>> answers(4);
  std::vector<std::future<WebReply>> replies;
  for (auto& answer : answers) replies.push_back(answer.get_future());
  AddDesk desk{b.api, 2};

  gated.shut = true;
  AddDesk::Asked first = asked(b, answers[0]);
  REQUIRE(desk.put(first));
  gated.reached.acquire();
  AddDesk::Asked second = asked(b, answers[1]);
  AddDesk::Asked third = asked(b, answers[2]);
  CHECK(desk.put(second));
  CHECK(desk.put(third));
  AddDesk::Asked fourth = asked(b, answers[3]);
  CHECK_FALSE(desk.put(fourth));
  CHECK(fourth.request.body == kJob);
  gated.may_go.release();

  for (std::size_t i = 0; i < 3; ++i) CHECK(replies[i].get().status == 201);
  REQUIRE(desk.put(fourth));
  CHECK(replies[3].get().status == 201);
}

TEST_CASE("a desk that goes while requests wait drops them, and keeps what it was adding") {
  Gated gated;
  ApiBench b{gated.open()};
  use_key(b);
  {
    std::vector<std::promise<WebReply>> answers(2);
    AddDesk desk{b.api, 2};
    gated.shut = true;
    AddDesk::Asked first = asked(b, answers[0]);
    REQUIRE(desk.put(first));
    gated.reached.acquire();
    AddDesk::Asked second = asked(b, answers[1]);
    REQUIRE(desk.put(second));
    gated.may_go.release();
  }
  const std::size_t kept = b.store().reader().list({.limit = kListMax}).jobs.size();
  CHECK(kept >= 1);
  CHECK(kept <= 2);
}

}  // namespace haul::testing
