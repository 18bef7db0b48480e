#pragma once
// Runs an external program without a shell or a terminal. The program gets only the environment and
// descriptors it is given, and haul reads its output with limits. Neither the program nor anything
// it starts outlives haul.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/fault.h"
#include "io/process/keeper.h"
#include "io/process/poll.h"

namespace haul::io {

struct ChildCommand {
  KeepSpec spec;
  std::filesystem::path keeper = "/proc/self/exe";  // A haul binary.
  std::string mark;                                 // Ends a line, as a line break does.
  std::size_t line_bytes_max = std::size_t{64} << 10U;
  std::int64_t output_bytes_max = std::int64_t{64} << 20U;  // A program that writes more is killed.
};

enum class Stream : std::uint8_t { out, err };

struct ChildEnd {
  int code = 0;  // The program's exit code, 128 + n if signal n ended it, kNotFound or kCannotRun.
  bool wrote_too_much = false;
};

class ChildUser {
 public:
  virtual ~ChildUser() = default;
  virtual void on_line(Stream stream, const std::string& line) = 0;
  // The last callback: the program and everything it started are gone.
  virtual void on_end(const ChildEnd& end) = 0;
};

// Use it on the loop's thread only.
class Child {
 public:
  virtual ~Child() = default;  // Kills the program without a callback.
  // Kills the program and everything it started. on_end() follows within moments.
  virtual void kill() = 0;
  // The keeper's pid. With its start time it identifies the keeper later
  // (io/process/leftover_processes.h).
  virtual int pid() const = 0;
};

// The user must outlive the child.
Result<std::unique_ptr<Child>> start_child(PollLoop& loop, const ChildCommand& command,
                                           ChildUser& user);

}  // namespace haul::io
