#pragma once
// The process between haul and a program it runs. It outlives haul by the moment it needs to kill
// the program and everything the program has started, detached processes too.

#include <string>
#include <string_view>
#include <vector>

#include "io/process/sandbox.h"

namespace haul::io {

// The first argument that makes the haul binary a keeper. main checks it before anything else.
constexpr std::string_view kKeeperWord = "child-keeper";

struct KeepSpec {
  std::vector<std::string> argv;         // The program's path first.
  std::vector<std::string> environment;  // "NAME=value". The program gets no other.
  Sandbox sandbox;                       // Its folder is the program's working directory.
};

// Writes a spec for the keeper, and reads it back.
std::string to_bytes(const KeepSpec& spec);
KeepSpec keep_spec(std::string_view bytes);

// Descriptors a keeper starts with, besides the program's standard ones.
constexpr int kSpecDescriptor = 3;  // A file with the spec in it.
constexpr int kLifeDescriptor = 4;  // A pipe. It closes when haul ends or kills the program.

// The keeper's own exit codes. Any other is the program's, or 128 + n if signal n ended it.
constexpr int kCannotRun = 126;
constexpr int kNotFound = 127;

// Runs the keeper and returns its exit code.
int keep();

}  // namespace haul::io
