#pragma once
// `haul doctor`: what was looked at, how it is, and what mends it.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/remote.h"

namespace haul {

enum class Health : std::uint8_t {
  ok,
  note,   // Worth knowing; haul works without it.
  wrong,  // haul does not work, or not safely.
};

struct Finding {
  Health health = Health::ok;
  std::string what;  // A short stable word: "data", "store", "clock".
  std::string detail;
  std::string mend{};  // What to do about it; empty where nothing is to be done.
};

struct DoctorOptions {
  ApiPlace place;
  std::filesystem::path config;  // Empty: where it usually is.
};

// Looks at everything; given by the program around, which knows the disk and the daemon.
using Examine = std::function<std::vector<Finding>(const DoctorOptions&)>;

struct DoctorOutput {
  Terminal terminal;
  OutputForm form = OutputForm::text;
  Colour colour = Colour::off;
};
// 1 if anything is wrong.
int run_doctor(const std::vector<Finding>& findings, const DoctorOutput& output);

}  // namespace haul
