#pragma once
// Declares the options of `haul get` that curl, wget and aria2 have, too.

#include "cli/commands/get_more.h"

namespace CLI {
class App;
}  // namespace CLI

namespace haul::cli {

void declare_more(CLI::App& command, GetMore& more);

}  // namespace haul::cli
