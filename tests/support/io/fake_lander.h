#pragma once
// A lander without threads. It answers at once, or when the test says so.

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "io/file/lander.h"

namespace haul::testing {

class FakeLander final : public io::Lander {
 public:
  // When a landing fails: before or after the file got its name.
  enum class Fails : std::uint8_t { never, before, after };
  Fails fails = Fails::never;
  Fault fault{FaultKind::environment, "disk_error", ""};
  bool holds = false;  // Keeps every task until run() is called.
  std::vector<io::LandTask> tasks;

  void land(io::LandTask task, io::LandDone done) override {
    tasks.push_back(task);
    take_up([this, task = std::move(task), done = std::move(done)] { done(place(task)); });
  }
  void flush(std::shared_ptr<const io::File>, io::LandDone done) override {
    take_up([done = std::move(done)] { done({}); });
  }
  void check(io::PieceCheck check, io::LandDone done) override {
    take_up([check = std::move(check), done = std::move(done)] {
      done(io::check_pieces(check, std::atomic<bool>{false}));
    });
  }
  void begin_flush(std::shared_ptr<const io::File>, std::function<void()> done) override { done(); }

  // Does the tasks that it keeps.
  void run() {
    for (const auto& work : std::exchange(held_, {})) work();
  }

 private:
  void take_up(std::function<void()> work) {
    if (holds) return held_.push_back(std::move(work));
    work();
  }
  Result<void> place(const io::LandTask& task) const {
    if (fails == Fails::before) return std::unexpected{fault};
    const io::Folder& from = task.from ? *task.from : *task.folder;
    Result<void> named;
    if (task.named == io::NamedAs::part) named = task.folder->take(from, task.part, task.target);
    if (task.named == io::NamedAs::nothing) named = task.folder->name(*task.file, task.target);
    if (named && fails == Fails::after) return std::unexpected{fault};
    return named;
  }

  std::deque<std::function<void()>> held_;
};

}  // namespace haul::testing
