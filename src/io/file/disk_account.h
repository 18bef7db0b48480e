#pragma once
// Who may write how much to one disk. A transfer of known size reserves all it has yet to write, so
// that two of them never stop half-way for want of each other's space; one of unknown size takes
// what is left, and is the first that gets no more. Pure: the caller looks at the disk.

#include <cstdint>

namespace haul::io {

// What one transfer has reserved. Zero: its size is not known, or it is whole.
struct Reserved {
  std::int64_t bytes = 0;
};

class DiskAccount {
 public:
  // A look at the disk: what may still be written to it. Below zero: too much is written already.
  void see(std::int64_t room);

  // Both say how many bytes are missing, and change nothing then. Zero: granted.
  // Reserves all that a transfer has yet to write, in place of what it had reserved.
  std::int64_t reserve(Reserved& mine, std::int64_t bytes);
  // Bytes that are written now; what they had reserved they need no more.
  std::int64_t take(Reserved& mine, std::int64_t bytes);

  void give_back(Reserved& mine);
  // By all but this one.
  std::int64_t reserved_beside(const Reserved& mine) const { return reserved_ - mine.bytes; }

 private:
  std::int64_t missing_for(const Reserved& mine, std::int64_t bytes) const;

  std::int64_t room_ = 0;      // As far as is known since the last look.
  std::int64_t reserved_ = 0;  // By all together.
};

}  // namespace haul::io
