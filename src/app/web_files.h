#pragma once
// The page, built into the program.

#include <span>

#include "api/call.h"

namespace haul {

std::span<const WebFile> web_files();

}  // namespace haul
