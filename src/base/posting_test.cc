#include "base/posting.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace haul {
namespace {

struct Queue {
  std::vector<std::function<void()>> works;

  void post(std::function<void()> work) { works.push_back(std::move(work)); }
  void run() {
    for (const auto& work : std::exchange(works, {})) work();
  }
};

}  // namespace

TEST_CASE("an answer is passed on by the receiver's own thread, with its arguments") {
  Queue queue;
  const auto alive = std::make_shared<const bool>(true);
  std::string got;
  const auto tell = posting<std::string, int>(
      &queue, alive,
      [&](const std::string& text, int number) { got = text + std::to_string(number); });

  tell("a", 1);
  CHECK(got.empty());
  queue.run();

  CHECK(got == "a1");
}

TEST_CASE("an answer to a receiver that is gone by then is dropped") {
  for (const bool is_posted_before : {false, true}) {
    CAPTURE(is_posted_before);
    const auto queue = std::make_shared<Queue>();
    auto alive = std::make_shared<const bool>(true);
    int calls = 0;
    const auto tell = posting<>(queue, alive, [&] { ++calls; });

    if (is_posted_before) tell();
    alive.reset();
    if (!is_posted_before) tell();
    queue->run();

    CHECK(calls == 0);
  }
}

}  // namespace haul
