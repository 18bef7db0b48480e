#pragma once
// What `haul image` says about refusals and failures, and what a user can do next.

#include <string>
#include <string_view>

#include "cli/remote/answers.h"

namespace haul::cli {

// What to do after a refusal or a failure with this code. Empty: the daemon's words say it.
std::string next_step(std::string_view code);

// The failure with the next step for its code.
Failure with_next_step(Failure failure);

// Why an ended job has no image, and how to try again.
Failure no_image(const JsonView& job);

// How to get the image later: "haul image --job 12 -o cat.png".
std::string later_command(std::int64_t job, const std::string& output);

}  // namespace haul::cli
