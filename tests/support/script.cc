#include "support/script.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace haul::testing {

class Stage::Engines final : public Engine {
 public:
  Engines(std::string name, std::vector<Call>& calls, const bool& answers_stops)
      : name_{std::move(name)}, calls_{calls}, answers_stops_{answers_stops} {}

  void plan(const Order& order, Inbox&) override { note("plan", order); }
  void start(Order order, Inbox&) override { note("start", order); }
  void look(std::span<const Order> orders, Inbox&) override {
    for (const Order& order : orders) note("look", order);
  }
  void land(const Order& order, Inbox&) override { note("land", order); }
  void stop(const Order& order, Parts parts, Inbox& inbox) override {
    note("stop", order, parts);
    if (name_ == "http" && answers_stops_)
      inbox.push({order.job, order.item, order.fence, order.start, haul::Stopped{}});
  }

 private:
  void note(std::string_view verb, const Order& order, Parts parts = Parts::keep) {
    calls_.push_back({.name = fmt::format("{}.{}", name_, verb),
                      .job = order.job,
                      .item = order.item,
                      .fence = order.fence,
                      .start = order.start,
                      .request = order.request,
                      .url = order.url,
                      .handle = order.handle,
                      .parts = parts});
  }

  std::string name_;
  std::vector<Call>& calls_;
  const bool& answers_stops_;
};

class Stage::Sinks final : public Sink {
 public:
  Sinks(std::string name, std::vector<Call>& calls) : name_{std::move(name)}, calls_{calls} {}

  void land(const Parcel& parcel, Inbox&) override { note("land", parcel); }
  void verify(const Parcel& parcel, Inbox&) override { note("verify", parcel); }
  void clean(const Parcel& parcel, Inbox&) override { note("clean", parcel); }

 private:
  void note(std::string_view verb, const Parcel& parcel) {
    calls_.push_back({.name = fmt::format("{}.{}", name_, verb),
                      .job = parcel.job,
                      .fence = parcel.fence,
                      .request = parcel.request,
                      .path = parcel.path,
                      .size = parcel.size});
  }

  std::string name_;
  std::vector<Call>& calls_;
};

std::string full_request(const Lifecycle& table, int number) {
  if (table.name == "book")
    return fmt::format(R"({{"book_id":"b{}","title":"Emma","media_type":"text","uri":"magnet:?x",)"
                       R"("source":"tracker","source_url":"https://t/1"}})",
                       number);
  return request_for(table, number);
}

Stage::Stage(Settings settings, std::function<void(CommitPhase)> around_commit)
    : bench_{open_sqlite_in_memory(Bench::kStart, std::move(around_commit))},
      settings_{std::move(settings)} {
  for (const char* name : {"client", "http", "disk", "images"})
    engines_.push_back(std::make_unique<Engines>(name, calls_, http_answers_stops));
  for (const char* name : {"library", "chat", "bucket"})
    sinks_.push_back(std::make_unique<Sinks>(name, calls_));
  hire();
}

Stage::~Stage() = default;

Worker& Stage::hire() {
  const Outside outside{.client = *engines_[0],
                        .http = *engines_[1],
                        .disk = *engines_[2],
                        .images = *engines_[3],
                        .library = *sinks_[0],
                        .chat = *sinks_[1],
                        .bucket = *sinks_[2]};
  workers_.push_back(std::make_unique<Worker>(store(), outside, clock, random_, settings_, "test"));
  return *workers_.back();
}

void Stage::tick() {
  for (const auto& worker : workers_) worker->tick();
}

Stage& Stage::after(Millis passed) {
  clock.pass(passed);
  tick();
  return *this;
}

Stage& Stage::live(Millis passed, Millis step) {
  for (; passed > step; passed -= step) after(step);
  return after(passed);
}

JobId Stage::add(const Lifecycle& table, AddAsk ask) {
  ask.lifecycle = &table;
  if (ask.request.empty()) ask.request = full_request(table, ++added_);
  const auto added = haul::add(store(), ask, clock.now());
  if (!added) throw std::runtime_error{"refused: " + added.error().code};
  return added->id;
}

JobId Stage::buy(std::int64_t price) {
  if (!store().ledger().grant(kAdmin, 10, "gift", clock.now())) throw std::runtime_error{"grant"};
  return add(kImage, {.price = price});
}

std::string Stage::asked() {
  std::string text;
  for (; told_ < calls_.size(); ++told_) {
    const Call& call = calls_[told_];
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", call.name, call.job.value);
    if (call.item > 0) text += fmt::format(".{}", call.item);
  }
  return text;
}

std::size_t Stage::count(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::count(calls_, name, &Call::name));
}

const Call& Stage::last(std::string_view name) const {
  for (auto call = calls_.rbegin(); call != calls_.rend(); ++call)
    if (call->name == name) return *call;
  throw std::runtime_error{fmt::format("{} was never called", name)};
}

void Stage::push(Worker& to, const Call& call, What what) {
  to.inbox().push({.job = call.job,
                   .item = call.item,
                   .fence = call.fence,
                   .start = call.start,
                   .what = std::move(what)});
}

void Stage::reply(std::string_view name, What what) {
  push(last(name), std::move(what));
  tick();
}

std::string Stage::intents(JobId id) {
  constexpr std::string_view kNames[] = {"open", "done", "failed", "unknown"};
  std::string text;
  for (const Intent& intent : store().intents().of(id, 100))
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", intent.kind,
                        kNames[static_cast<std::size_t>(intent.state)]);
  return text;
}

std::string Stage::items(JobId id) {
  std::string text;
  for (const Item& item : store().items().list(id, "", 0, 1000))
    text += fmt::format("{}{}", text.empty() ? "" : " ", item.state);
  return text;
}

}  // namespace haul::testing
