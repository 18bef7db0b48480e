// Many clients buy images from a daemon that is killed again and again, at a provider that fails in
// every way. The provider's own list of paid calls is compared with what haul has recorded.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <atomic>
#include <map>
#include <random>
#include <shared_mutex>
#include <sstream>
#include <thread>

#include "support/process/daemon.h"
#include "support/run/moment.h"
#include "support/run/proof.h"
#include "support/server/fake_image_api.h"
#include "support/server/fake_on_port.h"
#include "support/store/invariants.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr int kClients = 64;
constexpr int kUsers = 10;
constexpr int kCredits = 1'000'000;

// Calls that haul has recorded before it made them, by prompt. A retry has the prompt of its dead
// letter.
constexpr const char* kRecorded = R"(
SELECT json_extract(r.body, '$.prompt') || '=' || count(*)
  FROM intents i JOIN requests r ON r.job = i.job
 WHERE i.kind = 'paid_call'
 GROUP BY json_extract(r.body, '$.prompt'))";

// Calls that neither failed nor have an unknown outcome, although another one followed.
constexpr const char* kPaidAgain = R"(
SELECT count(*)
  FROM intents a
 WHERE a.kind = 'paid_call' AND a.state IN ('open', 'done')
   AND EXISTS (SELECT 1 FROM intents b
                WHERE b.job = a.job AND b.kind = 'paid_call' AND b.id > a.id))";

constexpr const char* kOpen = R"(SELECT count(*) FROM jobs WHERE "end" = 'open')";

class Market {
 public:
  explicit Market(unsigned seed) : random_{seed} {
    api_.address = port_.url();
    for (int user = 2; user <= kUsers + 1; ++user) {
      REQUIRE(daemon_.post("/api/v1/users", fmt::format(R"({{"name":"user{}"}})", user)).status() ==
              201);
      REQUIRE(daemon_
                  .ask("POST", fmt::format("/api/v1/users/{}/credits", user),
                       fmt::format(R"({{"amount":{}}})", kCredits),
                       fmt::format("Idempotency-Key: g{}\r\n", user))
                  .status() == 200);
    }
  }

  // One act of a client. A daemon that is killed meanwhile answers nothing; the client goes on once
  // the next one is there.
  void act(int client, int number, std::mt19937& random) {
    comes_true([&] { return !is_down_; });
    const std::shared_lock running{restart_};
    const int user = 2 + client % kUsers;
    try {
      const int chance = between(random, 0, 99);
      if (chance < 15) return retry_one(user);
      const int which = chance < 25 && number > 0 ? number - 1 : number;  // Sometimes asks again.
      daemon_.post(
          "/api/v1/jobs",
          fmt::format(R"({{"lifecycle":"image","owner":{},"request":{{"prompt":"p{}-{}"}}}})", user,
                      client, which));
    } catch (const std::exception&) {
      ++unanswered_;
      is_down_ = true;
    }
  }

  // Ends the daemon at any moment, starts it anew and looks at its books.
  void kill() {
    daemon_.kill();
    is_down_ = true;
    const std::unique_lock alone{restart_};
    daemon_.start();
    is_down_ = false;
    check();
  }

  void check() {
    std::map<std::string, int> charged;
    port_.with([&] {
      for (const ChargedCall& call : api_.charged) ++charged[call.prompt];
    });
    Sql sql{daemon_.data() / "haul.db"};
    std::map<std::string, int> recorded;
    std::istringstream rows{sql.ask(kRecorded)};
    for (std::string row; std::getline(rows, row);) {
      const std::size_t at = row.rfind('=');
      recorded[row.substr(0, at)] = std::stoi(row.substr(at + 1));
    }
    for (const auto& [prompt, count] : charged) {
      CAPTURE(prompt);
      CHECK(count <= recorded[prompt]);
    }
    CHECK(sql.ask(kPaidAgain) == "0");
    CHECK(broken_invariants(sql).empty());
  }

