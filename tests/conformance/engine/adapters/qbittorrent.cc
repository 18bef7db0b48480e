// The qBittorrent engine joins the suite of remote engines, with a client of each Web API version.

#include "engine/qbittorrent/qbittorrent.h"

#include "conformance/engine/remote_engine.h"
#include "support/client/client_bench.h"

namespace haul::conformance {
namespace {

using Shape = testing::FakeQbittorrent::Shape;

const std::string kStranger(40, 'f');

std::string hash_of(std::int64_t job) { return fmt::format("{:040x}", job); }

class QbittorrentBench final : public RemoteBench {
 public:
  explicit QbittorrentBench(Shape shape) : b_{shape} {}

  RemoteEngine& engine() override { return b_.engine(); }

  bool until(const So& so, Millis within) override {
    constexpr Millis kStep{100};
    b_.loop.run();
    for (Millis passed{0}; !so(); passed += kStep) {
      if (passed >= within) return false;
      b_.clock.pass(kStep);
      b_.loop.run();
    }
    return true;
  }

  Order order(std::int64_t job) override {
    Order order = testing::ClientBench::order(job, "", testing::magnet(hash_of(job)));
    order.fence = 1;
    order.start = 1;
    return order;
  }
  Order unknown() override {
    Order order = this->order(99);
    order.handle = hash_of(99);
    return order;
  }
  std::size_t transfers() const override { return b_.client.torrents.size(); }
  void fall_silent() override {
    b_.loop.server = [](const io::HttpRequest&) -> std::optional<testing::FakeReply> { return {}; };
  }
  void go_down() override { b_.client.is_down = true; }
  void come_back() override { b_.client.is_down = false; }
  void add_stranger() override {
    b_.client.torrents[kStranger] = {.id = kStranger, .tags = {"sonarr"}};
  }
  bool has_stranger() const override { return b_.client.torrents.contains(kStranger); }

 private:
  testing::ClientBench b_;
};

const Joins<RemoteBench> kFour{"qbittorrent 4",
                               [] { return std::make_unique<QbittorrentBench>(Shape::v4); }};
const Joins<RemoteBench> kFive{"qbittorrent 5",
                               [] { return std::make_unique<QbittorrentBench>(Shape::v5); }};

}  // namespace
}  // namespace haul::conformance
