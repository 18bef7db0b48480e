#pragma once
// Looks after what has arrived: a file that somebody removed is no asset any more, and its book
// goes back to the archive (S0-28).

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "io/presence.h"
#include "store/store.h"

namespace haul {

struct LibraryLook {
  std::size_t looked = 0;
  std::vector<Asset> lost;          // Written down as missing,
  std::vector<std::string> unsure;  // and not: their disk may be.
};

// Not for two threads at once.
class LibraryCheck {
 public:
  using LookFor = std::function<Presence(const std::string& path)>;

  LibraryCheck(Store& store, LookFor look_for) : store_{store}, look_for_{std::move(look_for)} {}

  // At every book's file. One of which nobody can be sure is missing when it is so twice in a row.
  LibraryLook run(Time now);

 private:
  Store& store_;
  LookFor look_for_;
  std::set<FileId> unsure_;  // Of the last look.
};

}  // namespace haul
