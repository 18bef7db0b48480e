#include "support/io/image_disk.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

#include "io/file/folder.h"
#include "support/process/process.h"
#include "support/run/skip.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBallast = "ballast";
constexpr std::int64_t kLeastPiece = 4'096;

// The smallest images that the programs take, and some more. A hole needs no room on the real disk.
std::uintmax_t size_of(DiskKind kind) {
  switch (kind) {
    case DiskKind::tmpfs:
    case DiskKind::ext4:
      return std::uintmax_t{32} << 20U;
    case DiskKind::btrfs:
      return std::uintmax_t{256} << 20U;
    case DiskKind::xfs:
      return std::uintmax_t{320} << 20U;
  }
  return 0;  // Not reached: the switch is complete.
}

// What a program said if it failed or is not installed. Empty if it succeeded.
std::string failure_of(const std::vector<std::string>& command) {
  try {
    const Finished ran = run_program(command);
    return ran.code == 0 ? "" : fmt::format("{}: {}", command.front(), ran.err);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

io::Descriptor open_folder(const fs::path& path) {
  return io::Descriptor{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
}

}  // namespace

std::string_view name_of(DiskKind kind) {
  switch (kind) {
    case DiskKind::tmpfs:
      return "tmpfs";
    case DiskKind::ext4:
      return "ext4";
    case DiskKind::btrfs:
      return "btrfs";
    case DiskKind::xfs:
      return "xfs";
  }
  return "?";  // Not reached: the switch is complete.
}

ImageDisk::ImageDisk(DiskKind kind, const std::vector<std::string>& options) : kind_{kind} {
  fs::create_directory(folder_);
  mount(options);
}

void ImageDisk::mount(const std::vector<std::string>& options) {
  if (::geteuid() != 0) {
    why_not_ = "only root can mount a disk";
    return;
  }
  if (kind_ == DiskKind::tmpfs) {
    const std::string size = fmt::format("size={}", size_of(kind_));
    if (::mount("haul-test", folder_.c_str(), "tmpfs", 0, size.c_str()) != 0)
      why_not_ = "no tmpfs can be mounted here";
    return;
  }
  const std::string image = (home_ / "image").string();
  std::ofstream{image};
  fs::resize_file(image, size_of(kind_));
  std::vector<std::string> make{fmt::format("mkfs.{}", name_of(kind_)), "-q",
                                kind_ == DiskKind::ext4 ? "-F" : "-f"};
  make.insert(make.end(), options.begin(), options.end());
  make.push_back(image);
  why_not_ = failure_of(make);
  if (why_not_.empty())
    why_not_ = failure_of(
        {"mount", "-t", std::string{name_of(kind_)}, "-o", "loop", image, folder_.string()});
}

ImageDisk::~ImageDisk() {
  if (why_not_.empty()) ::umount2(folder_.c_str(), MNT_DETACH);
}

bool ImageDisk::is_there() const {
  if (why_not_.empty()) return true;
  std::string why = fmt::format("no {} disk: {}", name_of(kind_), why_not_);
  for (char& c : why)
    if (c == '\n') c = ' ';
  skip(why);
  return false;
}

bool ImageDisk::remount(Writes writes) const {
  const char* const how = writes == Writes::allowed ? "remount,rw" : "remount,ro";
  return failure_of({"mount", "-o", how, folder_.string()}).empty();
}

void ImageDisk::fill() const {
  const io::Descriptor file{
      ::open((folder_ / kBallast).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)};
  std::int64_t at = 0;
  for (std::int64_t piece = free_bytes(); file && piece >= kLeastPiece;)
    if (::fallocate(file.get(), 0, at, piece) == 0)
      at += piece;
    else
      piece /= 2;
}

void ImageDisk::free_it() const {
  fs::remove(folder_ / kBallast);
  (void)free_bytes();
}

std::int64_t ImageDisk::free_bytes() const {
  const io::Descriptor fd = open_folder(folder_);
  struct statvfs seen{};
  if (!fd || ::syncfs(fd.get()) != 0 || ::fstatvfs(fd.get(), &seen) != 0) return 0;
  return static_cast<std::int64_t>(seen.f_bavail) * static_cast<std::int64_t>(seen.f_frsize);
}

}  // namespace haul::testing
