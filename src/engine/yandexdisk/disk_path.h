#pragma once
// Paths on the disk, as a request names them.

#include <string>
#include <string_view>

#include "base/fault.h"

namespace haul::yandexdisk {

// "disk:/Books/a.pdf" of "/Books/a.pdf" or of itself. The scheme is always there, because the API
// misreads a name with a colon without it. Refuses (permanent, `bad_path`) any other form, control
// characters, text that is not UTF-8, empty and dot segments, and what is too long for the disk.
Result<std::string> disk_path(std::string_view text);

// The same for a folder: the root and a slash at the end are allowed. The result has none but
// "disk:/".
Result<std::string> disk_folder(std::string_view text);

// "a.pdf" of "disk:/Books/a.pdf".
std::string name_in(std::string_view path);

}  // namespace haul::yandexdisk
