#pragma once
// Asks a program for its version, to check that it is installed, runs and is new enough.

#include <functional>
#include <memory>

#include "engine/child/run.h"

namespace haul::child {

class Probe final : public io::ChildUser {
 public:
  using Done = std::function<void(Result<std::string>)>;

  // `done` runs once, on the loop, maybe before the constructor returns.
  Probe(const Program& program, const ChildSettings& settings, io::PollLoop& loop,
        const std::filesystem::path& work, Done done);

  void on_line(io::Stream stream, const std::string& line) override;
  void on_end(const io::ChildEnd& end) override;

 private:
  const Program& program_;
  const ChildSettings& settings_;
  Done done_;
  std::string version_;
  std::string complaint_;
  std::unique_ptr<io::Child> child_;
};

}  // namespace haul::child
