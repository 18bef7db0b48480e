#pragma once
// Whether what is on the shelves is still there (S0-28): a file that is gone takes its asset with
// it, and a book without any goes back to the archive. Nobody else may notice for years.

#include <functional>
#include <map>
#include <optional>

#include "base/clock.h"
#include "io/whereabouts.h"
#include "store/store.h"

namespace haul {

struct LibrarySettings {
  Millis check_every{std::chrono::minutes{10}};  // All of it.
  Millis missing_after{60'000};                  // A file is replaced in less; see Library.
};

// Pure. A disk that is not mounted leaves a bare folder on another disk than the file was on: that
// is not a deletion. `device` is where the file was last seen, if it was seen here at all.
bool is_deleted(const Whereabouts& seen, const std::optional<std::uint64_t>& device);

class Library {
 public:
  using Look = std::function<Whereabouts(const std::string& path)>;
  Library(Store& store, const Clock& clock, Look look, LibrarySettings settings);

  // Looks at what is due, a bounded number of files; how long nothing more is due. A file counts as
  // missing when it was found deleted, and again once `missing_after` has passed.
  Millis step();

 private:
  struct Suspect {
    Asset asset;
    Steady since;
  };

  void look_again();
  void look_on();
  bool finds_deleted(const Asset& asset);

  Store& store_;
  const Clock& clock_;
  Look look_;
  LibrarySettings settings_;
  std::optional<Steady> began_;  // The walk that is on, or was the last.
  bool walking_ = false;
  FileId after_;
  std::map<FileId, std::uint64_t> devices_;  // Where each was seen,
  std::map<FileId, std::uint64_t> walked_;   // and what of that the walk so far has seen again.
  std::map<FileId, Suspect> suspects_;
};

}  // namespace haul
