#pragma once
// The forms of progress that are not a terminal's; open_progress() chooses.

#include <memory>

#include "cli/progress.h"

namespace haul {

std::unique_ptr<Progress> plain_progress(Screen& screen);
std::unique_ptr<Progress> json_progress(Screen& screen);

}  // namespace haul
