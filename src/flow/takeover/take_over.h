#pragma once
// Z-17: takes the downloads of an old database over into a store, as films with their past.

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "store/old_downloads.h"
#include "store/store.h"

namespace haul::flow {

// A row that stays out.
struct LeftOut {
  std::string row;  // Its id.
  std::string code;
  std::string detail;

  bool operator==(const LeftOut&) const = default;
};

struct TakenOver {
  std::size_t rows = 0;                      // Of the old database.
  std::map<std::string, std::size_t> added;  // By state.
  std::size_t already = 0;                   // An earlier takeover, or a user, has added them.
  std::size_t over = 0;                      // Cleaned up there: nothing is left to do.
  std::size_t left_out = 0;
  std::vector<LeftOut> problems;  // The first kProblemsMax of those left out.

  std::size_t added_in_all() const;
};

inline constexpr std::size_t kProblemsMax = 100;

struct TakeOver {
  OldDownloads& old;
  // Which of these keys of callers the store has. Reads only.
  std::function<std::vector<bool>(std::span<const std::string> keys)> known;
  // Called before the first film is added. Not set: a trial, which adds nothing.
  std::function<Store&()> open;
  Time now;
  std::function<void(std::size_t done, std::size_t rows)> tell{};  // After each part; may be empty.
};

// Adds what is not there yet, and first marks the store as restored (Z-31), so that haul acts on
// nothing outside until an admin says so. Each part of the rows is one transaction; a takeover that
// was cut off goes on where it ended.
TakenOver take_over(const TakeOver& what);

}  // namespace haul::flow
