#pragma once
// The JSON of a command that reports only its outcome.

#include <string>

namespace haul {

struct Answered {
  bool ok = false;
  std::string code{};    // Stable word, when not ok.
  std::string detail{};  // Prose, when not ok.
  std::string file{};
  std::string replaced{};  // Where the file that it replaced is kept.
};

// Empty fields are left out.
std::string to_json(const Answered& answer);

}  // namespace haul
