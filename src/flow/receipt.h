#pragma once
// The proof that allows haul to remove a source. Only verify() can make one, and clean() takes
// nothing else.

#include <optional>
#include <string>

#include "seam/sight.h"

namespace haul {

// What haul put into the library.
struct Landing {
  JobId job;
  std::string path;
  std::int64_t size = 0;
};

class Receipt {
 public:
  JobId job() const { return landing_.job; }
  const Landing& landing() const { return landing_; }
  // What verify() compared, for the event.
  std::string to_json() const;

 private:
  explicit Receipt(Landing landing) : landing_{std::move(landing)} {}
  friend std::optional<Receipt> verify(const Landing& landing, const Indexed& seen);
  Landing landing_;
};

// A receipt if the media server lists exactly what landed: the same path and the same size. A title
// proves nothing (A1-4, promise 11).
std::optional<Receipt> verify(const Landing& landing, const Indexed& seen);

}  // namespace haul
