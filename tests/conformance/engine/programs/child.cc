// The engine of third-party programs joins the suite of item engines, once for each program. The
// fake program of tests/fake stands in for yt-dlp and for gallery-dl.

#include "engine/child/child.h"

#include <fmt/core.h>

#include "conformance/engine/item_engine.h"
#include "seam/item_key.h"
#include "support/io/open_gate.h"
#include "support/io/temp_folder.h"

namespace haul::conformance {
namespace {

namespace fs = std::filesystem;

// What differs between the programs.
struct Fake {
  const child::Program& (*program)();
  const char* called;   // The name that the fake program is called by.
  std::int64_t index;   // Of its item on a page. 0 if the page is the item.
  const char* file;     // What the item's address has after the page's.
  const char* content;  // Of a quick item.
};

const Fake kVideos{.program = child::yt_dlp,
                   .called = "yt-dlp",
                   .index = 0,
                   .file = "",
                   .content = "film of film"};
const Fake kPictures{.program = child::gallery_dl,
                     .called = "gallery",
                     .index = 1,
                     .file = "/1.jpg",
                     .content = "a picture"};

class ChildBench final : public ItemBench {
 public:
  explicit ChildBench(const Fake& fake) : fake_{fake} {
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
    const std::string its_page = page(pace == Pace::held ? "hang" : "film");
    order.url = its_page + fake_.file;
    order.key = item_key(fake_.program().name(), {fake_.index, its_page});
    order.request = request(its_page);
    return order;
  }
  std::int64_t size() const override { return std::ssize(std::string_view{fake_.content}); }

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
  fs::path program() const { return programs_ / fake_.called; }
  // Nothing listens there, and the fake program does not connect.
  static std::string page(std::string_view word) {
    return fmt::format("http://127.0.0.1:8009/{}", word);
  }
  std::string request(const std::string& url) const {
    return fmt::format(R"({{"urls":["{}"],"folder":"{}","engine":"{}"}})", url,
                       folder_.path().string(), fake_.program().name());
  }
  std::unique_ptr<child::ChildEngine> make() {
    child::ChildSettings settings;
    settings.program = program().string();
    settings.keeper = HAUL_BINARY;
    settings.apart = Millis{0};
    return child::make_child_engine(fake_.program(), *loop_, gate_, *lander_, clock_, settings);
  }

  const Fake& fake_;
  testing::TempFolder folder_;
  testing::TempFolder programs_;
  testing::TurnedClock clock_;
  testing::OpenGate gate_;
  std::unique_ptr<io::PollLoop> loop_ = io::make_poll_loop(clock_);
  std::unique_ptr<io::Lander> lander_ = io::make_lander(io::Durability::off);
  std::unique_ptr<child::ChildEngine> engine_;
};

const Joins<ItemBench> kJoinsVideos{"child yt-dlp",
                                    [] { return std::make_unique<ChildBench>(kVideos); }};
const Joins<ItemBench> kJoinsPictures{"child gallery-dl",
                                      [] { return std::make_unique<ChildBench>(kPictures); }};

}  // namespace
}  // namespace haul::conformance
