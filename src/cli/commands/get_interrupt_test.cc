// Ctrl-C during `haul get`: what it asks of the session, and how often.

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands/get.h"

namespace haul::cli {
namespace {

// Downloads until it is told to keep its parts. Counts the steps, and records what it is told.
class PressedSession final : public GetSession {
 public:
  // How often Ctrl-C was pressed by the end of each step; the last number stays. It ends by itself
  // after the step `ends_after`.
  struct Script {
    std::vector<int> presses;
    std::size_t ends_after = 10;
  };
  PressedSession(Script script, std::string& told) : script_{std::move(script)}, told_{told} {}

  bool step(Millis) override {
    ++steps_;
    told_ += is_kept_ ? "|" : ".";
    return !is_kept_ && steps_ < script_.ends_after;
  }
  GetView view() override { return {}; }
  std::vector<ItemEnd> ended() override { return {}; }
  GetSummary summary() override { return {.ending = GetEnding::cancelled}; }
  std::vector<std::string> metalinks() override { return {}; }
  Steady now() const override { return {}; }
  int interrupts() override {
    const std::size_t last = script_.presses.size() - 1;
    return script_.presses.at(std::min(steps_ - 1, last));
  }
  void keep() override {
    told_ += "keep";
    is_kept_ = true;
  }
  void cancel() override { told_ += "cancel"; }

 private:
  const Script script_;
  std::string& told_;
  std::size_t steps_ = 0;
  bool is_kept_ = false;
};

enum class OnPress : std::uint8_t { keep, discard };

// "..keep|": a point for each step, a bar for the one after the session was told to keep.
std::string told(OnPress how, const PressedSession::Script& script) {
  std::string calls;
  const OpenGet open = [&](const GetCommand&) -> Result<std::unique_ptr<GetSession>> {
    return std::make_unique<PressedSession>(script, calls);
  };
  const PlanGet plan;
  const ReadCookies cookies;
  GetOptions options;
  options.urls = {"http://h/a"};
  options.discard = how == OnPress::discard;
  options.more.quiet = true;
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  CHECK(run_get(options, {.open = open, .plan = plan, .cookies = cookies}, in, {out, err}) == 1);
  return calls;
}

TEST_CASE("Ctrl-C keeps the parts once, however often it is pressed") {
  CHECK(told(OnPress::keep, {{0, 1}}) == "..keep|");
  CHECK(told(OnPress::keep, {{0, 2}}) == "..keep|");
}

TEST_CASE("with --discard Ctrl-C cancels once, and the second one stops waiting for that") {
  CHECK(told(OnPress::discard, {{0, 1}, 5}) == "..cancel...");
  CHECK(told(OnPress::discard, {{0, 1, 1, 2}}) == "..cancel..keep|");
  CHECK(told(OnPress::discard, {{0, 2}}) == "..cancelkeep|");
}

}  // namespace
}  // namespace haul::cli
