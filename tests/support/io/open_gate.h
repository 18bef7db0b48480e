#pragma once
// A gate for tests of an engine alone: every request passes, and no start gets a second slot.

#include "seam/gate.h"

namespace haul::testing {

class OpenGate final : public Gate {
 public:
  bool pass(std::int64_t, const std::string&) override { return true; }
  std::size_t done(std::int64_t) override { return 0; }
  bool more(std::int64_t) override { return false; }
  void less(std::int64_t) override {}
  std::optional<std::int64_t> enter(std::int64_t, const std::string&) override { return 1; }
  void leave(std::int64_t) override {}
  void block(const std::string&, std::int64_t) override {}
};

}  // namespace haul::testing
