#pragma once
// Processes that may have outlived the haul that ran them, known again by what no other process can
// have: the pid together with its start time and the boot, never a name.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace haul {

struct ProcessMark {
  std::string boot;         // The machine's start,
  int pid = 0;              // the keeper's number in it, its session's too,
  std::uint64_t start = 0;  // and when it began, in the kernel's ticks.
  std::string token;        // In the environment of everything it ran: a number may come again.
  std::string store{};      // The id of the store it works for.

  std::string to_text() const;
  static std::optional<ProcessMark> from_text(std::string_view text);
  bool operator==(const ProcessMark&) const = default;
};

// Of a process that runs now; nothing if there is none.
std::optional<ProcessMark> mark_of(int pid, std::string token);

// The variable that has the token.
constexpr std::string_view kTokenName = "HAUL_CHILD";

// Kills what is left of it, and nobody else. Says how many were.
int end_survivors(const ProcessMark& mark);

}  // namespace haul
