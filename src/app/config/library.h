#pragma once
// [library]: how haul checks that the files of books are still there. [library.movies] and
// [library.series]: where films and episodes go, and how they are named.

#include <optional>

#include "app/config/key.h"
#include "flow/book/book_check.h"
#include "sink/library/library.h"

namespace haul::app {

ConfigArea library_area();

flow::BookCheckSettings book_check_settings(const Config& config);

// Nullopt if neither movies nor series have a root. The store's id is not set: the configuration
// does not know it.
std::optional<library::LibrarySettings> library_settings(const Config& config);

// What a user configures first.
inline constexpr const char* kConfigureLibrary =
    "configure library.movies.root or library.series.root";

}  // namespace haul::app
