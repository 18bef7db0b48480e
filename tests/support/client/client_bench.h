#pragma once
// The qBittorrent engine with a client in memory and a clock that the test turns.

#include <fmt/core.h>
#include <time.h>

#include "engine/qbittorrent/qbittorrent.h"
#include "support/client/fake_qbittorrent.h"

namespace haul::testing {

// CPU time of this process.
inline std::chrono::microseconds cpu_used() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::microseconds{used.tv_sec * 1'000'000 + used.tv_nsec / 1'000};
}

inline const std::string kHash = "0123456789abcdef0123456789abcdef01234567";

// The id of the store that all orders belong to.
inline const std::string kStore = "a1b2c3d4e5f6";

inline std::string magnet(const std::string& hash = kHash) { return "magnet:?xt=urn:btih:" + hash; }

class ClientBench {
 public:
  explicit ClientBench(FakeQbittorrent::Shape shape = FakeQbittorrent::Shape::v4,
                       std::function<void(qbittorrent::QbittorrentSettings&)> change = {})
      : client{shape},
        engine_{qbittorrent::make_qbittorrent_engine(loop, clock, settings(change))} {
    loop.server = [this](const io::HttpRequest& request) -> std::optional<FakeReply> {
      if (request.url.starts_with("http://client:8080/")) {
        const std::chrono::microseconds before = cpu_used();
        auto answer = client.answer(request);
        served += cpu_used() - before;
        return answer;
      }
      return web ? web(request) : FakeReply{.status = 404};
    };
  }
  ~ClientBench() { loop.is_closing = true; }
  ClientBench(const ClientBench&) = delete;
  ClientBench& operator=(const ClientBench&) = delete;

  HandClock clock;
  FakeLoop loop{clock};
  FakeQbittorrent client;
  FakeServer web;                       // Answers requests to every other host.
  std::chrono::microseconds served{0};  // CPU time that the client used.
  std::vector<std::string> troubles;
  Letters letters;

  RemoteEngine& engine() { return *engine_; }
  // The engine is gone; the loop goes on.
  void end() {
    loop.is_closing = true;
    engine_.reset();
  }

  static Order order(std::int64_t job, const std::string& handle = {},
                     const std::string& uri = magnet(), const std::string& more = {}) {
    Order order{.store = kStore, .job = JobId{job}, .handle = handle};
    order.request = fmt::format(R"({{"uri":"{}"{}}})", uri, more);
    return order;
  }

  // Each of these returns what told() says after the call.
  std::string start(const Order& order) {
    engine_->start(order, letters);
    return told();
  }
  std::string look(const std::vector<Order>& orders) {
    engine_->look(orders, letters);
    return told();
  }
  std::string look(std::int64_t job, const std::string& handle = kHash) {
    return look({order(job, handle)});
  }
  std::string stop(const Order& order) {
    engine_->stop(order, Leftovers::remove, letters);
    return told();
  }
  std::string list(const Order& order) {
    engine_->list(order, letters);
    return told();
  }
  std::string release(const Order& order) {
    engine_->release(order, letters);
    return told();
  }
  // Runs what is due now and, until a sight arrives, in the next two seconds. Returns the new
  // sights: "1 accepted 0123…".
  std::string told() {
    loop.run();
    for (int i = 0; i < 20 && letters.sights.empty(); ++i) {
      clock.pass(Millis{100});
      loop.run();
    }
    std::string text;
    for (const Sight& sight : letters.take())
      text +=
          fmt::format("{}{} {}", text.empty() ? "" : ", ", sight.job.value, name_of(sight.what));
    return text;
  }

 private:
  qbittorrent::QbittorrentSettings settings(
      const std::function<void(qbittorrent::QbittorrentSettings&)>& change) {
    qbittorrent::QbittorrentSettings settings{
        .url = "http://client:8080", .username = "admin", .password = "secret"};
    settings.on_trouble = [this](const Fault* fault) {
      troubles.push_back(fault ? fault->code : "well");
    };
    if (change) change(settings);
    return settings;
  }

  static std::string name_of(const What& what) {
    if (const auto* accepted = std::get_if<Accepted>(&what)) return "accepted " + accepted->handle;
    if (const auto* failed = std::get_if<Failed>(&what)) {
      constexpr std::string_view kKinds[] = {"retryable", "permanent", "rejected", "environment",
                                             "cancelled"};
      return fmt::format("failed {} {}{}", kKinds[static_cast<std::size_t>(failed->fault.kind)],
                         failed->fault.code, failed->outcome_unknown ? " unknown" : "");
    }
    if (const auto* unseen = std::get_if<Unseen>(&what)) return "unseen " + unseen->code;
    if (const auto* waiting = std::get_if<Waiting>(&what)) return "waiting " + waiting->code;
    if (const auto* moving = std::get_if<Moving>(&what))
      return fmt::format("moving {}", moving->have);
    if (const auto* finished = std::get_if<haul::Finished>(&what))
      return finished->in_place ? "finished" : "pending " + finished->why_not;
    if (std::holds_alternative<Missing>(what)) return "missing";
    if (std::holds_alternative<Stopped>(what)) return "stopped";
    if (const auto* listed = std::get_if<Listed>(&what)) {
      std::string text = "listed";
      for (const SourceFile& file : listed->files)
        text += fmt::format(" {}:{}", file.path, file.size);
      return text;
    }
    if (const auto* released = std::get_if<Released>(&what))
      return released->used_by.empty() ? "released" : "released, files in use";
    if (const auto* seeding = std::get_if<Seeding>(&what))
      return seeding->left ? fmt::format("seeding for {} s: {}", seeding->left->count() / 1'000,
                                         seeding->detail)
                           : "seeding: " + seeding->detail;
    return "?";
  }

  std::unique_ptr<RemoteEngine> engine_;
};

}  // namespace haul::testing
