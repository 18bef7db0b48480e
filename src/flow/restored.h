#pragma once
// Z-31: what a store restored from a backup leaves undone until an admin clears it. Nothing is
// sent, paid, deleted or added at a client, because the acts since the backup are not in it. Reads,
// proofs and downloads go on.

#include <string_view>

#include "store/job.h"

namespace haul {

// The code that `why` shows, and the reason of a job that waits with its proof in hand.
inline constexpr std::string_view kRestored = "restored";

// Whether a worker takes jobs of this lifecycle in a restored store: relays send and images pay.
bool begins_when_restored(const Lifecycle& lifecycle);

// Whether the job's next act is one that a restored store leaves undone.
bool is_held_back(const Job& job, bool cancel_asked);

}  // namespace haul
