#pragma once
// A queue that limits how many processes run at once. A daemon may have thousands of pages to ask
// programs about, and each question is a process.

#include <cstddef>
#include <deque>
#include <functional>

namespace haul::child {

class ProcessTurns {
 public:
  explicit ProcessTurns(std::size_t most) : most_{most} {}

  void add(std::function<void()> begin) { waiting_.push_back(std::move(begin)); }
  // Starts waiting entries, first come, first served, while fewer than the limit are at work.
  void take(const std::function<std::size_t()>& at_work);

 private:
  const std::size_t most_;
  std::deque<std::function<void()>> waiting_;
};

}  // namespace haul::child
