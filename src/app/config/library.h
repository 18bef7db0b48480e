#pragma once
// [library]: how haul checks that the files of books are still there.

#include "app/config/key.h"
#include "flow/book/book_check.h"

namespace haul::app {

ConfigArea library_area();

flow::BookCheckSettings book_check_settings(const Config& config);

}  // namespace haul::app
