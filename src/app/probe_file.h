#pragma once
// A small file with a random name, which another program is asked for. It goes with this object.

#include <filesystem>
#include <memory>
#include <string>

#include "base/fault.h"
#include "io/file/folder.h"

namespace haul::app {

class ProbeFile {
 public:
  // Writes the file and reads it again, by the folder's path.
  static Result<std::unique_ptr<ProbeFile>> make(const std::filesystem::path& folder);
  // The file is not written yet.
  ProbeFile(io::Folder folder, std::string name);
  ~ProbeFile();
  ProbeFile(const ProbeFile&) = delete;
  ProbeFile& operator=(const ProbeFile&) = delete;

  const std::string& name() const { return name_; }

 private:
  Result<void> write();
  Result<void> read() const;

  const io::Folder folder_;
  // Not hidden: qBittorrent leaves hidden files out of its lists.
  const std::string name_;
  bool is_made_ = false;  // haul removes no file that it has not made.
};

}  // namespace haul::app
