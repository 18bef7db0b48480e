#pragma once
// The client's own rule for how long it shares a torrent that it has fetched. Pure.

#include <cstdint>
#include <optional>

#include "base/fault.h"
#include "base/time.h"
#include "seam/sight.h"

namespace haul::qbittorrent {

// A limit as the client reports it: the torrent's own one, and the one that is in force. The own
// one is -2 if the client's global or category limit counts, and -1 if there is none. The one in
// force is -1 if there is none.
struct ShareLimit {
  std::optional<double> own;
  std::optional<double> in_force;

  bool operator==(const ShareLimit&) const = default;
};

// What the client says about sharing a torrent. Any field may be missing.
struct Sharing {
  std::optional<double> ratio;  // Uploaded by downloaded. -1 if it is beyond what the client shows.
  std::optional<std::int64_t> seeded_s;
  std::optional<std::int64_t> active_at_s;  // When bytes last moved, in seconds since 1970.
  ShareLimit ratio_limit{};
  ShareLimit time_limit{};      // Minutes of seeding.
  ShareLimit inactive_limit{};  // Minutes without activity (4.6 and later).
  bool is_stopped = false;      // Its time does not count now.

  bool operator==(const Sharing&) const = default;
};

// No value if the client may let go of the torrent: one of its limits is reached, or it has none.
// The client itself stops to share at the first limit that is reached. Fault `client_garbage` if
// the torrent has a limit and the client does not say which.
Result<std::optional<Seeding>> judge_sharing(const Sharing& sharing, Time now);

}  // namespace haul::qbittorrent
