#pragma once
// Reads the configuration's file. No other code knows TOML.

#include <filesystem>
#include <functional>
#include <string>

#include "app/config/key.h"

namespace haul::app {

// The code of the fault if the file does not exist.
inline constexpr const char* kNoConfig = "no_config";

// A value in the file, as text: "a,b" for a list. Its type is the key's; its range is not checked.
struct FileValue {
  const ConfigKey* key = nullptr;
  std::string name;  // "transfer.folder"
  std::string text;
  std::string from;  // "haul.toml:3"
};

// Calls `take` for every value, until it refuses one. Refuses a file that is no TOML, an unknown
// key and a value of another type than its key's, each with its line.
Result<void> read_toml(const std::filesystem::path& file,
                       const std::function<Result<void>(const FileValue&)>& take);

}  // namespace haul::app
