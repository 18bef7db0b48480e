#pragma once
// The JSON of a command that reports only success or failure.

#include <cstddef>
#include <optional>
#include <string>

namespace haul::api {

struct Answered {
  bool ok = false;
  std::string code{};    // Stable word, when not ok.
  std::string detail{};  // Prose, when not ok.
  std::string file{};
  std::string replaced{};  // Where the replaced file is kept.
  std::optional<std::size_t> keys_revoked{};
  std::optional<std::size_t> users_blocked{};
};

// Empty fields are left out.
std::string to_json(const Answered& answer);

}  // namespace haul::api
