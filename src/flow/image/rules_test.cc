// What the settings of images do: prices, quotas, blocked prompts, attempts, refunds, limits.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/json.h"
#include "flow/user/why.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

std::shared_ptr<const Blocklist> blocked(std::string_view words) {
  return std::make_shared<const Blocklist>(Blocklist::read(words).value());
}

flow::HandlerSettings handlers(flow::ImageRules rules) {
  flow::HandlerSettings all;
  all.image = std::move(rules);
  return all;
}

// A stage whose jobs are added as the API adds them: by the rules.
struct ImageStage : Stage {
  explicit ImageStage(flow::ImageRules rules)
      : Stage{flow::Settings{}, {}, handlers(std::move(rules))} {
    CHECK(store().ledger().grant(kAdmin, 10, "gift", clock.now()));
  }
  std::string ask(const std::string& prompt, UserId owner = kAdmin) {
    const flow::AddRequest to_add{
        .lifecycle = &kImage,
        .owner = owner,
        .request = fmt::format(R"({{"prompt":{}}})", json_quoted(prompt))};
    const auto added = flow::add(store(), to_add, clock.now(), nullptr, worker().all_work());
    if (!added) return added.error().code;
    return fmt::format("{}{}", added->replayed ? "again " : "", added->id.value);
  }
};

}  // namespace

TEST_CASE("S4-2, S4-3: a new image reserves the configured price; a refused one leaves nothing") {
  ImageStage s{{.price = 3, .prompt = {.length_max = 20, .blocklist = blocked("nude")}}};
  CHECK(s.ask("a cat") == "1");
  CHECK(s.wallet().reserved == 3);
  CHECK(s.ask("a nude cat") == "prompt_blocked");
  CHECK(s.ask("a cat with a very long tail") == "prompt_too_long");
  CHECK(s.wallet().reserved == 3);
  CHECK(s.ask("a dog") == "2");
  CHECK(s.ask("a cow") == "3");
  CHECK(s.ask("a hen") == "no_credit");
  CHECK(s.store().reader().list({}).jobs.size() == 3);
}

TEST_CASE("S4-2: parameters that the provider does not take are refused for new images alone") {
  bool takes_all = true;
  const auto check = [&](std::string_view) {
    return takes_all ? std::nullopt
                     : std::optional{Refusal{RefusalKind::guarded, "bad_params", "params.steps: no",
                                             "params.steps"}};
  };
  ImageStage s{{.price = 3, .params = check}};
  CHECK(s.ask("a cat") == "1");
  takes_all = false;

  CHECK(s.ask("a dog") == "bad_params");
  CHECK(s.wallet().reserved == 3);
  CHECK(s.store().reader().list({}).jobs.size() == 1);

  // The provider's own check answers for a job that is there: the image fails and can be replayed.
  s.tick();
  CHECK(s.job(JobId{1}).version.state == "running");
  s.reply("images.start",
          Failed{.fault = {FaultKind::permanent, "bad_params", "params.steps: no"}});
  CHECK(s.job(JobId{1}).version.state == "dead_letter");
  CHECK(s.wallet().reserved == 0);
  const auto replay = flow::retry(s.store(), JobId{1}, s.clock.now(), s.worker().all_work());
  REQUIRE_FALSE(replay);
  CHECK(replay.error().field == "params.steps");
}

TEST_CASE("A4-9: a repeated request gets its job although its prompt is blocked by now") {
  ImageStage s{{.price = 10}};
  CHECK(s.ask("a nude") == "1");
  const flow::AddRequest again{.lifecycle = &kImage, .request = R"({"prompt":"a nude"})"};
  std::vector<flow::LifecycleWork> stricter = s.work();
  for (flow::LifecycleWork& work : stricter)
    if (work.lifecycle == &kImage)
      work.refuses = [](std::string_view) { return Refusal{RefusalKind::guarded, "no", ""}; };
  const auto answer = flow::add(s.store(), again, s.clock.now(), nullptr, stricter);
  CHECK((answer == Added{JobId{1}, true}));
  CHECK(s.wallet().reserved == 10);
}

