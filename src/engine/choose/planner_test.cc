// A plan that is stopped goes no further, whatever its engine says at the same moment.

#include "engine/choose/planner.h"

#include <doctest/doctest.h>

#include <future>

#include "engine/choose/choose.h"
#include "support/io/fake_loop.h"
#include "support/io/open_gate.h"

namespace haul::testing {
namespace {

// Writes down what it is asked and answers when the test says so.
class Scripted final : public child::ChildEngine {
 public:
  void plan(const Order& order, Inbox& inbox) override {
    ++plans;
    order_ = order;
    inbox_ = &inbox;
  }
  void start(Order, Inbox&) override {}
  void land(const Order&, Inbox&) override {}
  void stop(const Order&, Leftovers, Inbox&) override { ++stops; }
  bool is_installed() const override { return true; }
  void knows(const Order&, const std::string&, std::function<void(bool)> tell) override {
    tell(false);
  }

  void answer(What what) const {
    inbox_->push({order_.job, order_.item, order_.fence, order_.start, std::move(what)});
  }

  int plans = 0;
  int stops = 0;

 private:
  Order order_;
  Inbox* inbox_ = nullptr;
};

struct PlannerBench {
  HandClock clock;
  FakeLoop http_loop{clock};
  OpenGate gate;
  std::unique_ptr<io::PollLoop> loop = io::make_poll_loop(clock);
  choose::ChoosingInboxes inboxes;
  Scripted http;
  Scripted yt_dlp;
  Scripted gallery_dl;
  Letters letters;
  std::unique_ptr<ItemEngine> all =
      choose::make_choosing_engine({http, yt_dlp, gallery_dl}, inboxes, *loop, http_loop, gate, {});
  Order order{.job = JobId{1}, .fence = 1, .start = 1};

  PlannerBench() {
    order.request =
        R"({"urls":["http://h.example/a","http://h.example/b"],"engine":"yt-dlp","folder":"/in"})";
  }
  ~PlannerBench() { http_loop.is_closing = true; }

  // Until the loop has done what it was told, and what came of it.
  void settle() const {
    for (int i = 0; i < 3; ++i) {
      std::promise<void> done;
      loop->post([&done] { done.set_value(); });
      done.get_future().wait();
    }
  }
};

}  // namespace

TEST_CASE("a plan goes from address to address, until it is complete") {
  PlannerBench b;
  b.all->plan(b.order, b.letters);
  b.settle();
  CHECK(b.yt_dlp.plans == 1);
  b.yt_dlp.answer(Planned{});
  b.settle();
  CHECK(b.yt_dlp.plans == 2);
  b.yt_dlp.answer(Planned{});
  b.settle();
  CHECK(std::holds_alternative<Planned>(b.letters.take().back().what));
}

TEST_CASE("S2-12: a plan that is stopped while its engine ends asks no other address") {
  for (const bool fails : {false, true}) {
    CAPTURE(fails);
    PlannerBench b;
    b.all->plan(b.order, b.letters);
    b.settle();
    b.all->stop(b.order, Leftovers::keep, b.letters);
    b.settle();
    REQUIRE(b.yt_dlp.stops == 1);

    if (fails)
      b.yt_dlp.answer(failed(FaultKind::retryable, "timeout"));
    else
      b.yt_dlp.answer(Planned{});
    b.yt_dlp.answer(Stopped{});
    b.settle();

    CHECK(b.yt_dlp.plans == 1);
    const std::vector<Sight> told = b.letters.take();
    REQUIRE(told.size() == 1);
    CHECK(std::holds_alternative<Stopped>(told.front().what));
  }
}

}  // namespace haul::testing
