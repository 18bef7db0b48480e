#include "support/flow/script.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "support/store/test_store.h"

namespace haul::testing {
namespace {

Lack lacked_by(const Lacks& lacks, const std::string& name) {
  const auto found = lacks.find(name);
  return found == lacks.end() ? Lack{} : Lack{found->second};
}

}  // namespace

class Stage::Engines final : public ItemEngine, public RemoteEngine {
 public:
  Engines(std::string name, Stage& stage) : name_{std::move(name)}, stage_{stage} {}

  Lack not_ready(std::string_view engine) const override {
    const std::string one = fmt::format("{}.{}", name_, engine);
    return lacked_by(stage_.lacks, stage_.lacks.contains(one) ? one : name_);
  }

  void plan(const Order& order, Inbox&) override { note("plan", order); }
  void start(Order order, Inbox&) override { note("start", order); }
  std::string handle_for(const Order&) const override {
    return name_ == "images" ? stage_.image_handle : std::string{};
  }
  void look(std::span<const Order> orders, Inbox&) override {
    for (const Order& order : orders) note("look", order);
  }
  void land(const Order& order, Inbox&) override { note("land", order); }
  void stop(const Order& order, Leftovers leftovers, Inbox& inbox) override {
    note("stop", order, leftovers);
    if (name_ == "http" && stage_.http_answers_stops)
      inbox.push({order.job, order.item, order.fence, order.start, haul::Stopped{}});
  }
  void list(const Order& order, Inbox& inbox) override {
    answer_or_note("list", order, inbox, Listed{.files = {source(order.job)}});
  }
  void release(const Order& order, Inbox& inbox) override {
    answer_or_note("release", order, inbox, Released{});
  }

 private:
  void answer_or_note(std::string_view verb, const Order& order, Inbox& inbox, What what) {
    if (!stage_.client_lists_and_releases) return note(verb, order);
    ++stage_.answered_;
    inbox.push({order.job, order.item, order.fence, order.start, std::move(what)});
  }
  void note(std::string_view verb, const Order& order, Leftovers leftovers = Leftovers::keep) {
    stage_.calls_.push_back({.name = fmt::format("{}.{}", name_, verb),
                             .job = order.job,
                             .item = order.item,
                             .fence = order.fence,
                             .start = order.start,
                             .request = order.request,
                             .url = order.url,
                             .handle = order.handle,
                             .paths = order.sources,
                             .waits_for_slot = order.waits_for_slot,
                             .leftovers = leftovers});
  }

  std::string name_;
  Stage& stage_;
};

class Stage::Sinks final : public Sink {
 public:
  Sinks(std::string name, Stage& stage) : name_{std::move(name)}, stage_{stage} {}

  Lack not_ready() const override { return lacked_by(stage_.lacks, name_); }
  ImportPreview preview(const Parcel& parcel) const override {
    stage_.previewed = parcel;
    return stage_.preview;
  }

  void land(const Parcel& parcel, Inbox&) override { note("land", parcel); }
  bool is_usable(const Parcel& parcel, Inbox&) override {
    if (!stage_.bucket_is_usable) note("is_usable", parcel);
    return stage_.bucket_is_usable;
  }
  void verify(const Parcel& parcel, Inbox&) override { note("verify", parcel); }
  void clean(const Parcel& parcel, Inbox&) override { note("clean", parcel); }
  void stop(const Parcel& parcel, Inbox&) override { note("stop", parcel); }

 private:
  void note(std::string_view verb, const Parcel& parcel) {
    stage_.calls_.push_back({.name = fmt::format("{}.{}", name_, verb),
                             .job = parcel.job,
                             .fence = parcel.fence,
                             .request = parcel.request,
                             .path = parcel.path,
                             .size = parcel.size,
                             .placed = parcel.placed,
                             .sources = parcel.sources,
                             .evidence = parcel.evidence,
                             .by_hand = parcel.by_hand,
                             .why_kept = parcel.why_kept});
  }

  std::string name_;
  Stage& stage_;
};

std::string full_request(const Lifecycle& table, int number, UserId owner) {
  if (table.name == "book")
    return fmt::format(R"({{"book_id":"b{}","title":"Emma","media_type":"text","uri":"magnet:?x",)"
                       R"("source":"tracker","source_url":"https://t/1"}})",
                       number);
  if (table.name == "relay")
    return fmt::format(R"({{"user_id":{},"chat_id":2,"file_id":"/f{}","nonce":"n"}})", owner.value,
                       number);
  return request_for(table, number);
}

Stage::Stage(flow::Settings settings, std::function<void(CommitPhase)> around_commit,
             flow::HandlerSettings handlers)
    : Stage{open_test_store(Bench::kStart, std::move(around_commit)), std::move(settings),
            handlers} {}

Stage::Stage(std::unique_ptr<Store> store, flow::Settings settings, flow::HandlerSettings handlers)
    : bench_{std::move(store)}, settings_{std::move(settings)}, handlers_{handlers} {
  for (const char* name : {"client", "http", "disk", "images"})
    engines_.push_back(std::make_unique<Engines>(name, *this));
  for (const char* name : {"library", "chat", "bucket"})
    sinks_.push_back(std::make_unique<Sinks>(name, *this));
  hire();
}

Stage::~Stage() = default;

std::vector<flow::LifecycleWork> Stage::work() {
  const flow::Outside outside{.client = *engines_[0],
                              .items = *engines_[1],
                              .disk = *engines_[2],
                              .images = *engines_[3],
                              .library = *sinks_[0],
                              .chat = *sinks_[1],
                              .bucket = *sinks_[2]};
  return flow::lifecycle_work(outside, handlers_);
}

flow::Worker& Stage::hire() {
  workers_.push_back(
      std::make_unique<flow::Worker>(store(), work(), clock, random_, settings_, "test"));
  return *workers_.back();
}

void Stage::tick() {
  constexpr int kRoundsMax = 4;  // A film has two such calls.
  for (int round = 0; round < kRoundsMax; ++round) {
    const std::size_t before = answered_;
    for (const auto& worker : workers_) worker->tick();
    if (answered_ == before) return;
  }
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

JobId Stage::add(const Lifecycle& table, flow::AddRequest to_add) {
  to_add.lifecycle = &table;
  if (to_add.request.empty()) to_add.request = full_request(table, ++added_, to_add.owner);
  const auto added = haul::flow::add(store(), to_add, clock.now());
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

void Stage::push(flow::Worker& to, const Call& call, What what) {
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
