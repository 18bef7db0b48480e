#pragma once
// The job of `haul get` in the store of its folder.

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>

#include "store/store.h"

namespace haul::app {

// Where `haul get` keeps the store of a destination. One spelling of the folder has one store, with
// or without a slash at its end.
std::filesystem::path get_data_folder(const std::filesystem::path& state,
                                      const std::filesystem::path& folder);

// Ends the jobs whose cancel an earlier run did not wait for. For a store that no worker uses.
void end_abandoned(Store& store, Time now);

// What to do about an open job of the same request.
enum class SameRequest : std::uint8_t { resume, add_another };
struct AskedGet {
  NewJob job;
  SameRequest if_same = SameRequest::resume;
  std::string replaces{};  // The link whose part the one URL of the request goes on with.
};
// Resumes the open job of the same request, or adds one. Pauses the folder's other jobs until a
// user asks for them again. Refused if there is nothing left of the link to replace.
std::expected<JobId, Refusal> find_or_add(Store& store, const AskedGet& asked, Time now);

// Which parts of ended jobs to remove.
enum class EndedParts : std::uint8_t {
  useless,  // Those that no later job can go on with.
  all,
};
// Removes parts of this store's ended jobs and the folders of programs that ran for them. A daemon
// may download into the same folder: its parts carry another store's id and stay.
void remove_ended_parts(Store& store, const std::filesystem::path& path,
                        EndedParts which = EndedParts::useless);

}  // namespace haul::app
