#pragma once
// Words, phrases and patterns that a text may not contain.

#include <memory>
#include <string_view>

#include "base/fault.h"

namespace haul {

// Compares folded text (base/fold.h). A word matches whole words only; between the words of a
// phrase anything but letters and digits may stand. A pattern matches anywhere. Immutable, so any
// thread may ask.
class Blocklist {
 public:
  // One entry per line: a word or a phrase, or a regular expression (RE2) between slashes. Blank
  // lines and lines that begin with # are skipped. A fault names the line. At most 1 MiB, 10,000
  // words and 1,000 patterns.
  static Result<Blocklist> read(std::string_view text);
  Blocklist();  // Blocks nothing.
  Blocklist(Blocklist&&) noexcept;
  Blocklist& operator=(Blocklist&&) noexcept;
  ~Blocklist();

  bool blocks(std::string_view text) const;

 private:
  struct Patterns;
  std::unique_ptr<const Patterns> patterns_;  // Null if there are none.
};

}  // namespace haul
