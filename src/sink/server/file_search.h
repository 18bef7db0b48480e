#pragma once
// The frame of every search for files: it finds out which libraries may have them, goes through
// these one after the other, and answers once. Each server decides itself which lists it asks for.
// Lives on the loop's thread, inside the search that it is the frame of.

#include <functional>
#include <vector>

#include "seam/media_server.h"
#include "sink/server/matches.h"
#include "sink/server/places.h"
#include "sink/server/question.h"

namespace haul::media_server {

class FileSearch {
 public:
  // Gets how many requests it took.
  using Then = std::function<void(Result<int>)>;

  FileSearch(FindFiles files, Wanted wanted, MediaServer::Found answer);

  const FindFiles& files() const { return files_; }
  bool is_wanted() const { return wanted_->is_open(); }

  // Finds the libraries. `then` keeps the search alive.
  void locate(ServerPlaces& places, Then then);
  // The library at hand. Null once all have been gone through.
  LibrarySearch* at_hand();
  const LibrarySearch* at_hand() const;
  void leave_library() { ++at_; }

  // What was found.
  void answer() const;
  void fail(const Fault& fault) const { answer_(std::unexpected{fault}); }

 private:
  const FindFiles files_;
  const Wanted wanted_;
  const MediaServer::Found answer_;
  std::vector<LibrarySearch> searches_;
  std::size_t at_ = 0;  // Of searches_.
};

}  // namespace haul::media_server
