#include "io/file/filled_part.h"

#include "base/ensure.h"
#include "io/file/lander.h"

namespace haul::io {
namespace {

Result<void> give_name(const PartPlace& place, const std::string& part) {
  if (place.if_taken == PartPlace::IfTaken::replace)
    return place.folder.replace(place.folder, part, place.name);
  return place.folder.rename(part, place.name);
}

Result<void> fill_and_name(const PartPlace& place, const std::string& part, const FillPart& fill) {
  place.folder.remove(part);  // Its name says that it is the owner's.
  auto file = place.folder.create(part);
  if (!file) return std::unexpected{file.error()};
  if (auto filled = fill(*file); !filled) return filled;
  const bool is_before = flush_order(place.folder.journal(), NamedAs::part) == FlushOrder::before;
  if (auto flushed = is_before ? file->flush() : file->write_out(); !flushed) return flushed;
  return give_name(place, part);
}

}  // namespace

Result<void> place_filled_part(const PartPlace& place, const FillPart& fill) {
  ensure(!place.name.empty() && !place.owner.store.empty(), "a part has a final name and an owner");
  const std::string part = part_name(place.name, place.owner);
  auto placed = fill_and_name(place, part, fill);
  if (!placed) place.folder.remove(part);
  return placed;
}

}  // namespace haul::io
