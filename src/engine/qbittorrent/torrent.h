#pragma once
// A torrent as the client reports it. The report is untrusted: any field may have any value.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "engine/qbittorrent/info_hash.h"
#include "engine/qbittorrent/sharing.h"

namespace haul::qbittorrent {

// The client's states, by what they mean to haul (A0-3).
enum class TorrentState : std::uint8_t {
  metadata,  // The client has a magnet link and fetches its metadata.
  queued,
  stopped,  // A user stopped it before it was done.
  checking,
  resuming,  // The client has just started and checks what it has.
  active,
  stalled,  // Active, but no bytes come.
  moving,   // The client moves its files to another folder.
  finished,
  error,
  missing_files,
  unknown,
};
TorrentState torrent_state(std::string_view word);

struct Torrent {
  std::string id;
  InfoHash hash;
  std::string word;  // The client's word for the state.
  TorrentState state = TorrentState::unknown;
  std::optional<std::int64_t> size;  // Of the wanted files. No value until it is known.
  std::int64_t have = 0;
  std::int64_t speed = 0;            // Bytes a second.
  std::optional<std::int64_t> left;  // Bytes still to fetch.
  bool is_whole = false;  // Progress is 1: all that is checked or fetched so far is there.
  std::string save_path;
  std::string content_path;
  std::string download_path;
  std::vector<std::string> tags;
  std::optional<std::int64_t> active_at_s;  // When bytes last moved, in seconds since 1970.
  Sharing sharing;

  bool has_tag(std::string_view tag) const;
  // Compares the id and both hashes, whole or cut to forty digits.
  bool is(std::string_view name) const;
  bool is(const InfoHash& wanted) const;
};

// `client_garbage` if the text is no list. Leaves out an entry without a valid id, so that one bad
// entry never spoils the others.
Result<std::vector<Torrent>> read_torrents(std::string_view json);

// "haul-a1b2c3d4e5f6-found": on a torrent that this store found in the client and did not add
// itself. The store never removes it.
std::string found_tag(std::string_view store);
// "haul-a1b2c3d4e5f6-7": the tag of an order of this store.
bool is_order_tag(std::string_view tag, std::string_view store);
// Begins with "haul-": a tag of this store, of another store, or of a user.
bool is_haul_tag(std::string_view tag);

}  // namespace haul::qbittorrent
