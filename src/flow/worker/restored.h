#pragma once
// Z-31: what haul does not do in a store restored from a backup, until an admin clears it. haul
// sends, pays and deletes nothing, and adds nothing at a client, because the backup does not have
// the acts since it was made. Reads, proofs and downloads go on.

#include <string_view>

#include "store/job.h"

namespace haul::flow {

// The code that `why` shows, and the reason of a verified media job that waits to be cleaned.
inline constexpr std::string_view kRestored = "restored";

// Whether a worker claims jobs of this lifecycle in a restored store. It leaves relays, which send,
// and images, which pay.
bool begins_when_restored(const Lifecycle& lifecycle);

// Whether the job waits because its next act is one that haul does not do in a restored store.
bool is_held_back(const Job& job, bool cancel_asked);

}  // namespace haul::flow
