#pragma once
// How much each transfer may write to one disk. A transfer of known size reserves all it has yet to
// write, so two of them never stop half-way on a full disk. One of unknown size reserves nothing,
// and stops first when space runs out. Pure: the caller asks the system for the free space.

#include <cstdint>

namespace haul::io {

// What one transfer has reserved. Zero: its size is unknown, or it has written all its bytes.
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
