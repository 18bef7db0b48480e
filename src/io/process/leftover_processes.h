#pragma once
// Kills processes that have outlived the haul that ran them. A process is identified by its pid,
// its start time and the boot, which no other process shares, and never by its name.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace haul::io {

struct ProcessMark {
  std::string boot;         // The boot id of the machine.
  int pid = 0;              // The keeper's, and the id of its session.
  std::uint64_t start = 0;  // When the keeper started, in the kernel's ticks.
  std::string token;        // In the environment of all it ran, because pids are reused.
  std::string store{};      // The id of the store it works for.

  std::string to_text() const;
  static std::optional<ProcessMark> from_text(std::string_view text);
  bool operator==(const ProcessMark&) const = default;
};

// The mark of a running process. Empty if there is none.
std::optional<ProcessMark> mark_of(int pid, std::string token);

// The environment variable that holds the token.
constexpr std::string_view kTokenName = "HAUL_CHILD";

// Kills the keeper and the processes of its session that have the token, and nothing else. Returns
// how many it killed.
int kill_leftovers(const ProcessMark& mark);

}  // namespace haul::io
