#pragma once
// `haul get` with Metalinks: the files that they describe, as URLs with options.

#include "base/metalink.h"
#include "cli/commands/get_words.h"

namespace haul::cli {

struct GetOptions;

// Whether the argument names a Metalink: its name ends in .meta4.
bool names_metalink(std::string_view argument);

// Whether a URL of the command may turn out to be a Metalink, by the type of the answer. Not if an
// option says what the file is, such as -o; what a Metalink describes is downloaded as it is.
bool may_be_metalinks(const GetOptions& options);

void add_files(const Metalink& metalink, GetBatch& batch);

}  // namespace haul::cli
