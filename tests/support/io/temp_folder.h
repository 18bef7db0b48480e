#pragma once
// A temporary folder that its destructor removes.

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace haul::testing {

class TempFolder {
 public:
  TempFolder() : TempFolder{std::filesystem::temp_directory_path()} {}
  // In this folder instead of the system's.
  explicit TempFolder(const std::filesystem::path& in) {
    std::string name = (in / "haul-test-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error{"cannot make a temporary folder"};
    path_ = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace haul::testing
