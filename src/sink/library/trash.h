#pragma once
// The trash of a download root. It touches only files that its indexes list.

#include <filesystem>
#include <memory>
#include <string>

#include "seam/trash.h"

namespace haul::library {

struct TrashSettings {
  std::filesystem::path root;  // The download root.
  std::string store;           // Id of haul's store. Files of other stores are not haul's to touch.
  Millis keeps_for{0};
};

std::unique_ptr<Trash> make_trash(TrashSettings settings);

}  // namespace haul::library
