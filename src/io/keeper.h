#pragma once
// The process between haul and a program it runs. It outlives haul by the moment it needs to end
// the program and everything the program has started, wherever that has hidden.

#include <string>
#include <string_view>
#include <vector>

#include "io/sandbox.h"

namespace haul {

// The word that makes haul's own binary a keeper, before anything else is looked at.
constexpr std::string_view kKeeperWord = "child-keeper";

struct KeepSpec {
  std::vector<std::string> argv;         // The program's path first.
  std::vector<std::string> environment;  // "NAME=value": all there is.
  Sandbox sandbox;                       // Its folder is where the program begins.
};

std::string to_bytes(const KeepSpec& spec);
KeepSpec keep_spec(std::string_view bytes);

// Descriptors a keeper is started with, besides the program's standard ones.
constexpr int kSpecDescriptor = 3;  // A file with the spec in it.
constexpr int kLifeDescriptor = 4;  // A pipe that ends when haul does, or wants no more.

// Exit codes of its own; any other is the program's, 128 + n if a signal ended it.
constexpr int kCannotRun = 126;
constexpr int kNotFound = 127;

int keep();

}  // namespace haul
