#pragma once
// The engine that reads Yandex Disk, with the fake of it on loopback, a clock that the test turns,
// and a reader of its streams.

#include <fmt/core.h>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/suite.h"
#include "engine/yandexdisk/yandexdisk.h"
#include "io/web/http.h"
#include "support/flow/turned_clock.h"
#include "support/io/on_loop.h"
#include "support/server/fake_yandex.h"

namespace haul::testing {

// Keeps its text in memory, for several workers.
class MemoryKeeper final : public TokenKeeper {
 public:
  Result<KeptToken> get() override {
    const Lock lock{mutex_};
    if (is_away_) return away();
    return kept_;
  }
  Result<bool> put(const std::string& text, std::int64_t version) override {
    const Lock lock{mutex_};
    if (is_away_) return away();
    if (version != kept_.version) return false;
    kept_ = {.text = text, .version = version + 1};
    return true;
  }
  void set_away(bool away) {
    const Lock lock{mutex_};
    is_away_ = away;
  }

 private:
  static std::unexpected<Fault> away() {
    return std::unexpected{Fault{FaultKind::environment, "store_unavailable", "the test said so"}};
  }
  Mutex mutex_;
  KeptToken kept_ GUARDED_BY(mutex_);
  bool is_away_ GUARDED_BY(mutex_) = false;
};

inline yandexdisk::DiskSettings settings_for(const FakeYandex& disk) {
  yandexdisk::DiskSettings settings;
  settings.url = disk.url();
  settings.token = disk.token();
  settings.refresh_token = disk.refresh_token();
  settings.client_id = "id";
  settings.client_secret = "secret";
  settings.oauth_url = disk.oauth_url();
  settings.max_size = 64 << 20;
  return settings;
}

// One worker's engine.
class DiskBench {
 public:
  explicit DiskBench(const FakeYandex& disk, MemoryKeeper& keeper)
      : DiskBench{keeper, settings_for(disk)} {}
  DiskBench(MemoryKeeper& keeper, yandexdisk::DiskSettings settings) {
    settings.on_trouble = [this](const Fault* fault) {
      const Lock lock{mutex_};
      troubles_.push_back(fault ? fault->code : "over");
    };
    engine_ =
        yandexdisk::make_disk_engine({*loop_, clock, space_, streams, keeper}, std::move(settings));
  }

  RemoteEngine& engine() { return *engine_; }
  void end() { engine_.reset(); }

  static Order order(std::int64_t job, const std::string& path = "/a.bin") {
    return {
        .store = "a1b2c3d4e5f6",
        .job = JobId{job},
        .fence = 1,
        .start = 1,
        .request = fmt::format(R"({{"user_id":1,"chat_id":2,"file_id":"{}","nonce":"n"}})", path)};
  }
  void start(const Order& order) { engine_->start(order, sights); }
  bool until(const conformance::So& so) {
    return conformance::turn_until(clock, sights, so, conformance::kPatience);
  }
  template <class T>
  std::optional<T> told(const Order& order) const {
    return conformance::first<T>(sights.all(), [&](const Sight& sight) {
      return sight.job == order.job && sight.fence == order.fence && sight.start == order.start;
    });
  }
  bool is_over(const Order& order) const {
    return told<Finished>(order) || told<Failed>(order) || told<Stopped>(order);
  }

  struct Got {
    std::string bytes;
    std::string end;  // "whole", or the code of the fault that broke the stream, or "none".
  };
  // Starts a read, takes its stream and reads it to its end.
  Got read(const Order& order) {
    start(order);
    return read_on(order);
  }
  Got read_on(const Order& order) {
    Got got{.bytes = {}, .end = "none"};
    until([&] { return told<Moving>(order) || is_over(order); });
    const auto stream = streams.take(order.job, order.fence);
    if (!stream) return got;
    until([&] { return read_some(stream->pipe, got) && is_over(order); });
    return got;
  }
  // What came of the read: "finished", or "permanent too_large".
  std::string end_of(const Order& order) {
    until([&] { return is_over(order); });
    if (told<Finished>(order)) return "finished";
    if (told<Stopped>(order)) return "stopped";
    const auto failed = told<Failed>(order);
    if (!failed) return "hangs";
    constexpr std::string_view kKinds[] = {"retryable", "permanent", "rejected", "environment",
                                           "cancelled"};
    return fmt::format("{} {}", kKinds[static_cast<std::size_t>(failed->fault.kind)],
                       failed->fault.code);
  }
  std::vector<std::string> troubles() {
    const Lock lock{mutex_};
    return troubles_;
  }

  TurnedClock clock;
  Streams streams;
  conformance::Sights sights;

 private:
  // True once the stream has ended.
  static bool read_some(Pipe& pipe, Got& got) {
    std::array<std::byte, 16'384> bytes{};
    for (std::size_t size = pipe.read(bytes); size > 0; size = pipe.read(bytes))
      got.bytes.append(reinterpret_cast<const char*>(bytes.data()), size);
    if (pipe.is() == Pipe::Is::open) return false;
    got.end = pipe.is() == Pipe::Is::ended ? "whole" : pipe.fault()->code;
    return true;
  }

  Mutex mutex_;
  std::vector<std::string> troubles_ GUARDED_BY(mutex_);
  io::DiskSpace space_{io::KeepFree{0}};
  std::unique_ptr<io::HttpLoop> loop_ = io::make_http_loop(clock);
  std::unique_ptr<RemoteEngine> engine_;
};

}  // namespace haul::testing
