#pragma once
// `haul get` with Metalinks: the files that they describe, as URLs with options.

#include "base/metalink.h"
#include "cli/commands/get_words.h"

namespace haul::cli {

// Whether the argument names a Metalink: its name ends in .meta4.
bool names_metalink(std::string_view argument);

void add_files(const Metalink& metalink, GetBatch& batch);

}  // namespace haul::cli
