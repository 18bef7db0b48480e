#include "sink/server/file_search.h"

#include <utility>

namespace haul::media_server {

FileSearch::FileSearch(FindFiles files, Wanted wanted, MediaServer::Found answer)
    : files_{std::move(files)}, wanted_{std::move(wanted)}, answer_{std::move(answer)} {}

void FileSearch::locate(ServerPlaces& places, Then then) {
  places.locate(paths_of(files_), files_.kind,
                [this, then = std::move(then)](const Result<LocatedPaths>& located) {
                  if (!located) return then(std::unexpected{located.error()});
                  searches_ = searches_for(files_, located->places);
                  then(located->requests);
                });
}

LibrarySearch* FileSearch::at_hand() { return at_ < searches_.size() ? &searches_[at_] : nullptr; }

const LibrarySearch* FileSearch::at_hand() const {
  return at_ < searches_.size() ? &searches_[at_] : nullptr;
}

void FileSearch::answer() const { answer_(found_files(files_, searches_)); }

}  // namespace haul::media_server
