// The disk's token: refreshed once for all workers, and the disk held if that does not help.

#include "engine/yandexdisk/tokens.h"

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/redact.h"
#include "engine/yandexdisk/api.h"
#include "support/io/fake_loop.h"
#include "support/server/disk_bench.h"

namespace haul::testing {
namespace {

using yandexdisk::TokenRecord;

struct TokenScene {
  TokenScene() { disk.put("disk:/a.bin", {.bytes = "abc"}); }

  static std::string relay(DiskBench& b, std::int64_t job) {
    const Order order = DiskBench::order(job);
    b.read(order);
    return b.end_of(order);
  }

  FakeYandex disk;
  MemoryKeeper keeper;
};

// A worker claimed the refresh and was killed. Another one needs a token too. Nothing uses the
// network, so a test can set the clock.
struct ClaimScene {
  ClaimScene() {
    loop.server = [this](const io::HttpRequest&) -> std::optional<FakeReply> {
      if (++refreshes == 1) return std::nullopt;
      return FakeReply{.body = R"({"access_token":"new"})"};
    };
    yandexdisk::DiskTokens killed{loop, clock, keeper, settings};
    ask(killed);
  }

  static yandexdisk::DiskSettings with_refresh_token() {
    yandexdisk::DiskSettings settings;
    settings.oauth_url = "http://oauth.test";
    settings.token = "old";
    settings.refresh_token = "r";
    return settings;
  }
  void ask(yandexdisk::DiskTokens& worker) {
    worker.replace("old", [this](const Result<std::string>& token) {
      if (token) return answers.push_back(*token);
      const bool waits = token.error().kind == FaultKind::environment;
      answers.push_back((waits ? "environment " : "other ") + token.error().code);
    });
    loop.run();
  }
  // Changes when the claim ends, counted from now.
  void claim_for(Millis time) {
    const auto kept = keeper.get();
    REQUIRE(kept.has_value());
    TokenRecord record = yandexdisk::read_record(kept->text);
    record.claimed_until = to_unix_ms(clock.now() + time);
    REQUIRE(keeper.put(record_text(record), kept->version).value_or(false));
  }
  void pass(Millis time) {
    clock.pass(time);
    loop.run();
  }

