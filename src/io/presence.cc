#include "io/presence.h"

#include <sys/stat.h>

#include <cerrno>
#include <system_error>

namespace haul {

Presence look_for_file(const std::filesystem::path& path) {
  struct stat about{};
  if (::lstat(path.c_str(), &about) == 0) return Presence::there;
  if (errno != ENOENT) return Presence::unsure;
  std::error_code error;
  const bool empty = std::filesystem::is_empty(path.parent_path(), error);
  return error || empty ? Presence::unsure : Presence::gone;
}

}  // namespace haul
