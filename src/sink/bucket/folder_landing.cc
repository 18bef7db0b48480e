#include "sink/bucket/folder_landing.h"

#include <fmt/core.h>

#include <utility>

#include "sink/bucket/staged_image.h"

namespace haul::bucket {
namespace {

Failed failed(Fault fault) { return {.fault = std::move(fault), .checkpoint = {}}; }

}  // namespace

What land_in_folder(const ObjectFolder& objects, const Parcel& parcel,
                    const std::stop_token& stop) {
  auto image = read_staged(parcel);
  if (!image) return failed(image.error());
  const io::PartOwner owner{objects.store(), parcel.job, 0, parcel.fence};
  const std::string key = original_key(owner, image->type);
  const auto original =
      objects.put({.key = key, .from = image->path, .sha256 = image->sha256, .owner = owner}, stop);
  if (!original && original.error().code == "stopped") return Stopped{};
  if (!original) return failed(original.error());
  if (original->size != image->size)
    return failed({FaultKind::retryable, "staged_changed", "the image has another size"});
  if (!image->thumbnail.empty()) {
    const auto small =
        objects.put({.key = thumbnail_key(owner), .from = image->thumbnail, .owner = owner}, {});
    // A paid image is not lost because its thumbnail is.
    if (!small && small.error().code != "staged_gone") return failed(small.error());
    if (!small) image->thumbnail.clear();
  }
  return Landed{.files = {{key, original->size}},
                .evidence = landed_evidence(*image, owner, "folder"),
                .told = {}};
}

What check_folder(const ObjectFolder& objects) {
  for (const char* above : {"originals", "thumbnails"}) {
    auto checked = objects.check(fmt::format("{}/{}/check", above, objects.store()));
    if (checked) continue;
    Fault fault = std::move(checked).error();
    fault.kind = FaultKind::environment;  // Whatever it is, no image can be kept.
    return failed(std::move(fault));
  }
  return Usable{};
}

}  // namespace haul::bucket
