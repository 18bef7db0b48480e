#pragma once
// The files of the web page, embedded in the binary.

#include <span>

#include "api/call.h"

namespace haul::app {

std::span<const api::WebFile> web_files();

}  // namespace haul::app
