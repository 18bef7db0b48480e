// How many items a job can have: a listing that finds more breaks off. haul fetches what it found.

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

// Items of jobs that seem to have `more` downloaded items besides those in the store.
class ManyItems final : public Items {
 public:
  ManyItems(Items& items, std::int64_t more) : items_{items}, more_{more} {}

  std::expected<Counts, Refusal> add(const Hold& hold, std::span<const NewItem> items,
                                     Enumeration enumeration, Time now) override {
    auto counts = items_.add(hold, items, enumeration, now);
    if (counts) count_more(*counts);
    return counts;
  }
  ItemAnswers write(const Hold& hold, std::span<const ItemMove> asks,
                    std::span<const ItemObservation> seen, Time now) override {
    return items_.write(hold, asks, seen, now);
  }
  std::vector<Item> list(JobId job, std::string_view state, std::int64_t after,
                         std::size_t limit) override {
    return items_.list(job, state, after, limit);
  }
  std::vector<ItemPast> past(JobId job, std::span<const std::string_view> keys,
                             PastParts parts) override {
    return items_.past(job, keys, parts);
  }
  std::vector<Counts> counts(std::span<const JobId> jobs) override {
    std::vector<Counts> all = items_.counts(jobs);
    for (Counts& each : all) count_more(each);
    return all;
  }
  std::vector<std::optional<OpenBytes>> open_bytes(std::span<const JobId> jobs) override {
    return items_.open_bytes(jobs);
  }

 private:
  void count_more(Counts& counts) const {
    counts.total += more_;
    counts.downloaded += more_;
  }

  Items& items_;
  const std::int64_t more_;
};

class LargeStore final : public Store {
 public:
  explicit LargeStore(std::int64_t more)
      : store_{open_test_store(Bench::kStart)}, items_{store_->items(), more} {}

  Jobs& jobs() override { return store_->jobs(); }
  Reader& reader() override { return store_->reader(); }
  Items& items() override { return items_; }
  Events& events() override { return store_->events(); }
  Workers& workers() override { return store_->workers(); }
  Intents& intents() override { return store_->intents(); }
  Catalog& catalog() override { return store_->catalog(); }
  Users& users() override { return store_->users(); }
  Access& access() override { return store_->access(); }
  Ledger& ledger() override { return store_->ledger(); }
  Limits& limits() override { return store_->limits(); }
  Manifest& manifest() override { return store_->manifest(); }
  Purges& purges() override { return store_->purges(); }
  Deliveries& deliveries() override { return store_->deliveries(); }
  Identity& identity() override { return store_->identity(); }
  Uptime& uptime() override { return store_->uptime(); }
  Duties& duties() override { return store_->duties(); }
  Sealed& sealed() override { return store_->sealed(); }
  void begin_outage() override { store_->begin_outage(); }
  void end_outage() override { store_->end_outage(); }
  bool in_outage() const override { return store_->in_outage(); }
  BotRows& bot() override { return store_->bot(); }

 private:
  std::unique_ptr<Store> store_;
  ManyItems items_;
};

// A stage on which every job seems to have so many more items.
struct LargeStage {
  explicit LargeStage(std::int64_t more)
      : s{std::make_unique<LargeStore>(more), flow::Settings{}} {}

  Stage s;
  JobId id = s.add(kBatch);
};

FoundItem item(const std::string& key) {
  return {.key = key, .url = "https://h/" + key, .size = {}, .skip = {}};
}

}  // namespace

TEST_CASE("a job with 1,000,000 items completes") {
  LargeStage t{999'999};
  t.s.tick();
  t.s.reply("http.plan", Planned{.items = {item("a")}, .complete = false});
  t.s.reply("http.plan", Planned{});
  CHECK(t.s.count("http.stop") == 0);

  t.s.reply("http.start", whole("/in/a"));

  CHECK(t.s.state(t.id) == "COMPLETED");
}

TEST_CASE("a listing that finds the item 1,000,001 is stopped; what it found is fetched") {
  LargeStage t{1'000'000};
  t.s.tick();
  t.s.reply("http.plan", Planned{.items = {item("a")}, .complete = false});
  CHECK(t.s.count("http.stop") == 1);
  CHECK(t.s.last("http.stop").start == t.s.last("http.plan").start);
  t.s.reply("http.plan", Planned{.items = {item("b")}});  // Said before it has heard of the stop.
  CHECK(t.s.state(t.id) == "RUNNING");

  t.s.reply("http.start", whole("/in/a"));

  CHECK(t.s.trail(t.id) == "PENDING > RUNNING > FAILED");
  CHECK(t.s.job(t.id).reason == "listing_incomplete");
  CHECK(t.s.job(t.id).detail.find("too_long_a_list") != std::string::npos);
  CHECK(t.s.items(t.id) == "COMPLETED");
}

TEST_CASE("a repeated listing of the same 1,000,000 items completes, one with another item fails") {
  for (const bool has_more : {false, true}) {
    LargeStage t{999'999};
    t.s.tick();
    t.s.reply("http.plan", Planned{.items = {item("a")}, .complete = false});
    t.s.reply("http.start", whole("/in/a"));
    t.s.crash();
    t.s.hire();
    t.s.live(9s);
    REQUIRE(t.s.count("http.plan") == 2);

    Planned again{.items = {item("a")}};
    if (has_more) again.items.push_back(item("b"));
    t.s.reply("http.plan", std::move(again));
    if (has_more) t.s.reply("http.start", whole("/in/b"));
    t.s.live(1s);

    CHECK(t.s.state(t.id) == (has_more ? "FAILED" : "COMPLETED"));
    if (has_more) CHECK(t.s.job(t.id).reason == "listing_incomplete");
  }
}

}  // namespace haul::testing