TEST_CASE("004: an owner has at most so many open images, and asks for so many in a minute") {
  ImageStage s{{.price = 0, .quota = {.open_max = 2, .per_minute = 3}}};
  CHECK(s.ask("a") == "1");
  CHECK(s.ask("b") == "2");
  CHECK(s.ask("a") == "again 1");
  CHECK(s.ask("c") == "too_many_open");
  s.tick();
  s.reply("images.start", failed(FaultKind::permanent, "http_400"));
  CHECK(s.ask("c") == "3");
  s.tick();
  s.reply("images.start", failed(FaultKind::permanent, "http_400"));
  CHECK(s.ask("d") == "too_fast");
  s.clock.pass(59'999ms);
  CHECK(s.ask("d") == "too_fast");
  s.clock.pass(1ms);
  CHECK(s.ask("d") == "4");
}

TEST_CASE("A4-1, A4-2: a queued image whose prompt is blocked by now is rejected and refunded") {
  Stage s{flow::Settings{}, {}, handlers({.price = 4, .prompt = {.blocklist = blocked("nude")}})};
  CHECK(s.store().ledger().grant(kAdmin, 10, "gift", s.clock.now()));
  // Added before the word was on the list.
  const JobId bad = s.add(kImage, {.request = R"({"prompt":"a ＮＵＤＥ cat"})", .price = 4});
  const JobId good = s.add(kImage, {.request = R"({"prompt":"a cat"})", .price = 4});
  CHECK(s.wallet().reserved == 8);

  s.tick();
  CHECK(s.trail(bad) == "queued > rejected");
  CHECK(s.job(bad).reason == "prompt_blocked");
  CHECK(s.wallet().available == 6);
  CHECK(s.state(good) == "running");
  CHECK(s.asked() == fmt::format("images.start {}", good.value));
}

TEST_CASE("A4-2: a running image that goes on is paid only if its prompt is still allowed") {
  const auto list = std::make_shared<Blocklist>(Blocklist::read("gore").value());
  Stage s{flow::Settings{}, {}, handlers({.price = 4, .prompt = {.blocklist = list}})};
  CHECK(s.store().ledger().grant(kAdmin, 10, "gift", s.clock.now()));
  const JobId id = s.add(kImage, {.request = R"({"prompt":"a nude cat"})", .price = 4});
  s.tick();
  s.reply("images.start", failed(FaultKind::environment, "network_down"));
  CHECK(s.state(id) == "running");

  *list = Blocklist::read("nude").value();
  s.live(31s);
  CHECK(s.count("images.start") == 1);
  CHECK(s.trail(id) == "queued > running > rejected");
  CHECK(s.job(id).reason == "prompt_blocked");
  CHECK(s.wallet().available == 10);
  CHECK(s.store().ledger().audits(0, 10).at(0).detail.find("nude") == std::string::npos);
}

TEST_CASE("A4-2: refund_rejected gives the credits of a safety block back; it is audited as well") {
  Stage s{flow::Settings{}, {}, handlers({.refund_rejected = true})};
  const JobId id = s.buy(4);
  s.tick();
  s.reply("images.start", failed(FaultKind::rejected, "safety_block"));
  CHECK(s.state(id) == "rejected");
  CHECK(s.wallet().available == 10);
  CHECK(s.store().ledger().audits(0, 10).at(0).action == "SAFE_BLOCK");
}

TEST_CASE("A4-5: fewer attempts may be configured; a lost worker counts as one of them") {
  Stage s{flow::Settings{}, {}, handlers({.retries_max = 2})};
  const JobId id = s.buy(4);
  s.tick();
  s.reply("images.start", failed(FaultKind::retryable, "http_500"));
  s.live(4s);
  REQUIRE(s.count("images.start") == 2);
  s.reply("images.start", failed(FaultKind::retryable, "http_500"));
  CHECK(s.state(id) == "dead_letter");
  CHECK(s.wallet().available == 10);

  Stage lost{flow::Settings{}, {}, handlers({.retries_max = 1})};
  const JobId other = lost.buy(4);
  lost.tick();
  lost.crash();
  lost.hire();
  lost.live(1min);
  CHECK(lost.state(other) == "dead_letter");
  CHECK(lost.count("images.start") == 1);
}

TEST_CASE("Z-28: a provider that wants to be paid holds all images, unburnt, and one asks again") {
  Stage s;
  const JobId first = s.buy(2);
  s.tick();
  s.reply("images.start", failed(FaultKind::environment, "billing_limit"));
  const JobId second = s.add(kImage, {.price = 2});
  s.live(29s);
  CHECK(s.count("images.start") == 1);
  const auto why = flow::explain(s.store(), second, s.clock.now(), {}, s.worker().all_work());
  CHECK(why->code == "billing_limit");
  CHECK(s.job(second).version.attempt == 0);
  CHECK(s.state(second) == "queued");

  s.live(1s);
  CHECK(s.count("images.start") == 2);  // One of them.
  s.reply("images.start", whole("/staged/1"));
  s.live(2s);
  CHECK(s.count("images.start") == 3);
  CHECK(s.job(first).version.attempt == 0);
}

TEST_CASE("Z-8: why names haul's own full disk, which holds all images, and blames no service") {
  Stage s;
  s.buy(2);
  s.tick();
  s.reply("images.start", failed(FaultKind::environment, "disk_full"));
  const JobId second = s.add(kImage, {.price = 2});
  const auto why = flow::explain(s.store(), second, s.clock.now(), {}, s.worker().all_work());
  CHECK(why->code == "disk_full");
  CHECK(why->because.find("service") == std::string::npos);
}

TEST_CASE("A4-4: a rate limit holds all images as long as the provider asks, and no longer") {
  Stage s;
  const JobId first = s.buy(2);
  s.tick();
  Failed limited = failed(FaultKind::environment, "provider_rate_limit");
  limited.wait_ms = 7'000;
  s.reply("images.start", limited);
  s.add(kImage, {.price = 2});
  s.live(6'999ms);
  CHECK(s.count("images.start") == 1);
  s.after(1ms);
  s.live(1s);
  CHECK(s.count("images.start") == 3);
  CHECK(s.job(first).version.attempt == 0);
}

TEST_CASE("promise 5: a call in doubt is recorded, also if its prompt is blocked by then") {
  const auto list = std::make_shared<Blocklist>(Blocklist::read("gore").value());
  Stage s{flow::Settings{}, {}, handlers({.price = 4, .prompt = {.blocklist = list}})};
  CHECK(s.store().ledger().grant(kAdmin, 10, "gift", s.clock.now()));
  const JobId id = s.add(kImage, {.request = R"({"prompt":"a nude cat"})", .price = 4});
  s.tick();
  s.crash();
  s.hire();
  *list = Blocklist::read("nude").value();
  s.live(60s);
  CHECK(s.trail(id) == "queued > running > failed > queued > rejected");
  CHECK(s.intents(id) == "paid_call unknown");
  CHECK(s.event_types(id).ends_with("OUTCOME_UNKNOWN"));
  CHECK(s.count("images.start") == 1);
}

TEST_CASE("fairness: so many images run at once, and so many of one owner") {
  Stage s{flow::Settings{}, {}, handlers({.price = 0, .limits = {.at_once = 3, .per_owner = 2}})};
  const UserId bob = s.store().users().add("bob", Role::adder, s.clock.now())->id;
  for (int i = 0; i < 4; ++i) s.add(kImage);
  for (int i = 0; i < 4; ++i) s.add(kImage, {.owner = bob});
  s.tick();
  CHECK(s.count("images.start") == 3);
  std::map<UserId, int> running;
  for (int id = 1; id <= 8; ++id)
    if (s.state(JobId{id}) == "running") ++running[s.job(JobId{id}).owner];
  CHECK(running.size() == 2);
  CHECK(std::max(running[kAdmin], running[bob]) == 2);

  s.reply("images.start", failed(FaultKind::permanent, "http_400"));
  s.tick();
  CHECK(s.count("images.start") == 4);
}

TEST_CASE("fairness: an owner's images run one after the other although there is room") {
  Stage s{flow::Settings{}, {}, handlers({.price = 0, .limits = {.at_once = 8, .per_owner = 1}})};
  for (int i = 0; i < 3; ++i) s.add(kImage);
  s.live(5s);
  CHECK(s.count("images.start") == 1);
  s.reply("images.start", failed(FaultKind::permanent, "http_400"));
  s.tick();
  CHECK(s.count("images.start") == 2);
}

}  // namespace haul::testing
