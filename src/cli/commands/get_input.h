#pragma once
// The file of -i: one file per line, each with its options on the indented lines after it, as in
// aria2. A line has the file's URL, and after tabs its mirrors.

#include <cstddef>
#include <iosfwd>

#include "base/fault.h"
#include "base/url_options.h"
#include "cli/commands/get_words.h"

namespace haul::cli {

// Adds the URLs and their options to the batch. Skips blank lines and lines that begin with '#'.
// A fault names the line.
Result<void> read_input(std::istream& lines, GetBatch& batch);
// The same, but a fault names this line, whichever it is.
Result<void> read_input(std::istream& lines, GetBatch& batch, std::size_t line);

// The options that the batch has for one of its URLs.
UrlOptions options_at(const GetBatch& batch, std::size_t position);

}  // namespace haul::cli
