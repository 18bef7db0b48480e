#pragma once
// Asks a program for its version, to check that it is installed, runs and is new enough.

#include <functional>
#include <memory>

#include "engine/child/run.h"

namespace haul {

class Probe final : public ChildUser {
 public:
  using Done = std::function<void(Result<std::string>)>;

  // `done` runs once, on the loop, maybe before the constructor returns.
  Probe(const Program& program, const ChildSettings& settings, PollLoop& loop,
        const std::filesystem::path& work, Done done);

  void on_line(Stream stream, const std::string& line) override;
  void on_end(const ChildEnd& end) override;

 private:
  const Program& program_;
  const ChildSettings& settings_;
  Done done_;
  std::string version_;
  std::string complaint_;
  std::unique_ptr<Child> child_;
};

}  // namespace haul
