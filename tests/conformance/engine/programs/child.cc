// The engine of third-party programs joins the suite of item engines. The fake program of
// tests/fake stands in for yt-dlp.

#include "engine/child/child.h"

#include <fmt/core.h>

#include "conformance/engine/item_engine.h"
#include "seam/item_key.h"
#include "support/io/open_gate.h"
#include "support/io/temp_folder.h"

namespace haul::conformance {
namespace {

namespace fs = std::filesystem;

class ChildBench final : public ItemBench {
 public:
  ChildBench() {
    fs::create_symlink(HAUL_FAKE_PROGRAM, program());
    engine_ = make();
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
    order.url = page(pace == Pace::held ? "hang-listing" : "film");
    order.request = request(order.url);
    return order;
  }
  Order item(Pace pace) override {
    Order order{.store = kStore, .job = JobId{1}, .item = 1, .fence = 1, .start = 1};
    order.url = page(pace == Pace::held ? "hang" : "film");
    order.key = item_key(kYtDlp, {0, order.url});
    order.request = request(order.url);
    return order;
  }
  std::int64_t size() const override { return std::ssize(std::string_view{"film of film"}); }

  // The program reports progress when it fetches. When it lists, only its folder shows it.
  void await_hold(const Order& order) override {
    if (order.item > 0)
      await<Moving>(order);
    else
      until([this] { return !leftovers().empty(); }, kPatience);
  }
  void lose_source() override { fs::remove(program()); }
  fs::path folder() const override { return folder_.path(); }

  std::string exempt(ItemRule rule) const override {
    if (rule == ItemRule::clears_jobs) return "The choosing engine does it for those it chooses.";
    return {};
  }

 private:
  fs::path program() const { return programs_ / "yt-dlp"; }
  // Nothing listens there, and the fake program does not connect.
  static std::string page(std::string_view word) {
    return fmt::format("http://127.0.0.1:8009/{}", word);
  }
  std::string request(const std::string& url) const {
    return fmt::format(R"({{"urls":["{}"],"folder":"{}","engine":"yt-dlp"}})", url,
                       folder_.path().string());
  }
  std::unique_ptr<child::ChildEngine> make() {
    child::ChildSettings settings;
    settings.program = program().string();
    settings.keeper = HAUL_BINARY;
    settings.apart = Millis{0};
    return child::make_child_engine(child::yt_dlp(), *loop_, gate_, *lander_, clock_, settings);
  }

  testing::TempFolder folder_;
  testing::TempFolder programs_;
  testing::TurnedClock clock_;
  testing::OpenGate gate_;
  std::unique_ptr<io::PollLoop> loop_ = io::make_poll_loop(clock_);
  std::unique_ptr<io::Lander> lander_ = io::make_lander(io::Durability::off);
  std::unique_ptr<child::ChildEngine> engine_;
};

const Joins<ItemBench> kJoins{"child", [] { return std::make_unique<ChildBench>(); }};

}  // namespace
}  // namespace haul::conformance
