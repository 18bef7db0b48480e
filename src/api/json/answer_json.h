#pragma once
// The JSON of a command that reports only its outcome.

#include <cstddef>
#include <optional>
#include <string>

namespace haul {

struct Answered {
  bool ok = false;
  std::string code{};    // Stable word, when not ok.
  std::string detail{};  // Prose, when not ok.
  std::string file{};
  std::string replaced{};  // What stood there before, where it is kept.
  std::optional<std::size_t> keys_revoked{};
  std::optional<std::size_t> users_blocked{};
};

// Empty fields are left out.
std::string to_json(const Answered& answer);

}  // namespace haul
