#pragma once
// What `haul verify` needs: where the receipts are, and how a file is compared with its own.

#include "cli/commands/verify.h"

namespace haul::app {

cli::Verifier make_verifier();

}  // namespace haul::app
