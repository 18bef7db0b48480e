#pragma once
// What a worker knows of a film that it holds.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ensure.h"
#include "flow/media/receipt.h"
#include "flow/worker/desk.h"
#include "seam/sink.h"
#include "store/store.h"

namespace haul::flow {

// What goes on for the film, and so whose answer it waits for.
enum class Doing : std::uint8_t {
  nothing,
  listing,    // The client looks at the files that it fetched.
  landing,    // The library imports them.
  proving,    // The library asks the media server for them.
  releasing,  // The client lets go of the transfer.
  cleaning,   // The library removes the sources.
};

struct Importing final : HandlerState {
  Doing doing = Doing::nothing;
  int setbacks = 0;                         // Waits since the last step that succeeded.
  std::optional<Steady> missing_since{};    // The client does not list the transfer.
  std::vector<SourceFile> sources{};        // What the client fetched. Empty until it is listed.
  std::vector<ByHand> by_hand{};            // What a user said about it.
  Landing landing{};                        // What is in the library.
  std::string evidence{};                   // What the library reported of it, JSON.
  std::optional<ImportReceipt> receipt{};   // The media server lists all of it.
  std::vector<ManifestFile> files{};        // While cleaning: the manifest.
  std::map<FileId, std::string> details{};  // While cleaning: why a file stays.

  bool is_in_library() const {
    return doing == Doing::landing || doing == Doing::proving || doing == Doing::cleaning;
  }
};

inline Importing& importing(const Held& held) {
  ensure(held.own != nullptr, "a handler knows the jobs that it has begun");
  return static_cast<Importing&>(*held.own);
}

Parcel parcel_of(const Held& held);

// The same for a film that no worker need hold, if its user says this about it. Without sources if
// the client has not fetched it.
Parcel preview_parcel(Store& store, const Job& job, std::span<const ByHand> said);

// All files of a job's manifest.
std::vector<ManifestFile> manifest_of(Store& store, JobId job);

}  // namespace haul::flow
