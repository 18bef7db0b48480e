#pragma once
// A program of somebody else's, run for haul: no shell, no terminal, nothing of ours but what it is
// given, its output read with limits. It never outlives haul, nor does anything it starts.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/fault.h"
#include "io/keeper.h"
#include "io/poll.h"

namespace haul {

struct ChildAsk {
  KeepSpec spec;
  std::filesystem::path keeper = "/proc/self/exe";  // A haul.
  std::string mark;                                 // Ends a line besides a line break.
  std::size_t line_bytes_max = std::size_t{64} << 10U;
  std::int64_t output_bytes_max = std::int64_t{64} << 20U;  // It is ended if it writes more.
};

enum class Stream : std::uint8_t { out, err };

struct ChildEnd {
  int code = 0;  // The program's exit code; 128 + n if a signal ended it; kNotFound, kCannotRun.
  bool wrote_too_much = false;
};

class ChildUser {
 public:
  virtual ~ChildUser() = default;
  virtual void on_line(Stream stream, const std::string& line) = 0;
  // It and all it had started are gone; nothing more is told.
  virtual void on_end(const ChildEnd& end) = 0;
};

// On the loop's thread, all of it.
class Child {
 public:
  virtual ~Child() = default;  // Ends it; nothing is told of that.
  // Ends it and whatever it has started; told when they are gone, within moments.
  virtual void kill() = 0;
  // The keeper's: by this and its start time it is known again.
  virtual int pid() const = 0;
};

// The user must outlive the child.
Result<std::unique_ptr<Child>> start_child(PollLoop& loop, const ChildAsk& ask, ChildUser& user);

}  // namespace haul
