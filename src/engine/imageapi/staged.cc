#include "engine/imageapi/staged.h"

#include <fmt/core.h>

#include "base/hash.h"
#include "base/size.h"
#include "io/file/folder.h"
#include "io/file/part_name.h"

namespace haul::imageapi {
namespace {

// "a1b2c3d4e5f6-3-0-1": whose image it is.
std::string stem_of(const Order& order) { return io::owner_text(io::owner_of(order)); }

std::string image_name(const Order& order, PictureType type) {
  return fmt::format("{}-image.{}", stem_of(order), ending_of(type));
}

std::string thumbnail_name(const Order& order) { return stem_of(order) + "-thumbnail.jpg"; }

// No job is at fault for a folder of haul's own, and its path is not for the job's owner.
std::unexpected<Fault> environment(const Fault& fault) {
  return std::unexpected{Fault{FaultKind::environment, fault.code,
                               "haul cannot write to the folder images of its data folder"}};
}

Result<void> write(const io::Folder& folder, const std::string& name, std::string_view bytes) {
  folder.remove(name);
  auto file = folder.create(name);
  if (!file) return environment(file.error());
  if (auto written = file->write_at(std::as_bytes(std::span{bytes}), 0); !written)
    return environment(written.error());
  if (auto flushed = file->flush(); !flushed) return environment(flushed.error());
  if (auto flushed = folder.flush(); !flushed) return environment(flushed.error());
  return {};
}

}  // namespace

Result<std::unique_ptr<io::Room>> StagingFolder::check(std::int64_t size_max) const {
  auto opened = io::Folder::open(path_, io::Folder::Missing::create);
  if (!opened) return environment(opened.error());
  const auto folder = std::make_shared<const io::Folder>(*std::move(opened));
  const io::FolderDisk where = space_.of(folder);
  auto room = std::make_unique<io::Room>(where);
  if (room->reserve(2 * size_max, clock_.steady())) return room;
  return std::unexpected{Fault{
      FaultKind::environment, "disk_full",
      fmt::format("the server's disk has {} free; {} keeps {} free, and beside other "
                  "downloads an image may need {}",
                  size_text(folder->free_bytes()), where.keep.setting,
                  size_text(where.keep.on_disk_of(folder->all_bytes())), size_text(2 * size_max))}};
}

Result<KeptImage> StagingFolder::keep(const Order& order, std::string_view bytes) const {
  const auto type = picture_type(bytes);
  if (!type)
    return std::unexpected{Fault{FaultKind::retryable, "bad_image",
                                 "the provider sent something else than a PNG, JPEG or WebP"}};
  const auto folder = io::Folder::open(path_, io::Folder::Missing::create);
  if (!folder) return environment(folder.error());
  remove(order);
  const std::string name = image_name(order, *type);
  if (auto written = write(*folder, name, bytes); !written) {
    folder->remove(name);
    return std::unexpected{written.error()};
  }
  return KeptImage{.path = path_ / name,
                   .thumbnail = path_ / thumbnail_name(order),
                   .size = std::ssize(bytes),
                   .sha256 = sha256_hex(bytes),
                   .type = *type};
}

std::optional<KeptImage> StagingFolder::find(const Order& order, std::int64_t size_max) const {
  const auto folder = io::Folder::open(path_, io::Folder::Missing::fault);
  if (!folder) return std::nullopt;
  for (const std::string& name : folder->names("")) {
    std::string_view rest = name;
    const auto owner = io::take_owner(rest);
    if (!owner || owner->store != order.store || owner->job != order.job ||
        owner->item != order.item || !rest.starts_with("image."))
      continue;
    const auto file = folder->open_file(name);
    if (!file || file->mark().size > size_max) continue;
    std::string bytes(static_cast<std::size_t>(file->mark().size), '\0');
    const auto got = file->read_at(std::as_writable_bytes(std::span{bytes}), 0);
    const auto type = picture_type(bytes);
    if (!got || *got != bytes.size() || !type) continue;
    Order earlier = order;
    earlier.fence = owner->fence;
    return KeptImage{.path = path_ / name,
                     .thumbnail = path_ / thumbnail_name(earlier),
                     .size = std::ssize(bytes),
                     .sha256 = sha256_hex(bytes),
                     .type = *type};
  }
  return std::nullopt;
}

void StagingFolder::remove(const KeptImage& image) const {
  const auto folder = io::Folder::open(path_, io::Folder::Missing::fault);
  if (!folder) return;
  folder->remove(image.thumbnail.filename());
  folder->remove(image.path.filename());
}

void StagingFolder::remove(const Order& order) const {
  const auto folder = io::Folder::open(path_, io::Folder::Missing::fault);
  if (!folder) return;
  folder->remove(thumbnail_name(order));
  for (const PictureType type : {PictureType::png, PictureType::jpeg, PictureType::webp})
    folder->remove(image_name(order, type));
}

}  // namespace haul::imageapi
