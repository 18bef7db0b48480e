// A download whose request has hashes of the file's pieces. Damaged pieces come again, from a
// source that has not sent them, if there is one.

#include <fmt/core.h>

#include "engine/http/download.h"

namespace haul::http {

void Download::check_pieces() {
  // The first check compares the whole file. The later ones leave that to the landing.
  const bool is_first = pieces_.rounds == 0;
  auto bad = std::make_shared<std::vector<std::size_t>>();
  if (!job_->request.hash.empty())
    taken_ = std::make_shared<Checksum>(Checksum{job_->request.hash, {}});
  env_.lander.check({.file = landing_.file(),
                     .whole = is_first ? given_sum() : Checksum{},
                     .pieces = std::shared_ptr<const PieceHashes>{job_, &own().pieces},
                     .only = pieces_.suspect,
                     .stop = check_.get_token(),
                     .bad = bad,
                     .taken = taken_},
                    on_loop([this, bad](const Result<void>& result) { see_pieces(result, *bad); }));
}

void Download::see_pieces(const Result<void>& result, const std::vector<std::size_t>& bad) {
  if (!is_filling()) return;
  if (!result) return fail(result.error());
  if (!bad.empty()) return fetch_pieces(bad);
  pieces_.is_passed = true;
  pieces_.is_whole_right = pieces_.rounds == 0 && !given_sum().hex.empty();
  fetched();
}

void Download::fetch_pieces(const std::vector<std::size_t>& bad) {
  const PieceHashes& hashes = own().pieces;
  const std::int64_t size = served_.version.size.value_or(0);
  const auto damaged = [&] {
    return Fault{FaultKind::retryable, "checksum_mismatch",
                 fmt::format("{} of {} pieces are damaged", bad.size(), hashes.hashes.size())};
  };
  // A single source gets one more chance.
  const bool is_again = sources_.size() == 1 && pieces_.rounds == 0;
  for (const std::size_t piece : bad)
    if (!is_again) pieces_.blame.add(piece, piece_range(hashes, piece, size), sent_);
  const auto source = pieces_.blame.choose(bad, sources_.size());
  if (!source || ++pieces_.rounds > 2 * sources_.size()) return fail(damaged());
  pieces_.suspect = bad;
  senders_ = senders();
  sent_.clear();
  for (const std::size_t piece : bad)
    if (!pieces_.blame.has(piece, *source)) done_.remove(piece_range(hashes, piece, size));
  if (*source != main_) {
    main_ = *source;
    served_.version = {.size = size};
    served_.takes_ranges = true;
  }
  connections_ = Connections::one;
  if (auto set = set_address(); !set) return fail(set.error());
  ask_again();
}

}  // namespace haul::http
