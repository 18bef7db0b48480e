#pragma once
// A torrent as the client tells of it. What it tells is from outside: every field may be anything.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "engine/qbittorrent/info_hash.h"

namespace haul {

// The client's words for a state, by what they mean to us (A0-3).
enum class ClientState : std::uint8_t {
  metadata,  // It has a magnet link and looks for what that stands for.
  queued,
  stopped,  // By somebody, before it was done.
  checking,
  resuming,  // The client has just started and looks at what it has.
  active,
  stalled,  // Active, and no bytes come.
  moving,   // Its files are on their way from one folder to another.
  finished,
  error,
  missing_files,
  unknown,
};
ClientState client_state(std::string_view word);

struct ClientTorrent {
  std::string id;
  InfoHash hash;
  std::string word;  // Its state as the client says it.
  ClientState state = ClientState::unknown;
  std::optional<std::int64_t> size;  // Of what is wanted; nothing before that is known.
  std::int64_t have = 0;
  std::int64_t speed = 0;  // Bytes a second.
  std::optional<std::int64_t> left;
  bool is_whole = false;  // All that is checked or fetched so far is there: progress is 1.
  std::string save_path;
  std::string content_path;
  std::string download_path;
  std::vector<std::string> tags;
  std::optional<std::int64_t> active_at_s;  // When bytes last moved, in seconds since 1970.

  bool has_tag(std::string_view tag) const;
  // By any of its names.
  bool is(std::string_view name) const;
  bool is(const InfoHash& wanted) const;
};

// Refused (`client_garbage`): what is not a list. An entry without an id that is one is left out:
// one bad entry never spoils the others.
Result<std::vector<ClientTorrent>> read_torrents(std::string_view json);

// "haul-a1b2c3d4e5f6-found": on a torrent that this store found in the client and did not add
// itself. The store never removes it.
std::string found_tag(std::string_view store);
// "haul-a1b2c3d4e5f6-7": the tag of an order of this store.
bool is_order_tag(std::string_view tag, std::string_view store);
// Begins with "haul-": this store's, another store's, or somebody's own.
bool is_haul_tag(std::string_view tag);

}  // namespace haul
