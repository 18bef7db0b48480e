// A plan that is stopped goes no further, whatever its engine says at the same moment.

#include "engine/choose/planner.h"

#include <doctest/doctest.h>

#include "engine/choose/choose.h"
#include "support/io/fake_loop.h"
#include "support/io/on_loop.h"

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
  bool is_installed() const override { return installed; }
  void knows(const Order&, const std::string&, std::function<void(bool)> tell) override {
    if (!holds_knows) return tell(false);
    asked = std::move(tell);
  }

  void answer(What what) const {
    inbox_->push({order_.job, order_.item, order_.fence, order_.start, std::move(what)});
  }

  int plans = 0;
  int stops = 0;
  bool installed = true;
  bool holds_knows = false;  // The test answers then.
  std::function<void(bool)> asked;

 private:
  Order order_;
  Inbox* inbox_ = nullptr;
};

// Counts the connections that are open.
class DoorGate final : public Gate {
 public:
  bool pass(std::int64_t, const std::string&) override { return true; }
  std::size_t done(std::int64_t) override { return 0; }
  bool more(std::int64_t) override { return false; }
  void less(std::int64_t) override {}
  std::optional<std::int64_t> enter(std::int64_t, const std::string&) override { return ++open; }
  void leave(std::int64_t) override { --open; }
  void block(const std::string&, std::int64_t) override {}

  std::int64_t open = 0;
};

struct PlannerBench {
  HandClock clock;
  FakeLoop http_loop{clock};
  DoorGate gate;
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
    for (int i = 0; i < 3; ++i) on_loop(*loop, [] {});
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

namespace {

// gallery-dl is missing, and the name says nothing: haul has to ask the server what it is.
struct LookBench : PlannerBench {
  LookBench() {
    gallery_dl.installed = false;
    order.request = R"({"urls":["http://h.example/watch"],"engine":"auto","folder":"/in"})";
    http_loop.server = [this](const io::HttpRequest&) { return reply; };
  }
  // The planner works on its loop and the look on the other one, in turn.
  void work() {
    for (int i = 0; i < 2; ++i) {
      settle();
      http_loop.run();
    }
  }

  std::optional<FakeReply> reply;  // Empty: the server stays silent.
};

FakeReply of_type(const std::string& type) {
  return {.status = 200, .body = {}, .headers = {{"content-type", type}}, .fault = {}};
}

}  // namespace

TEST_CASE("the type that a server names decides which engine lists an address") {
  for (const bool is_page : {false, true}) {
    CAPTURE(is_page);
    LookBench b;
    b.reply = of_type(is_page ? "text/html" : "application/zip");
    b.all->plan(b.order, b.letters);
    b.work();
    CHECK(b.http_loop.asked == 1);
    CHECK(b.yt_dlp.plans == (is_page ? 1 : 0));
    CHECK(b.http.plans == (is_page ? 0 : 1));
    CHECK(b.gate.open == 0);
  }
}

TEST_CASE("S2-12: a plan that is stopped while a server is asked gives back its slot at once") {
  LookBench b;
  b.all->plan(b.order, b.letters);
  b.work();
  REQUIRE(b.http_loop.asked == 1);
  REQUIRE(b.gate.open == 1);

  b.all->stop(b.order, Leftovers::remove, b.letters);
  b.work();

  CHECK(b.gate.open == 0);
  const std::vector<Sight> told = b.letters.take();
  REQUIRE(told.size() == 1);
  CHECK(std::holds_alternative<Stopped>(told.front().what));
}

TEST_CASE("S2-12: a plan that is stopped while gallery-dl is asked asks no server") {
  for (const bool known : {false, true}) {
    CAPTURE(known);
    LookBench b;
    b.gallery_dl.installed = true;
    b.gallery_dl.holds_knows = true;
    b.all->plan(b.order, b.letters);
    b.work();
    b.all->stop(b.order, Leftovers::remove, b.letters);
    b.work();
    REQUIRE(b.gallery_dl.stops == 1);

    b.loop->post([&] { b.gallery_dl.asked(known); });
    b.work();

    CHECK(b.gallery_dl.plans == 0);
    CHECK(b.http_loop.asked == 0);
    CHECK(b.letters.take().empty());  // Its engine has not said that it stopped.
  }
}

TEST_CASE("S2-12: what a server answers after the stop of a plan begins nothing") {
  LookBench b;
  b.reply = of_type("text/html");
  b.all->plan(b.order, b.letters);
  b.settle();  // The look has not begun.
  b.all->stop(b.order, Leftovers::remove, b.letters);
  b.work();

  CHECK(b.yt_dlp.plans == 0);
  CHECK(b.http.plans == 0);
  CHECK(b.gate.open == 0);
  const std::vector<Sight> told = b.letters.take();
  REQUIRE(told.size() == 1);
  CHECK(std::holds_alternative<Stopped>(told.front().what));
}

}  // namespace haul::testing
