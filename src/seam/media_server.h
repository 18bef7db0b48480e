#pragma once
// The interface of a server that indexes a library, such as Plex or Jellyfin. It reports what it
// lists and decides nothing: it neither retries nor touches the store.
//
// Faults of every call: `server_unreachable` (no connection, no answer in time, or the server is
// still starting) and `server_refused_token` are of the kind environment, `server_garbage` and
// `server_busy` retryable. `path_not_mapped` and `path_not_in_library` are of the kind environment:
// only an operator can fix them. None of them means that a file was not found.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "seam/sight.h"

namespace haul {

// A question that is open. Destroying it withdraws it, from any thread: its callback does not begin
// after that. A callback that has begun on the loop's thread may still be running then. Only the
// destructor of the server waits for it.
struct ServerQuestion {
  virtual ~ServerQuestion() = default;
};

// A file in the library.
struct WantedFile {
  std::string path;  // Absolute, as haul sees it.
  std::int64_t size = 0;

  bool operator==(const WantedFile&) const = default;
};

// The files of one job, and what narrows the search for them. Only path and size prove anything.
struct FindFiles {
  std::string kind;  // "movie" or "series". Empty if unknown.
  std::string title;
  std::optional<int> season;
  std::vector<WantedFile> files;
};

// Call from any thread; every call returns at once. Callbacks run on the server's own loop thread,
// once, unless the returned question is destroyed first.
class MediaServer {
 public:
  using Told = std::function<void(Result<void>)>;
  using Found = std::function<void(Result<std::vector<PlacedFile>>)>;

  virtual ~MediaServer() = default;
  virtual std::string_view name() const = 0;  // "plex"
  // What find() compares: "path" (with the size), or only the "title", if the user chose that.
  virtual std::string_view match() const { return "path"; }
  // Asks the server to look for new files in these folders, which are absolute as haul sees them. A
  // good answer means that the server was told, not that it has looked. May take 30 seconds longer
  // than the server needs, because one folder is not told twice in that time.
  virtual std::unique_ptr<ServerQuestion> tell(std::vector<std::string> folders, Told done) = 0;
  // Those of the wanted files that the server lists with the same path and size, in their order.
  virtual std::unique_ptr<ServerQuestion> find(FindFiles wanted, Found done) = 0;
};

// What haul itself guarantees of a question. Every server checks it first.
void ensure_tellable(const std::vector<std::string>& folders, const MediaServer::Told& done);
void ensure_findable(const FindFiles& wanted, const MediaServer::Found& done);

}  // namespace haul
