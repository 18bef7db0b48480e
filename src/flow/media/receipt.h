#pragma once
// The proof that allows haul to remove a source. Only verify() can make one, and clean() takes
// nothing else.

#include <optional>
#include <string>
#include <vector>

#include "seam/sight.h"

namespace haul::flow {

// What haul put into the library.
struct Landing {
  JobId job;
  std::vector<PlacedFile> files;
};

class ImportReceipt {
 public:
  JobId job() const { return landing_.job; }
  const Landing& landing() const { return landing_; }
  // What verify() compared, who listed it and by what, for the event.
  std::string to_json() const;

 private:
  ImportReceipt(Landing landing, const Indexed& seen)
      : landing_{std::move(landing)}, by_{seen.by}, match_{seen.match} {}
  friend std::optional<ImportReceipt> verify(const Landing& landing, const Indexed& seen);
  Landing landing_;
  std::string by_;
  std::string match_;
};

// A receipt if the media server lists every file that landed, by the same path and with the same
// size. A title proves nothing (A1-4, promise 11), and one file proves nothing about another. If
// the user lets the server match by title (Indexed::match), the receipt says so.
std::optional<ImportReceipt> verify(const Landing& landing, const Indexed& seen);

}  // namespace haul::flow
