#include "engine/qbittorrent/sight_of.h"

#include <fmt/core.h>

#include "base/json.h"

namespace haul::qbittorrent {
namespace {

Waiting waiting(std::string code) { return {.detail = {}, .code = std::move(code)}; }

Moving seen_moving(const Torrent& torrent) {
  return {.have = torrent.have,
          .size = torrent.size,
          .path = {},
          .checkpoint = {},
          .speed = static_cast<double>(torrent.speed)};
}

Failed failed(std::string code, std::string detail) {
  return {.fault = {FaultKind::permanent, std::move(code), std::move(detail)}, .checkpoint = {}};
}

// Z-2: what proves that the file is whole.
std::string evidence(const Torrent& torrent, const FoundFiles& found) {
  return fmt::format(
      R"({{"client":"qbittorrent","hash":"{}","state":{},"amount_left":0,"size":{}}})", torrent.id,
      json_quoted(torrent.word), found.size);
}

Moving seen_stalled(const Torrent& torrent, Time now) {
  Moving seen = seen_moving(torrent);
  seen.stalled = true;
  if (torrent.active_at_s) {
    const Time since = from_unix_ms(*torrent.active_at_s * 1'000);
    if (since <= now) seen.stalled_for = now - since;
  }
  return seen;
}

}  // namespace

bool needs_files(const Torrent& torrent) {
  return torrent.state == TorrentState::finished && torrent.left == 0 && torrent.size.has_value();
}

What sight_of(const Torrent& torrent, const FoundFiles& found, Time now) {
  using enum TorrentState;
  switch (torrent.state) {
    case metadata:
      return waiting("waiting_for_metadata");
    case queued:
      return waiting("queued_in_client");
    case stopped:
      return waiting("stopped_in_client");
    case checking:
      return waiting("checking_in_client");
    case resuming:
      return waiting("client_restarting");
    // An incomplete torrent still downloads. The files of a whole one are in two folders.
    case moving:
      return torrent.is_whole ? What{waiting("moving_in_client")} : What{seen_moving(torrent)};
    case active:
      return seen_moving(torrent);
    case stalled:
      return seen_stalled(torrent, now);
    case finished:
      // The client says finished, but bytes are left.
      if (!needs_files(torrent)) return seen_moving(torrent);
      return Finished{.path = found.path,
                      .size = found.size,
                      .in_place = found.why_not.empty(),
                      .evidence = evidence(torrent, found),
                      .why_not = found.why_not};
    case error:  // Z-3
      return failed("engine_error", "the client reports an error");
    case missing_files:
      return failed("missing_files", "the client does not find its files");
    case unknown:
      return waiting("unknown_in_client");
  }
  return waiting("unknown_in_client");  // Not reached: the switch is complete.
}

}  // namespace haul::qbittorrent
