#pragma once
// Checks that the files of books still exist (S0-28). If a file is gone, its asset becomes missing,
// and a book without assets goes back to the archive. Nothing else in haul would notice.

#include <functional>
#include <map>
#include <optional>

#include "base/clock.h"
#include "seam/file_presence.h"
#include "store/store.h"

namespace haul::flow {

struct BookCheckSettings {
  Millis check_every{std::chrono::minutes{10}};  // How often a walk over all files begins.
  Millis missing_after{60'000};                  // Longer than replacing a file takes; see step().
};

// Whether a file was deleted. A disk that is not mounted is no deletion: it leaves an empty folder,
// on another device than the file was on. `device` is where this process last saw the file, if it
// has. Pure.
bool is_deleted(const FilePresence& seen, const std::optional<std::uint64_t>& device);

class BookCheck {
 public:
  using Look = std::function<FilePresence(const std::string& path)>;
  // Asks the store whether this process still has the duty to check. Called before each write,
  // because looking at a slow disk can take longer than another process waits for this one.
  using MayWrite = std::function<bool()>;
  BookCheck(Store& store, const Clock& clock, Look look, BookCheckSettings settings,
            MayWrite may_write);

  // Checks the files that are due, a bounded number, and returns when to call it again. A file is
  // missing if two checks, at least `missing_after` apart, find it deleted.
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
  BookCheckSettings settings_;
  MayWrite may_write_;
  std::optional<Steady> began_;  // When the current or the last walk began.
  bool walking_ = false;
  FileId after_;
  std::map<FileId, std::uint64_t> devices_;  // Device on which each file was last seen.
  std::map<FileId, std::uint64_t> walked_;   // The same, for files that this walk has reached.
  std::map<FileId, Suspect> suspects_;
};

}  // namespace haul::flow
