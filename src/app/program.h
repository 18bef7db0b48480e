#pragma once
// Other programs of this machine: whether they are there, and which they are.

#include <optional>
#include <string>

namespace haul {

// The first line that the program of this name says when asked with the word, in three seconds at
// most; empty: it does not say. None: there is no such program.
struct ProgramAsk {
  std::string name;
  std::string word;
};
std::optional<std::string> first_line_of(const ProgramAsk& ask);

}  // namespace haul
