#pragma once
// Looks for other programs on this machine and asks for their versions.

#include <optional>
#include <string>

namespace haul::app {

// The first line that the program prints when run with `word`, within three seconds. Empty if it
// prints none; nullopt if there is no such program.
struct ProgramInput {
  std::string name;
  std::string word;
};
std::optional<std::string> first_line_of(const ProgramInput& program);

}  // namespace haul::app
