#pragma once
// Compares the bytes of a file with the hashes that a request has for it.

#include <atomic>
#include <cstddef>
#include <memory>
#include <stop_token>
#include <vector>

#include "base/piece_hashes.h"
#include "base/request_value.h"
#include "io/file/folder.h"

namespace haul::io {

struct PieceCheck {
  std::shared_ptr<const File> file;
  Checksum whole;  // If the whole file has this hash, its pieces are not read.
  std::shared_ptr<const PieceHashes> pieces;
  std::vector<std::size_t> only;                  // The pieces to check. Empty: all.
  std::stop_token stop;                           // Ends the check early: fault `stopped`.
  std::shared_ptr<std::vector<std::size_t>> bad;  // Gets the numbers of the damaged pieces.
  // Gets the whole file's hash of its algorithm if the check has read all of a good file. Null:
  // none is taken.
  std::shared_ptr<Checksum> taken{};
};

// Fault `checksum_mismatch` if the whole file is damaged, but none of its pieces is.
Result<void> check_pieces(const PieceCheck& check, const std::atomic<bool>& ending);

}  // namespace haul::io