  // Lets all images end.
  void settle() {
    port_.with([&] { is_calm_ = true; });
    CHECK(comes_true([&] {
      Sql sql{daemon_.data() / "haul.db"};
      return sql.ask(kOpen) == "0" || (let_pass(50ms), false);
    }));
    check();
    CHECK(daemon_.stop() == 0);
  }

  int unanswered() const { return unanswered_; }
  std::size_t charged() {
    std::size_t count = 0;
    port_.with([&] { count = api_.charged.size(); });
    return count;
  }

 private:
  static std::vector<std::string> settings(const std::string& url, const std::string& key) {
    return {"HAUL__IMAGE__PROVIDER=openai",  "HAUL__IMAGE__URL=" + url,
            "HAUL__IMAGE__API_KEY=" + key,   "HAUL__IMAGE__AT_ONCE=16",
            "HAUL__IMAGE__PER_OWNER=4",      "HAUL__IMAGE__OPEN_MAX=20",
            "HAUL__IMAGE__PER_MINUTE=10000", "HAUL__LOG__LEVEL=error"};
  }

  void retry_one(int user) {
    const RawReply list = daemon_.get(
        fmt::format("/api/v1/jobs?lifecycle=image&state=dead_letter&owner={}&limit=1", user));
    const std::string_view body = list.body();
    const std::size_t at = body.find("\"id\":");
    if (at == std::string_view::npos) return;
    const std::string id{body.substr(at + 5, body.find_first_of(",}", at) - at - 5)};
    daemon_.post("/api/v1/jobs/" + id + "/retry");
  }

  std::optional<FakeReply> answer(const io::HttpRequest& sent) {
    constexpr ImageTrouble kTroubles[] = {ImageTrouble::blocked,      ImageTrouble::bad_request,
                                          ImageTrouble::server_error, ImageTrouble::gateway,
                                          ImageTrouble::lost,         ImageTrouble::garbage};
    const std::size_t which = between<std::size_t>(random_, 0, 11);
    api_.trouble =
        is_calm_ || which >= std::size(kTroubles) ? ImageTrouble::none : kTroubles[which];
    return api_.answer(sent);
  }

  std::mt19937 random_;   // These three are used only within the fake's lock.
  bool is_calm_ = false;  // Whether every call succeeds.
  FakeImageApi api_;
  FakeOnPort port_{[this](const io::HttpRequest& sent) { return answer(sent); }};
  Daemon daemon_{settings(port_.url(), api_.key)};
  std::shared_mutex restart_;  // Held alone while the daemon starts.
  std::atomic<bool> is_down_ = false;
  std::atomic<int> unanswered_ = 0;
};

}  // namespace

TEST_CASE(
    "S4-3, S4-16, F45: 64 clients buy, retry and fail while the daemon is killed, and no call is "
    "paid without a record (proof: 640,000 acts)" *
    doctest::test_suite("proof")) {
  const unsigned seed = seed_of_test();
  MESSAGE("HAUL_TEST_SEED=" << seed);
  const int acts = rounds(500, 10'000);
  Market market{seed};

  std::atomic<int> working = kClients;
  std::vector<std::jthread> clients;
  for (int client = 0; client < kClients; ++client)
    clients.emplace_back([&, client] {
      std::mt19937 random{seed + static_cast<unsigned>(client) + 1};
      for (int number = 0; number < acts; ++number) market.act(client, number, random);
      --working;
    });
  int kills = 0;
  std::mt19937 random{seed};
  while (working > 0) {
    let_pass(between(random, std::chrono::microseconds{4s}, std::chrono::microseconds{6s}));
    if (working == 0 && kills > 0) break;
    market.kill();
    ++kills;
  }
  clients.clear();
  market.settle();

  MESSAGE(kills << " kills, " << market.unanswered() << " requests without an answer, "
                << market.charged() << " paid calls");
  CHECK(kills > 0);
  CHECK(market.charged() > 0);
}
