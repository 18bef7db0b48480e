#include "io/file/spool.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <utility>

namespace haul::io {
namespace {

constexpr std::string_view kBegin = "haul-";
constexpr std::string_view kEnd = ".spool";
constexpr mode_t kOwnOnly = 0600;

Fault no_room() { return {FaultKind::environment, "spool_full", "the spool has no room"}; }

// Whose file it is. Nothing if haul did not name it.
std::optional<PartOwner> owner_of_spooled(std::string_view name) {
  if (!name.starts_with(kBegin)) return std::nullopt;
  name.remove_prefix(kBegin.size());
  return take_owner(name);
}

}  // namespace

SpoolFile::SpoolFile(Spool& spool, File file, std::string name, std::int64_t reserved,
                     std::unique_ptr<Room> room)
    : spool_{spool},
      file_{std::move(file)},
      name_{std::move(name)},
      reserved_{reserved},
      room_{std::move(room)} {
  spool_.use(reserved_);
}

SpoolFile::~SpoolFile() {
  spool_.folder_->remove(name_);
  spool_.use(-reserved_);
}

Result<void> SpoolFile::append(std::span<const std::byte> bytes) {
  if (size_ + std::ssize(bytes) > reserved_) return std::unexpected{no_room()};
  if (auto room = room_->take(std::ssize(bytes), spool_.clock_.steady()); !room) return room;
  if (auto written = file_.write_at(bytes, size_); !written) return written;
  size_ += std::ssize(bytes);
  return {};
}

Result<std::size_t> SpoolFile::read_at(std::span<std::byte> bytes, std::int64_t offset) const {
  return file_.read_at(bytes, offset);
}

Spool::Spool(SpoolSettings settings, DiskSpace& space, const Clock& clock,
             std::function<void(std::int64_t)> on_use)
    : settings_{std::move(settings)}, space_{space}, clock_{clock}, on_use_{std::move(on_use)} {
  // An open file that another process of the store has loses its name only.
  if (open()) sweep(Millis::min());
}

bool Spool::open() {
  if (folder_) return true;
  auto folder = Folder::open(settings_.folder, Folder::Missing::create);
  if (folder) folder_ = std::make_shared<const Folder>(*std::move(folder));
  return folder_ != nullptr;
}

std::unique_ptr<SpoolFile> Spool::make(const PartOwner& owner, std::int64_t size) {
  if (!open()) return nullptr;
  sweep();
  if (size > settings_.max_bytes - used_) return nullptr;
  auto room = std::make_unique<Room>(space_.of(folder_));
  if (!room->reserve(size, clock_.steady())) return nullptr;
  std::string name = fmt::format("{}{}-{}{}", kBegin, owner_text(owner), ++made_, kEnd);
  const std::filesystem::path path = folder_->held_path() / name;
  Descriptor opened{
      ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kOwnOnly)};
  if (!opened) return nullptr;
  return std::make_unique<SpoolFile>(*this, File{std::move(opened)}, std::move(name), size,
                                     std::move(room));
}

void Spool::sweep(Millis older_than) {
  for (const std::string& name : folder_->names(kEnd)) {
    const auto owner = owner_of_spooled(name);
    if (!owner || owner->store != settings_.store) continue;
    struct stat seen{};
    if (::lstat((folder_->held_path() / name).c_str(), &seen) != 0) continue;
    const Millis age = clock_.now() - from_unix_ms(std::int64_t{seen.st_mtim.tv_sec} * 1'000);
    if (age > older_than) folder_->remove(name);
  }
}

void Spool::use(std::int64_t bytes) {
  used_ += bytes;
  if (on_use_) on_use_(used_);
}

}  // namespace haul::io
