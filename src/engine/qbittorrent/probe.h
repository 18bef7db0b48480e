#pragma once
// One request to the client, for an operator who sets haul up.

#include "engine/qbittorrent/session.h"

namespace haul::qbittorrent {

struct ProbeAnswer {
  WebApiReply reply;
  ApiVersion version;
};

// Logs in and asks once. Blocks until the answer is there.
Result<ProbeAnswer> ask_once(const Clock& clock, const QbittorrentSettings& settings,
                             const WebApiCall& call);

}  // namespace haul::qbittorrent
