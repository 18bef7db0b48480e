#pragma once
// Finds the user that a command line names.

#include <cstdint>
#include <string>

#include "cli/remote/answers.h"

namespace haul::cli {

// The id of a user given by id or by name; `no_such_user` if no user has that name.
OrFailure<std::int64_t> user_id(Remote remote, const std::string& user);

}  // namespace haul::cli
