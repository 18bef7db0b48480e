#include "seam/media_server.h"

#include <algorithm>

#include "base/ensure.h"

namespace haul {
namespace {

bool is_absolute(const std::string& path) { return path.starts_with('/'); }

}  // namespace

void ensure_tellable(const std::vector<std::string>& folders, const MediaServer::Told& done) {
  ensure(static_cast<bool>(done), "a question has a callback for its answer");
  ensure(!folders.empty(), "a server is told of at least one folder");
  ensure(std::ranges::all_of(folders, is_absolute), "a folder of the library is absolute");
}

void ensure_findable(const FindFiles& wanted, const MediaServer::Found& done) {
  ensure(static_cast<bool>(done), "a question has a callback for its answer");
  ensure(!wanted.files.empty(), "a server is asked for at least one file");
  ensure(std::ranges::all_of(wanted.files, is_absolute, &WantedFile::path),
         "a file of the library has an absolute path");
  ensure(std::ranges::all_of(wanted.files, [](const WantedFile& file) { return file.size >= 0; }),
         "a file of the library has a size");
}

}  // namespace haul
