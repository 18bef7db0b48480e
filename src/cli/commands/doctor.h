#pragma once
// `haul doctor`: prints each check, its result, and how to fix a problem.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/remote/remote.h"

namespace haul::cli {

enum class Health : std::uint8_t {
  ok,
  note,   // Worth knowing; haul works anyway.
  wrong,  // haul does not work, or not safely.
};

struct Finding {
  Health health = Health::ok;
  std::string what;  // A short stable word: "data", "store", "clock".
  std::string detail;
  std::string mend{};     // How to fix it; empty if there is nothing to do.
  std::string setting{};  // The key of the configuration that it is about, if any.
  std::string at{};       // Where that key is set: "haul.toml:12".
};

enum class DoctorScope : std::uint8_t {
  all,    // All but the paths: it changes nothing.
  paths,  // haul doctor paths: writes and removes files.
};

struct DoctorOptions {
  ApiAddress address;
  std::filesystem::path config;  // Empty: the default file.
  DoctorScope scope = DoctorScope::all;
};

// Runs all checks. app/ provides it, because it knows the disk and the daemon.
using Examine = std::function<std::vector<Finding>(const DoctorOptions&)>;

struct DoctorOutput {
  Terminal terminal;
  OutputForm form = OutputForm::text;
  Colour colour = Colour::off;
};
// Returns 1 if anything is wrong.
int run_doctor(const std::vector<Finding>& findings, const DoctorOutput& output);

}  // namespace haul::cli
