#pragma once
// The Telegram sink on a loop of its own, the fake of the Bot API, and generated files.

#include <fmt/core.h>

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "conformance/suite.h"
#include "io/web/http.h"
#include "seam/gate.h"
#include "sink/telegram/chat.h"
#include "support/io/generated_file.h"
#include "support/io/on_loop.h"
#include "support/server/fake_telegram.h"
#include "support/server/fake_telegram_upload.h"

namespace haul::testing {

// Lets every request through that the test does not hold back, and records the names.
class RecordingGate final : public Gate {
 public:
  bool pass(std::int64_t, const std::string&) override { return true; }
  std::size_t done(std::int64_t) override { return 0; }
  bool more(std::int64_t) override { return false; }
  void less(std::int64_t) override {}
  std::optional<std::int64_t> enter(std::int64_t, const std::string&) override { return 1; }
  void leave(std::int64_t) override {}
  void block(const std::string& host, std::int64_t wait_ms) override {
    const Lock lock{mutex_};
    blocked_[host] = wait_ms;
  }
  Millis pace(const std::string& name, Millis apart) override {
    const Lock lock{mutex_};
    asked_ += fmt::format("{} {}\n", name, apart.count());
    const auto found = waits_.find(name);
    if (found == waits_.end() || found->second.empty()) return Millis{0};
    const Millis wait = found->second.front();
    found->second.erase(found->second.begin());
    return wait;
  }

  // The next answers for this name.
  void hold_back(const std::string& name, std::vector<Millis> waits) {
    const Lock lock{mutex_};
    waits_[name] = std::move(waits);
  }
  std::string asked() const {
    const Lock lock{mutex_};
    return asked_;
  }
  std::map<std::string, std::int64_t> blocked() const {
    const Lock lock{mutex_};
    return blocked_;
  }

 private:
  mutable Mutex mutex_;
  std::map<std::string, std::vector<Millis>> waits_ GUARDED_BY(mutex_);
  std::map<std::string, std::int64_t> blocked_ GUARDED_BY(mutex_);
  std::string asked_ GUARDED_BY(mutex_);
};

struct ChatBench {
  static constexpr std::size_t kCapacity = std::size_t{64} << 10U;

  // `available`: how many bytes come at first. All if it is empty.
  GeneratedFile& offer(JobId job, FileStream::About about,
                       std::optional<std::int64_t> available = {}) {
    const std::int64_t all = about.size;
    GeneratedFile& file = files.emplace_back(std::move(about), available.value_or(all), kCapacity);
    file.fill();
    streams.offer(job, 1, file.stream());
    return file;
  }
  // Lets the rest of the file come.
  void go_on(GeneratedFile& file) {
    on_loop(*loop, [&] { file.go_on(); });
  }
  static Parcel parcel(JobId job, std::string_view chat = "42") {
    return {.job = job,
            .fence = 1,
            .request = fmt::format(R"({{"chat_id":"{}","file_id":"/a","user_id":"1"}})", chat),
            .path = {}};
  }
  void land(const Parcel& parcel) { chat->land(parcel, sights); }
  template <class So>
  bool until(const So& so, Millis within = conformance::kPatience) {
    return conformance::turn_until(clock, sights, so, within);
  }
  // The answer for a job, once it is there. Waits that long on the sink's clock.
  std::optional<What> answer(JobId job, Millis within = conformance::kPatience) {
    std::optional<What> found;
    until(
        [&] {
          for (const Sight& sight : sights.all())
            if (sight.job == job && !std::holds_alternative<Moving>(sight.what)) found = sight.what;
          return found.has_value();
        },
        within);
    return found;
  }
  // The answer as a text: "sent", "stopped", "failed retryable timeout unknown wait=3000".
  std::string told(JobId job, Millis within = conformance::kPatience) {
    const auto what = answer(job, within);
    if (!what) return "nothing";
    if (std::holds_alternative<Sent>(*what)) return "sent";
    if (std::holds_alternative<Stopped>(*what)) return "stopped";
    const auto* failed = std::get_if<Failed>(&*what);
    if (!failed) return "other";
    constexpr const char* kKinds[] = {"retryable", "permanent", "rejected", "environment",
                                      "cancelled"};
    std::string text = fmt::format(
        "failed {} {}", kKinds[static_cast<std::size_t>(failed->fault.kind)], failed->fault.code);
    if (failed->outcome_unknown) text += " unknown";
    if (failed->wait_ms > 0) text += fmt::format(" wait={}", failed->wait_ms);
    return text;
  }
  std::vector<Moving> moves() const {
    std::vector<Moving> all;
    for (const Sight& sight : sights.all())
      if (const auto* moving = std::get_if<Moving>(&sight.what)) all.push_back(*moving);
    return all;
  }

  TurnedClock clock;
  conformance::Sights sights;
  RecordingGate gate;
  Streams streams;
  FakeTelegram telegram{clock};
  FakeTelegramUpload server{telegram};
  std::list<GeneratedFile> files;
  telegram::ChatSettings settings{
      .url = server.url(), .token = telegram.token, .max_size = std::int64_t{2'000} << 20U};
  std::unique_ptr<io::HttpLoop> loop = io::make_http_loop(clock);
  std::unique_ptr<Sink> chat = telegram::make_telegram_chat(*loop, clock, gate, streams, settings);
};

}  // namespace haul::testing
