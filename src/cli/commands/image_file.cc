#include "cli/commands/image_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

namespace haul::cli {
namespace {

constexpr std::size_t kHead = 12;  // Enough to tell the types apart.

Fault fault_of(int error, const std::filesystem::path& path) {
  return {FaultKind::environment, "cannot_save",
          fmt::format("{}: {}", path.string(), std::generic_category().message(error))};
}

// mkstemp makes files that only their owner reads. An image gets what the umask leaves.
mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

ImageFile::ImageFile(int descriptor, std::filesystem::path part)
    : descriptor_{descriptor}, part_{std::move(part)} {}

ImageFile::ImageFile(ImageFile&& other) noexcept
    : descriptor_{std::exchange(other.descriptor_, -1)},
      part_{std::exchange(other.part_, {})},
      size_{other.size_},
      head_{std::move(other.head_)},
      error_{other.error_} {}

ImageFile::~ImageFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!part_.empty()) ::unlink(part_.c_str());
}

Result<ImageFile> ImageFile::make(const std::filesystem::path& folder) {
  std::string part = (folder / ".haul-image-XXXXXX").string();
  const int descriptor = ::mkostemp(part.data(), O_CLOEXEC);
  if (descriptor < 0) return std::unexpected{fault_of(errno, folder)};
  ImageFile made{descriptor, part};
  if (::fchmod(descriptor, usual_mode()) != 0) return std::unexpected{fault_of(errno, folder)};
  return made;
}

bool ImageFile::write(std::string_view bytes) {
  head_ += bytes.substr(0, kHead - std::min(kHead, head_.size()));
  while (!bytes.empty() && error_ == 0) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      error_ = errno;
      break;
    }
    size_ += written;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return error_ == 0;
}

Result<void> ImageFile::finish(const std::filesystem::path& name, IfThere if_there) {
  if (error_ == 0 && ::fsync(descriptor_) != 0) error_ = errno;
  if (error_ != 0) return std::unexpected{fault_of(error_, name)};
  if (if_there == IfThere::replace) {
    if (::rename(part_.c_str(), name.c_str()) != 0) return std::unexpected{fault_of(errno, name)};
    part_.clear();
    return {};
  }
  if (::renameat2(AT_FDCWD, part_.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) == 0) {
    part_.clear();
    return {};
  }
  // Some file systems do not support RENAME_NOREPLACE. link() does not replace a file either.
  const bool is_unknown = errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
  if (is_unknown && ::link(part_.c_str(), name.c_str()) == 0) return {};
  if (errno == EEXIST)
    return std::unexpected{
        Fault{FaultKind::rejected, "file_exists", fmt::format("{} exists already", name.string())}};
  return std::unexpected{fault_of(errno, name)};
}

std::string ImageFile::type() const {
  const std::string_view head{head_};
  if (head.starts_with("\x89PNG\r\n\x1a\n")) return "png";
  if (head.starts_with("\xff\xd8\xff")) return "jpeg";
  if (head.starts_with("RIFF") && head.substr(8) == "WEBP") return "webp";
  return {};
}

}  // namespace haul::cli
