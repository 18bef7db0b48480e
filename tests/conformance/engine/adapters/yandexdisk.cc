// The engine that reads Yandex Disk joins the suite of remote engines. Its transfers are reads, and
// the other system's side of a read is the stream that a chat takes.

#include "engine/yandexdisk/yandexdisk.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "conformance/engine/remote_engine.h"
#include "support/server/disk_bench.h"

namespace haul::conformance {
namespace {

using testing::DiskBench;
using testing::DiskRoute;

constexpr int kAlways = 1'000;  // More requests than a test sends.

// Each stream holds one byte and nobody reads it. So a read reports Moving once and then goes on
// until a stop.
yandexdisk::DiskSettings one_byte_at_a_time(const testing::FakeYandex& disk) {
  yandexdisk::DiskSettings settings = testing::settings_for(disk);
  settings.pipe_size = 1;
  return settings;
}

class YandexDiskBench final : public RemoteBench {
 public:
  YandexDiskBench() { disk_.put("disk:/a.bin", {.zeros = 1 << 20}); }

  RemoteEngine& engine() override { return b_.engine(); }

  bool until(const So& so, Millis within) override {
    const bool is_so = turn_until(b_.clock, sights, so, within);
    take_streams();
    return is_so;
  }

  Order order(std::int64_t job) override { return DiskBench::order(job); }
  Order unknown() override { return order(99); }
  std::size_t transfers() const override {
    return static_cast<std::size_t>(std::ranges::count_if(
        taken_, [](const auto& stream) { return stream->pipe.is() == Pipe::Is::open; }));
  }
  void fall_silent() override { disk_.act(DiskRoute::meta, {.hangs = true}, kAlways); }
  // For one request: a start that fails asks the disk no second time.
  void go_down() override { disk_.act(DiskRoute::meta, {.status = 503}); }

  std::string exempt(RemoteRule rule) const override {
    switch (rule) {
      case RemoteRule::outlives:
        return "The disk keeps nothing of a read, so it has no handle and ends with its lease.";
      case RemoteRule::repeats:
        return "A start under a later lease replaces the read of an earlier one.";
      case RemoteRule::asks:
        return "Only the engine knows its reads, so looks and stops do not ask the disk.";
      case RemoteRule::strangers:
        return "The disk has no transfers of others that the engine could end.";
      case RemoteRule::outages:
      case RemoteRule::quiet:
        return {};
    }
    return {};  // Not reached: the switch is complete.
  }

 private:
  // As the chat does once a read reports Moving.
  void take_streams() {
    for (const Sight& sight : sights.all())
      if (std::holds_alternative<Moving>(sight.what))
        if (auto stream = b_.streams.take(sight.job, sight.fence))
          taken_.push_back(std::move(stream));
  }

  testing::FakeYandex disk_;
  testing::MemoryKeeper keeper_;
  DiskBench b_{keeper_, one_byte_at_a_time(disk_)};
  std::vector<std::shared_ptr<FileStream>> taken_;
};

const Joins<RemoteBench> kJoins{"yandexdisk", [] { return std::make_unique<YandexDiskBench>(); }};

}  // namespace
}  // namespace haul::conformance
