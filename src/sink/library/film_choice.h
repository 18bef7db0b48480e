#pragma once
// Which video of a download is the film.

#include <cstddef>
#include <expected>
#include <optional>
#include <span>

#include "sink/library/import_request.h"
#include "sink/library/select.h"

namespace haul::library {

// The index of the largest video, or in a collection of films that of the film of this year.
// `videos` is not empty. Refuses `ambiguous` for a film in several parts, and for a collection that
// has not exactly one film of the year. `shared` is the length of the folder's path that all share.
std::expected<std::size_t, ImportRefusal> choose_film(std::span<const ImportFile> videos,
                                                      std::optional<int> year, std::size_t shared);

}  // namespace haul::library
