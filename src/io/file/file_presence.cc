#include "io/file/file_presence.h"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

namespace haul::io {
namespace {

namespace fs = std::filesystem;

bool is_empty_folder(const std::string& path) {
  std::error_code error;
  const fs::directory_iterator entries{path, error};
  return !error && entries == fs::directory_iterator{};
}

}  // namespace

FilePresence presence_of(const std::string& path) {
  struct stat about{};
  fs::path at{path};
  if (!at.is_absolute()) return {};
  if (::stat(path.c_str(), &about) == 0) {
    if (!S_ISDIR(about.st_mode) || !is_empty_folder(path))
      return {.is = FilePresence::Is::there, .device = about.st_dev};
    return {.is = FilePresence::Is::gone, .device = about.st_dev, .folder = path, .is_bare = true};
  }
  while (errno == ENOENT || errno == ENOTDIR) {
    if (at == at.parent_path()) return {};
    at = at.parent_path();
    if (::stat(at.c_str(), &about) != 0) continue;
    if (!S_ISDIR(about.st_mode)) {
      errno = ENOTDIR;
      continue;
    }
    return {.is = FilePresence::Is::gone,
            .device = about.st_dev,
            .folder = at.string(),
            .is_bare = is_empty_folder(at.string())};
  }
  return {};
}

}  // namespace haul::io