  HandClock clock;
  FakeLoop loop{clock};
  MemoryKeeper keeper;
  const yandexdisk::DiskSettings settings = with_refresh_token();
  int refreshes = 0;
  std::vector<std::string> answers;
  yandexdisk::DiskTokens tokens{loop, clock, keeper, settings};
};

using Answers = std::vector<std::string>;

}  // namespace

TEST_CASE("Z-14: a token that has expired is refreshed once, however many reads need it") {
  TokenScene s;
  DiskBench b{s.disk, s.keeper};
  s.disk.expire_token();
  constexpr int kReads = 20;
  for (int job = 1; job <= kReads; ++job) b.start(DiskBench::order(job));

  for (int job = 1; job <= kReads; ++job) {
    b.read_on(DiskBench::order(job));
    CHECK(b.end_of(DiskBench::order(job)) == "finished");
  }

  CHECK(s.disk.count(DiskRoute::token) == 1);
  CHECK(b.troubles().empty());
}

TEST_CASE("Z-14: two workers refresh a token once: the one that comes later reads the new one") {
  TokenScene s;
  DiskBench one{s.disk, s.keeper};
  DiskBench two{s.disk, s.keeper};
  s.disk.expire_token();

  one.start(DiskBench::order(1));
  two.start(DiskBench::order(2));
  one.read_on(DiskBench::order(1));
  two.read_on(DiskBench::order(2));

  CHECK(one.end_of(DiskBench::order(1)) == "finished");
  CHECK(two.end_of(DiskBench::order(2)) == "finished");
  CHECK(s.disk.count(DiskRoute::token) == 1);
}

TEST_CASE("Z-14: the claim of a worker that was killed is honoured until it ends") {
  ClaimScene s;
  s.claim_for(Millis{60'000});
  s.ask(s.tokens);
  for (int i = 0; i < 119; ++i) s.pass(Millis{500});
  CHECK(s.refreshes == 1);
  CHECK(s.answers.empty());
  s.pass(Millis{500});
  CHECK(s.refreshes == 2);
  CHECK(s.answers == Answers{"new"});
}

TEST_CASE("Z-14: a claim from before the clock was set back holds up no refresh") {
  for (const bool is_set_back : {true, false}) {
    CAPTURE(is_set_back);
    ClaimScene s;
    if (is_set_back)
      s.clock.set(-Millis{3'600'000});
    else
      s.claim_for(Millis{3'600'000});
    s.ask(s.tokens);
    CHECK(s.refreshes == 2);
    CHECK(s.answers == Answers{"new"});
  }
}

TEST_CASE("Z-14: a wait for another worker's token that never comes costs no attempt") {
  ClaimScene s;
  s.ask(s.tokens);
  for (int i = 0; i < 200 && s.answers.empty(); ++i) {
    s.claim_for(Millis{60'000});
    s.pass(Millis{500});
  }
  CHECK(s.answers == Answers{"environment disk_busy"});
  CHECK(s.refreshes == 1);
}

TEST_CASE("Z-14: the new token outlives the worker, until the operator configures another") {
  TokenScene s;
  const auto first = settings_for(s.disk);
  s.disk.expire_token();
  {
    DiskBench b{s.keeper, first};
    CHECK(TokenScene::relay(b, 1) == "finished");
  }
  const std::size_t asked = s.disk.count(DiskRoute::meta);

  DiskBench next{s.keeper, first};
  CHECK(TokenScene::relay(next, 2) == "finished");
  CHECK(s.disk.count(DiskRoute::meta) == asked + 1);  // Without a refusal first.

  auto other = first;
  other.token = "y0_wrong";
  other.refresh_token = "";
  DiskBench changed{s.keeper, other};
  CHECK(TokenScene::relay(changed, 3) == "environment disk_unauthorised");
}

TEST_CASE("Z-14: a refresh token alone is enough") {
  TokenScene s;
  auto settings = settings_for(s.disk);
  settings.token = "";
  DiskBench b{s.keeper, settings};
  CHECK(TokenScene::relay(b, 1) == "finished");
  CHECK(s.disk.count(DiskRoute::token) == 1);
}

TEST_CASE("Z-14: if a refresh does not help, the whole disk is held and an operator is told") {
  TokenScene s;
  DiskBench b{s.disk, s.keeper};
  s.disk.expire_token();
  s.disk.refuse_refresh();
  CHECK(TokenScene::relay(b, 1) == "environment disk_unauthorised");
  CHECK((b.troubles() == std::vector<std::string>{"disk_unauthorised"}));

  // No request goes out until 30 s have passed, then one.
  const std::size_t asked = s.disk.requests().size();
  for (int job = 2; job <= 10; ++job)
    CHECK(TokenScene::relay(b, job) == "environment disk_unauthorised");
  CHECK(s.disk.requests().size() == asked);
  b.clock.pass(Millis{30'000});
  CHECK(TokenScene::relay(b, 11) == "environment disk_unauthorised");
  CHECK(TokenScene::relay(b, 12) == "environment disk_unauthorised");
  CHECK(s.disk.count(DiskRoute::meta) == 2);
  CHECK((b.troubles() == std::vector<std::string>{"disk_unauthorised"}));

  s.disk.authorise();
  b.clock.pass(Millis{30'000});
  const Order missing = DiskBench::order(13, "/none");
  b.start(missing);
  CHECK(b.end_of(missing) == "permanent disk_not_found");
  CHECK(TokenScene::relay(b, 14) == "finished");
  CHECK((b.troubles() == std::vector<std::string>{"disk_unauthorised", "over"}));
}

TEST_CASE("Z-14: an OAuth server that gives no token for now holds the disk, then all goes on") {
  for (const int status : {503, 429, 200}) {  // 200 without a token in it.
    TokenScene s;
    DiskBench b{s.disk, s.keeper};
    s.disk.expire_token();
    s.disk.act(DiskRoute::token, {.status = status});
    const std::string code = status == 200 ? "disk_garbage" : "disk_unavailable";
    CHECK(TokenScene::relay(b, 1) == "environment " + code);
    CHECK(TokenScene::relay(b, 2) == "environment " + code);
    CHECK(s.disk.count(DiskRoute::token) == 1);
    b.clock.pass(Millis{30'000});
    CHECK(TokenScene::relay(b, 3) == "finished");
    CHECK((b.troubles() == std::vector<std::string>{code, "over"}));
  }
}

TEST_CASE("Z-14: a disk or an OAuth server that is not there costs no attempt and holds the disk") {
  TokenScene s;
  auto away = settings_for(s.disk);
  away.url = "http://127.0.0.1:1";
  DiskBench b{s.keeper, away};
  CHECK(TokenScene::relay(b, 1) == "environment cannot_connect");
  CHECK(TokenScene::relay(b, 2) == "environment cannot_connect");
  CHECK((b.troubles() == std::vector<std::string>{"cannot_connect"}));

  auto mute = settings_for(s.disk);
  mute.oauth_url = "http://127.0.0.1:1";
  s.disk.expire_token();
  DiskBench c{s.keeper, mute};
  CHECK(TokenScene::relay(c, 1) == "environment cannot_connect");
  CHECK((c.troubles() == std::vector<std::string>{"cannot_connect"}));
}

TEST_CASE("S3-11: a disk that was away and then answers with 5xx is held no longer") {
  TokenScene s;
  DiskBench b{s.disk, s.keeper};
  s.disk.expire_token();
  s.disk.act(DiskRoute::token, {.status = 503});
  CHECK(TokenScene::relay(b, 1) == "environment disk_unavailable");
  b.clock.pass(Millis{30'000});
  s.disk.act(DiskRoute::meta, {.status = 500}, 2);
  CHECK(TokenScene::relay(b, 2) == "retryable disk_unavailable");
  CHECK(TokenScene::relay(b, 3) == "retryable disk_unavailable");
  CHECK(TokenScene::relay(b, 4) == "finished");
}

TEST_CASE("S3-19: what haul says about tokens itself survives the removal of secrets") {
  TokenScene s;
  DiskBench b{s.disk, s.keeper};
  const auto said = [&](std::int64_t job) {
    TokenScene::relay(b, job);
    return b.told<Failed>(DiskBench::order(job))->fault.detail;
  };
  s.disk.expire_token();
  s.disk.act(DiskRoute::token, {.status = 503});
  const std::string out = said(1);
  CHECK(out == "Yandex's token server answered 503");
  CHECK(safe_detail(out) == out);
  b.clock.pass(Millis{30'000});
  s.disk.refuse_refresh();
  const std::string refused = said(2);
  CHECK(refused.ends_with(". Set relay.yandex_token or relay.yandex_refresh_token"));
  CHECK(safe_detail(refused) == refused);
}

TEST_CASE("a store in trouble does not hold the disk") {
  TokenScene s;
  DiskBench b{s.disk, s.keeper};
  s.keeper.set_away(true);
  CHECK(TokenScene::relay(b, 1) == "environment store_unavailable");
  s.keeper.set_away(false);
  CHECK(TokenScene::relay(b, 2) == "finished");
  CHECK(b.troubles().empty());
}

TEST_CASE("S3-19: the API and the OAuth server are reached past a proxy unless they have TLS") {
  for (const std::string scheme : {"http", "https"}) {
    CAPTURE(scheme);
    HandClock clock;
    FakeLoop loop{clock};
    std::map<std::string, bool> direct;
    loop.server = [&](const io::HttpRequest& sent) {
      direct[sent.url] = sent.direct;
      return FakeReply{.status = 401};
    };
    MemoryKeeper keeper;
    yandexdisk::DiskSettings settings;
    settings.url = scheme + "://disk.test";
    settings.oauth_url = scheme + "://oauth.test";
    settings.token = "y0";
    settings.refresh_token = "r";
    yandexdisk::DiskApi api{loop, clock, keeper, settings};
    api.ask("/v1/disk", [](const yandexdisk::DiskApi::Answer&) {});
    loop.run();
    CHECK(direct ==
          std::map<std::string, bool>{{scheme + "://disk.test/v1/disk", scheme == "http"},
                                      {scheme + "://oauth.test/token", scheme == "http"}});
  }
}

TEST_CASE("a record of tokens is read back, and anything else is none") {
  const TokenRecord record{
      .source = "s", .token = "t\"", .refresh_token = "r", .claimed_until = 1'700'000'000'000};
  CHECK(yandexdisk::read_record(record_text(record)) == record);
  for (const char* bad : {"", "{}", "[]", "x"})
    CHECK(yandexdisk::read_record(bad) == TokenRecord{});
}

}  // namespace haul::testing
