#pragma once
// The progress forms for output that is not a terminal; open_progress() chooses one.

#include <memory>

#include "cli/draw/progress.h"

namespace haul::cli {

std::unique_ptr<Progress> plain_progress(Screen& screen);
std::unique_ptr<Progress> json_progress(Screen& screen);
// Prints only what failed.
std::unique_ptr<Progress> quiet_progress(Screen& screen);

}  // namespace haul::cli
