#pragma once
// The answer to a dry run of an import.

#include <string>

#include "flow/worker/lifecycle_work.h"

namespace haul::api {

std::string to_json(const ImportPreview& preview);

}  // namespace haul::api
