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

// Makes the key if its file is lost or no longer opens; an earlier admin.key is revoked then. User
// 1 is always an active admin after this: if it was blocked or demoted, its keys, sessions and
// password end, and it gets a new key.
AdminKey ensure_admin_key(Store& store, const std::filesystem::path& data, Time now);

}  // namespace haul
