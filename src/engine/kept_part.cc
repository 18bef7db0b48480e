#include "engine/kept_part.h"

#include "engine/get_request.h"
#include "io/file/left_parts.h"

namespace haul::engine {

void remove_kept_part(const io::Destinations& destinations, const Order& order) {
  const io::Checkpoint kept = io::Checkpoint::from_json(order.checkpoint);
  const auto request = read_get_request(order.request.text());
  if (kept.part.empty() || !request) return;
  const auto folder =
      io::open_destination(destinations, request->folder, io::Folder::Missing::fault);
  if (folder) io::remove_kept_part(*folder, kept);
}

}  // namespace haul::engine
