#pragma once
// Which video of a download is the film.

#include <cstddef>
#include <expected>
#include <optional>
#include <span>

#include "sink/library/import_request.h"
#include "sink/library/select.h"

namespace haul::library {

// The index of the largest of these videos, of which there is at least one. In a collection of
// films, the one of that year. Refuses `ambiguous` for a film in several parts, and for several
// films of which the year does not choose one. `shared` is the size of the folder that all share.
std::expected<std::size_t, ImportRefusal> choose_film(std::span<const ImportFile> videos,
                                                      std::optional<int> year, std::size_t shared);

}  // namespace haul::library
