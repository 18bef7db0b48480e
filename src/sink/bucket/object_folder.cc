#include "sink/bucket/object_folder.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/ensure.h"
#include "base/ensured.h"
#include "io/file/beneath.h"
#include "io/file/filled_part.h"
#include "io/file/left_parts.h"
#include "sink/bucket/file_source.h"

namespace haul::bucket {
namespace {

namespace fs = std::filesystem;

Fault retryable(std::string code, std::string detail) {
  return {FaultKind::retryable, std::move(code), std::move(detail)};
}

// All bytes as they are on the disk. No value if there is no such file.
std::optional<ObjectSeen> look(const io::Folder& folder, const std::string& name,
                               const std::stop_token& stop) {
  const auto file = folder.open_file(name);
  if (!file) return std::nullopt;
  const auto read = io::hash_bytes(*file, {.stop = stop});
  if (!read) return std::nullopt;
  return ObjectSeen{read->size, read->sha256};
}

bool is_wanted(const ObjectSeen& seen, const ObjectToPut& object) {
  return object.sha256.empty() || seen.sha256 == object.sha256;
}

}  // namespace

// The folders on the way to an object, the outermost first, and its name in the last one.
struct ObjectFolder::Places {
  std::vector<std::shared_ptr<const io::Folder>> folders;
  std::string name;

  const io::Folder& folder() const { return *folders.back(); }
  // Also those that were there before: an earlier landing may have been killed before its flush.
  Result<void> flush() const {
    for (auto at = folders.rbegin(); at != folders.rend(); ++at)
      if (auto flushed = (*at)->flush(); !flushed) return flushed;
    return {};
  }
};

ObjectFolder::ObjectFolder(fs::path root, std::string store, io::DiskSpace& space,
                           const Clock& clock)
    : root_{std::move(root)}, store_{std::move(store)}, space_{space}, clock_{clock} {
  ensure(root_.is_absolute(), "a bucket's folder has an absolute path");
  ensure(!store_.empty(), "a bucket knows whose store's images it keeps");
}

Result<ObjectFolder::Places> ObjectFolder::open_places(const std::string& key) const {
  auto names = ensured(io::components_of(key), "a key is a path");
  ensure(names.size() > 1, "a key is a path below its bucket");
  Places places{.folders = {}, .name = names.back()};
  names.pop_back();
  auto root = io::Folder::open(root_, io::Folder::Missing::create);
  if (!root) return std::unexpected{root.error()};
  places.folders.push_back(std::make_shared<const io::Folder>(*std::move(root)));
  for (const std::string& name : names) {
    auto inside = places.folder().open_inside(name, io::Folder::Missing::create);
    if (!inside) return std::unexpected{inside.error()};
    places.folders.push_back(std::make_shared<const io::Folder>(*std::move(inside)));
  }
  return places;
}

Result<ObjectSeen> ObjectFolder::put(const ObjectToPut& object, const std::stop_token& stop) const {
  const auto from = open_staged(object.from.string());
  if (!from) return std::unexpected{from.error()};
  const auto places = open_places(object.key);
  if (!places) return std::unexpected{places.error()};
  io::remove_left_parts(places->folder(), object.owner);
  auto seen = look(places->folder(), places->name, stop);
  const bool is_there = seen && !object.sha256.empty() && is_wanted(*seen, object);
  if (!is_there) {
    const auto copied = copy(*from, *places, object, stop);
    if (!copied) return copied;
    seen = look(places->folder(), places->name, {});
    if (seen != *copied)
      return std::unexpected{Fault{FaultKind::environment, "disk_error",
                                   fmt::format("{} is not what was written", object.key)}};
  }
  if (auto flushed = places->flush(); !flushed) return std::unexpected{flushed.error()};
  return *seen;
}

// Another object of this key is the job's own: an earlier image, or half of one.
Result<ObjectSeen> ObjectFolder::copy(const io::File& from, const Places& places,
                                      const ObjectToPut& object,
                                      const std::stop_token& stop) const {
  ObjectSeen made;
  io::Room room{space_.of(places.folders.back())};
  const io::CopyWatch watch{.stop = stop, .take_room = [&](std::int64_t bytes) {
                              return room.take(bytes, clock_.steady());
                            }};
  const auto fill = [&](io::File& part) -> Result<void> {
    ::fchmod(part.descriptor(), S_IRUSR | S_IWUSR);
    if (auto enough = room.reserve(from.mark().size, clock_.steady()); !enough) return enough;
    auto copied = io::copy_bytes(from, part, watch);
    if (!copied) return std::unexpected{copied.error()};
    made = {copied->size, std::move(copied->sha256)};
    if (is_wanted(made, object)) return {};
    return std::unexpected{
        retryable("staged_changed", fmt::format("{} has other bytes", object.from.string()))};
  };
  const auto placed = io::place_filled_part({.folder = places.folder(),
                                             .name = places.name,
                                             .owner = object.owner,
                                             .if_taken = io::PartPlace::IfTaken::replace},
                                            fill);
  if (!placed) return std::unexpected{placed.error()};
  return made;
}

Result<void> ObjectFolder::check(const std::string& key) const {
  static constexpr std::array<std::byte, 4'096> kBytes{};  // A full disk takes an empty file.
  const auto places = open_places(key);
  if (!places) return std::unexpected{places.error()};
  const io::Folder& folder = places->folder();
  // One thread of one process checks for a store, so no other check uses this name.
  const std::string part = io::part_name(places->name, {.store = store_, .job = {}});
  folder.remove(part);
  auto file = folder.create(part);
  if (!file) return std::unexpected{file.error()};
  io::Room room{space_.of(places->folders.back())};
  auto written = room.reserve(std::ssize(kBytes), clock_.steady());
  if (written) written = file->write_at(kBytes, 0);
  folder.remove(part);
  return written;
}

Result<io::File> open_object(const fs::path& root, std::string_view key) {
  const auto folder = io::open_root(root);
  if (!folder) return std::unexpected{folder.error()};
  auto file = io::open_file_beneath(*folder, key, io::Mounts::cross);
  if (file) return file;
  const std::string& code = file.error().code;
  if (code == "not_found" || code == "bad_path" || code == "not_a_file")
    return std::unexpected{Fault{FaultKind::permanent, "no_such_object", "there is no such file"}};
  return file;
}

}  // namespace haul::bucket
