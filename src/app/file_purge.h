#pragma once
// Removes the files of deleted jobs whose users asked for that: the work of a duty. Only files that
// a receipt of the job proves haul landed, that are still the same, and that no other job needs.

#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "base/clock.h"
#include "io/file/destination.h"
#include "io/file/landed_file.h"
#include "store/store.h"

namespace haul::app {

class FilePurge {
 public:
  // Whether this process still has the duty, and goes on. Asked before each file.
  using MayRemove = std::function<bool()>;
  // Hears of a purge that has ended, and of one that begins to wait for something.
  using Told = std::function<void(const Purge& purge)>;
  FilePurge(Store& store, const Clock& clock, io::Destinations destinations, MayRemove may_remove,
            Told told);

  // Looks at a bounded number of items, and returns when to call it again. Z-31: removes none in a
  // restored store.
  Millis step();

 private:
  struct Work;

  // Goes on with one purge. False if it has to wait for something.
  bool advance(const Purge& purge);
  // Removes what the next items have landed. Sets Purge::detail if it has to wait.
  void remove_some(Work& work, const std::vector<Item>& items);
  Result<io::LandedOutcome> remove(Work& work, const Item& item) const;
  // Removes the item's file from the open folder that has it.
  Result<io::LandedOutcome> remove_from(const io::Folder& folder, const Item& item) const;
  // Why another job needs the file; empty if none does. Faults while one may take it.
  Result<std::string> why_needed(const Item& item, std::uint64_t inode) const;
  io::FileAtLanding landed_of(const Item& item) const;
  // Flushes the folders that lost files, and removes those below the job's own that are empty.
  Result<void> tidy_folders(const Work& work) const;

  Store& store_;
  const Clock& clock_;
  const io::Destinations destinations_;
  const MayRemove may_remove_;
  const Told told_;
  JobId after_;  // The purges up to this one were looked at in this round.
};

}  // namespace haul::app
