#pragma once
// Files that a sink keeps for its assets, as the API reads them. app/ passes in how they are
// opened.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/fault.h"

namespace haul::api {

// An open file of this machine. Threads may share it.
class KeptFile {
 public:
  virtual ~KeptFile() = default;
  virtual std::int64_t size() const = 0;
  // The bytes from `at` on, at most so many. Empty at the end.
  virtual Result<std::string> read(std::int64_t at, std::size_t most) const = 0;
  // These bytes are read soon: has the system fetch them from the disk meanwhile.
  virtual void read_ahead(std::int64_t at, std::int64_t size) const = 0;
};

enum class KeptForm : std::uint8_t { whole, thumbnail };

struct KeptCopy {
  std::shared_ptr<const KeptFile> file;  // Null if only `link` leads to it.
  std::string link;                      // A4-11: another server's, valid for minutes.
  std::string type;                      // "image/png"
};

// Opens the file of an asset by the asset's path. May wait for the disk. Fault `no_such_object`
// (permanent) if no sink keeps it.
using OpenKept = std::function<Result<KeptCopy>(const std::string& path, KeptForm form)>;

}  // namespace haul::api
