#pragma once
// Confines an external program that haul runs: it may write its own folder, read what programs
// need, and connect to one TCP port. The kernel enforces as much of that as it can.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace haul::io {

enum class Confine : std::uint8_t {
  prefer,   // Programs run with whatever protection this kernel has.
  require,  // Programs run only if the kernel can keep them from other files (Landlock).
};

struct Sandbox {
  std::string folder;                 // The program may do anything in it.
  std::vector<std::string> readable;  // Paths it may read besides those that every program needs.
  std::uint16_t port = 0;             // The only TCP port it may connect to; zero for none.
  std::uint64_t file_bytes_max = 0;   // Zero for no limit, as in those below.
  std::uint64_t memory_bytes_max = 0;
  std::uint64_t cpu_seconds_max = 0;  // For each of its processes.
  std::uint64_t tasks_max = 0;  // Processes and threads. The keeper counts root's; see keep().
  Confine confine = Confine::prefer;
};

// Confines this process for good, also after an exec. The keeper, which has one thread, calls it
// between fork and exec. False if a protection that this kernel has cannot be set up, or if the
// kernel lacks a required one.
bool enter_sandbox(const Sandbox& sandbox);

// The version of this kernel's Landlock. Zero if it has none: only the other protections work then.
int landlock_version();

// What programs can do because this kernel cannot prevent it.
struct SandboxGap {
  std::string code;  // sandbox_missing: reach every file; sandbox_partial: reach the network.
  std::string detail;
};
// `landlock` is the version. Empty if there is no gap.
std::optional<SandboxGap> sandbox_gap(int landlock);

}  // namespace haul::io
