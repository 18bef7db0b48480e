#pragma once
// Looks whether a file is still where it was put.

#include <string>

#include "seam/file_presence.h"

namespace haul::io {

// May block for as long as the disk does. A relative path is `unknown`.
FilePresence presence_of(const std::string& path);

}  // namespace haul::io
