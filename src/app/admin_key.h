#pragma once
// The key of whoever runs haul on this machine: made at the first start. The store has its hash,
// the data folder its text, for nobody but its owner to read.

#include <filesystem>
#include <string>

#include "store/store.h"

namespace haul {

struct AdminKey {
  std::filesystem::path file;
  std::string text;
};

// One that no longer opens anything, or is lost, is made anew.
AdminKey ensure_admin_key(Store& store, const std::filesystem::path& data, Time now);

}  // namespace haul
