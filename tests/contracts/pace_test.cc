// S2-23 in virtual time: one second between the starts of two requests to one host, to the
// millisecond, whatever the requests are for. Uses the real http engine and the real limits, with a
// loop and a clock that the test turns.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <memory>
#include <string>

#include "engine/http/http.h"
#include "flow/worker/host_slots.h"
#include "support/io/fake_loop.h"
#include "support/io/temp_folder.h"
#include "support/store/test_store.h"

namespace haul::testing {
namespace {

constexpr HostRule kRule{.at_once = 2, .apart = Millis{1'000}};

class Paced {
 public:
  Paced() {
    loop_.server = [this](const io::HttpRequest& request) -> std::optional<FakeReply> {
      const Millis at = clock_.steady() - began_;
      text_ += fmt::format("{}{} {}", text_.empty() ? "" : ", ", at.count(),
                           request.url.substr(request.url.find("//") + 2));
      return server(request);
    };
  }
  ~Paced() { loop_.is_closing = true; }
  Paced(const Paced&) = delete;
  Paced& operator=(const Paced&) = delete;

  FakeServer server;

  // Starts an item with its slot at the host, as the flow does. False if there is no slot now.
  bool start(const std::string& host, const std::string& path) {
    const Order order = order_for("http://" + host + path, "");
    if (!places_.take(order.start, host, {})) return false;
    engine_->start(order, letters_);
    return true;
  }
  void plan(const std::string& url, const std::string& more) {
    const Order order = order_for(url, more);
    places_.expect(order.start, {});
    engine_->plan(order, letters_);
  }
  // The requests of the next ten seconds: "0 host/path, 1000 host/path".
  std::string ten_seconds() {
    for (int i = 0; i < 1'000; ++i) {
      loop_.run();
      clock_.pass(Millis{10});
    }
    return text_;
  }
  void pass(Millis time) { clock_.pass(time); }

 private:
  Order order_for(const std::string& url, const std::string& more) {
    Order order{.job = JobId{1}, .item = ++starts_, .fence = 1, .start = starts_};
    order.request =
        fmt::format(R"({{"url":"{}","folder":"{}"{}}})", url, folder_.path().string(), more);
    order.url = url;
    return order;
  }

  TempFolder folder_;
  HandClock clock_;
  const Steady began_ = clock_.steady();
  std::unique_ptr<Store> store_ = open_test_store(clock_.now());
  flow::HostSlots places_{store_->limits(), clock_, store_->workers().enlist("test", clock_.now()),
                          kRule};
  FakeLoop loop_{clock_};
  Letters letters_;
  std::string text_;
  std::int64_t starts_ = 0;
  std::unique_ptr<ItemEngine> engine_ =
      http::make_http_engine(loop_, places_, clock_, {}, io::Durability::off);
};

FakeReply redirect(const std::string& to) { return {.status = 302, .headers = {{"location", to}}}; }

}  // namespace

TEST_CASE("S2-23: the hops of a redirect are a second apart at one host; another host waits not") {
  Paced p;
  p.server = [](const io::HttpRequest& request) -> FakeReply {
    if (request.url == "http://a.example/1") return redirect("/2");
    if (request.url == "http://a.example/2") return redirect("/3");
    if (request.url == "http://a.example/3") return redirect("http://b.example/4");
    return {.status = 404};
  };
  REQUIRE(p.start("a.example", "/1"));
  CHECK(p.ten_seconds() == "0 a.example/1, 1000 a.example/2, 2000 a.example/3, 2000 b.example/4");
}

TEST_CASE("S2-23: pages, and the looks at what they link to, are a second apart") {
  Paced p;
  p.server = [](const io::HttpRequest& request) -> FakeReply {
    if (request.url.ends_with("/page"))
      return {
          .body = R"(<a href="/x.png">x</a><a href="/y.png">y</a><a rel="next" href="/p2">2</a>)",
          .headers = {{"content-type", "text/html"}}};
    return {.status = 404};
  };
  p.plan("http://a.example/page", R"(,"discover":true,"pages_max":2,"filters":{"min_size":1})");
  CHECK(p.ten_seconds() ==
        "0 a.example/page, 1000 a.example/x.png, 2000 a.example/y.png, 3000 a.example/p2");
}

TEST_CASE("S2-23: a second start at a host gets its slot after 1,000 ms, at 999 ms it does not") {
  Paced p;
  p.server = [](const io::HttpRequest&) { return std::optional<FakeReply>{}; };  // No answer.
  CHECK(p.start("a.example", "/1"));
  CHECK_FALSE(p.start("a.example", "/2"));
  p.pass(Millis{999});
  CHECK_FALSE(p.start("a.example", "/2"));
  p.pass(Millis{1});
  CHECK(p.start("a.example", "/2"));
  CHECK(p.start("b.example", "/1"));
  p.pass(Millis{60'000});
  CHECK_FALSE(p.start("a.example", "/3"));  // The limit is two at once.
}

}  // namespace haul::testing
