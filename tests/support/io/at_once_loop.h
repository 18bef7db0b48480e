#pragma once
// A poll loop without a thread: it runs posted work at once, on the test's thread. Its timers never
// end, and it watches no descriptor.

#include <functional>
#include <memory>

#include "io/process/poll.h"

namespace haul::testing {

class AtOnceLoop final : public io::PollLoop {
 public:
  void post(std::function<void()> work) override { work(); }
  std::shared_ptr<io::Poster> poster() const override { return std::make_shared<AtOncePoster>(); }
  void after(Millis, std::function<void()>) override {}
  void watch(int, io::Interest, std::function<void(io::Ready)>) override {}
  void want(int, io::Interest) override {}
  void forget(int) override {}

 private:
  class AtOncePoster final : public io::Poster {
   public:
    void post(std::function<void()> work) override { work(); }
  };
};

}  // namespace haul::testing
