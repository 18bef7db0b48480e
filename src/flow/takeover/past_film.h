#pragma once
// Turns a row of an old database into a film of haul's with its past (Z-17, S1-15, A1-10). Pure.

#include <expected>
#include <string>

#include "store/job.h"
#include "store/old_downloads.h"

namespace haul::flow {

// Whether nothing is left to do for the download: the old program has cleaned it up.
bool is_over(const OldDownload& old);

// The caller's key of the film, by which a second takeover finds it. The status is not part of it.
std::string key_of(const OldDownload& old);

// The film as haul adds it: each move at the time that the row gives for it, or else at the time of
// the move before. An imported one has the files that the media server must list. It gets no
// manifest, so haul never removes anything of it. The refusal says why the row is left out.
std::expected<PastJob, Refusal> past_film(const OldDownload& old, Time now);

}  // namespace haul::flow
