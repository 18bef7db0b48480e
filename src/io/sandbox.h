#pragma once
// What a program of somebody else's may do once it runs for haul: write its own folder, read what
// programs read, connect to one port of this machine. The kernel holds it to that as far as it can.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace haul {

enum class Confine : std::uint8_t {
  prefer,   // Programs run with whatever walls this kernel has.
  require,  // Programs run only where the kernel can keep them from files (Landlock).
};

struct Sandbox {
  std::string folder;                 // All of it is the program's.
  std::vector<std::string> readable;  // Besides what every program needs.
  std::uint16_t port = 0;             // The only TCP port it may connect to; zero: none.
  std::uint64_t file_bytes_max = 0;   // Zero: no limit.
  std::uint64_t memory_bytes_max = 0;
  std::uint64_t cpu_seconds_max = 0;  // Of each of its processes.
  std::uint64_t tasks_max = 0;  // Processes and threads; root's are not counted by the kernel.
  Confine confine = Confine::prefer;
};

// Closes this process, and whatever it becomes, in for good. Called between fork and exec of the
// keeper, which has one thread. False: a part of it that this kernel has could not be had, or the
// kernel lacks what is required.
bool enter_sandbox(const Sandbox& sandbox);

// Which Landlock this kernel has; zero: none, and only the other walls stand.
int landlock_version();

// What programs can do because this kernel cannot keep them from it.
struct SandboxGap {
  std::string code;  // sandbox_missing: reach every file; sandbox_partial: reach the network.
  std::string detail;
};
std::optional<SandboxGap> sandbox_gap(int landlock);

}  // namespace haul
