#pragma once
// The file of -i: one URL per line, each with its options on the indented lines after it, as in
// aria2.

#include <iosfwd>

#include "base/fault.h"
#include "cli/commands/get_words.h"

namespace haul::cli {

// Adds the URLs and their options to the batch. Skips blank lines and lines that begin with '#'.
// A fault names the line.
Result<void> read_input(std::istream& lines, GetBatch& batch);

}  // namespace haul::cli
