#pragma once
// The API key of the person who runs haul on this machine, made at the first start. The store keeps
// its hash; a file in the data folder keeps its text, readable only by the file's owner.

#include <filesystem>
#include <string>

#include "store/store.h"

namespace haul::app {

struct AdminKey {
  std::filesystem::path file;
  std::string text;
};

// Makes a new key if the file is lost or its key no longer works, and then revokes the earlier
// admin.key. Afterwards user 1 is always an active admin: if it was blocked or demoted, its keys,
// sessions and password end, and it gets a new key.
AdminKey ensure_admin_key(Store& store, const std::filesystem::path& data, Time now);

}  // namespace haul::app
