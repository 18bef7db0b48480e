#pragma once
// The lines of a running `haul get`, pure: a moment of it as bars, its counts, an item that ended.

#include <string>
#include <string_view>
#include <vector>

#include "cli/progress.h"

namespace haul {

// Bars of the active files, eight at most and as many as there are rows for, and their total. No
// line takes the last column, where terminals wrap.
std::vector<std::string> bar_lines(const GetView& view, ScreenSize size, Colour colour);

// "1,204 of 5,000 files · 2 failed · 1 skipped".
std::string count_line(const GetView& view, std::string_view between);

// "✓ film.mkv  1.2 GiB (size)", "✗ page.html  failed: http_404 (…)". As long as it gets: it is
// never redrawn, and a name is to be copied whole.
std::string ended_line(const ItemEnd& item, Colour colour);

// Safe to print: secrets left out, on one line, nothing that steers a terminal.
std::string shown(std::string_view text);

}  // namespace haul
