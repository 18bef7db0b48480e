#pragma once
// The lines of a running `haul get` as pure functions: bars, counts, ended items.

#include <string>
#include <string_view>
#include <vector>

#include "cli/draw/progress.h"

namespace haul::cli {

// Bars of the active files and a total. At most eight files, fewer if the screen has fewer rows. No
// line uses the last column, where terminals wrap.
std::vector<std::string> bar_lines(const GetView& view, ScreenSize size, Colour colour);

// "1,204 of 5,000 files · 2 failed · 1 skipped".
std::string count_line(const GetView& view, std::string_view between);

// "✓ film.mkv  1.2 GiB (size)", "✗ page.html  failed: http_404 (…)". Never shortened: it is not
// redrawn, and users copy names.
std::string ended_line(const ItemEnd& item, Colour colour);

// Safe to print: secrets redacted, on one line, without terminal control characters.
std::string shown(std::string_view text);

}  // namespace haul::cli
