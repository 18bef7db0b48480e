#pragma once
// An HTTP loop without a network: the test answers the requests and turns the clock, and everything
// runs inside run(), on the test's thread.

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/web/http.h"
#include "support/flow/script.h"
#include "support/io/fake_reply.h"

namespace haul::testing {

class FakeLoop final : public io::HttpLoop {
 public:
  explicit FakeLoop(const Clock& clock) : clock_{clock} {}

  FakeServer server;
  std::size_t asked = 0;
  Millis takes{0};          // How long the server works on each request.
  bool is_closing = false;  // post() then runs the work at once: its caller waits for it.

  void post(std::function<void()> work) override {
    if (is_closing) return work();
    posted_.push_back(std::move(work));
  }
  int begin(const io::HttpRequest& request, io::HttpUser& user) override {
    calls_.emplace(++last_, std::pair{request, &user});
    return last_;
  }
  void end(int call) override { calls_.erase(call); }
  void resume(int, io::Direction) override {}
  void after(Millis wait, std::function<void()> work) override {
    timers_.emplace(clock_.steady() + wait, std::move(work));
  }

  // Runs until nothing is left to do at this moment.
  void run() {
    for (bool busy = true; busy;) {
      busy = run_posted();
      busy = run_timers() || busy;
      busy = answer_next() || busy;
    }
  }
  // When the next timer is due, so that a test can turn the clock to it. Empty if there is none.
  std::optional<Steady> next_timer() const {
    return timers_.empty() ? std::nullopt : std::optional{timers_.begin()->first};
  }

 private:
  bool run_posted() {
    if (posted_.empty()) return false;
    for (const auto& work : std::exchange(posted_, {})) work();
    return true;
  }
  bool run_timers() {
    if (timers_.empty() || timers_.begin()->first > clock_.steady()) return false;
    const auto timer = timers_.extract(timers_.begin());
    timer.mapped()();
    return true;
  }
  bool answer_next() {
    for (const auto& [call, asked_of] : calls_) {
      if (call <= heard_) continue;
      heard_ = call;
      ++asked;
      if (takes == Millis{0})
        serve(call);
      else
        after(takes, [this, number = call] { serve(number); });
      return true;
    }
    return false;
  }
  void serve(int call) {
    const auto found = calls_.find(call);
    if (found == calls_.end()) return;
    const auto [request, user] = found->second;
    if (const auto reply = server(request)) answer(call, *user, *reply);
  }
  void answer(int call, io::HttpUser& user, const FakeReply& reply) {
    calls_.erase(call);
    if (reply.fault) return user.on_end(call, {.fault = reply.fault});
    io::HttpHead head{.status = reply.status, .headers = reply.headers};
    io::Go go = user.on_head(call, head);
    if (go == io::Go::on) go = user.on_body(call, std::as_bytes(std::span{reply.body}));
    if (reply.stays_open && go != io::Go::stop) return;
    user.on_end(call,
                {.fault = {}, .stopped = go == io::Go::stop, .was_public = reply.from_public});
  }

  const Clock& clock_;
  std::deque<std::function<void()>> posted_;
  std::multimap<Steady, std::function<void()>> timers_;
  std::map<int, std::pair<io::HttpRequest, io::HttpUser*>> calls_;
  int last_ = 0;
  int heard_ = 0;
};

// Collects an engine's sights for the test to read.
class Letters final : public Inbox {
 public:
  void push(Sight sight) override { sights.push_back(std::move(sight)); }
  std::vector<Sight> take() { return std::exchange(sights, {}); }

  std::vector<Sight> sights;
};

}  // namespace haul::testing
