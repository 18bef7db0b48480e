// The example of docs/adding-an-engine.md joins the suite of item engines.

#include <fmt/core.h>

#include <fstream>

#include "conformance/engine/item_engine.h"
#include "example/copy_engine.h"
#include "support/io/temp_folder.h"

namespace haul::conformance {
namespace {

class CopyBench final : public ItemBench {
 public:
  CopyBench() {
    std::ofstream{sources_ / "quick.bin"} << std::string(kChunk, 'x');
    std::ofstream{sources_ / "held.bin"} << std::string(3 * kChunk, 'x');
  }

  ItemEngine& engine() override { return *engine_; }
  void crash() override {
    engine_.reset();
    engine_ = make();
  }
  bool until(const So& so, Millis within) override {
    return turn_until(clock_, sights, so, within);
  }

  Order listing(Pace pace) override {
    Order order{.store = kStore, .job = JobId{1}, .fence = 1, .start = -1};
    order.request = request(address(pace));
    return order;
  }
  Order item(Pace pace) override {
    Order order{.store = kStore, .job = JobId{1}, .item = 1, .fence = 1, .start = 1};
    order.url = order.key = address(pace);
    order.request = request(order.url);
    return order;
  }
  std::int64_t size() const override { return kChunk; }
  void await_hold(const Order& order) override {
    if (order.item > 0) await<Moving>(order);
  }
  void lose_source() override { std::filesystem::remove(sources_ / "quick.bin"); }
  std::filesystem::path folder() const override { return folder_.path(); }

 private:
  // Above 64 KiB, because haul gives a smaller file no name before it lands.
  static constexpr std::int64_t kChunk = 100 * 1'024;

  std::string address(Pace pace) const {
    return "copy://localhost" +
           (sources_ / (pace == Pace::held ? "held.bin" : "quick.bin")).string();
  }
  std::string request(const std::string& url) const {
    return fmt::format(R"({{"urls":["{}"],"folder":"{}"}})", url, folder_.path().string());
  }
  // After its first chunk, a file waits for a whole day.
  std::unique_ptr<ItemEngine> make() {
    return example::make_copy_engine(*loop_, *lander_,
                                     {.destinations = {}, .chunk = kChunk, .pause = kDay});
  }

  static constexpr Millis kDay = std::chrono::hours{24};

  testing::TempFolder folder_;
  testing::TempFolder sources_;
  testing::TurnedClock clock_;
  std::unique_ptr<io::PollLoop> loop_ = io::make_poll_loop(clock_);
  std::unique_ptr<io::Lander> lander_ = io::make_lander(io::Durability::off);
  std::unique_ptr<ItemEngine> engine_ = make();
};

const Joins<ItemBench> kJoins{"copy", [] { return std::make_unique<CopyBench>(); }};

}  // namespace
}  // namespace haul::conformance
