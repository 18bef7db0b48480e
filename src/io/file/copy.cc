#include "io/file/copy.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <new>
#include <span>
#include <system_error>

#include "base/ensure.h"
#include "io/file/side_hash.h"

namespace haul::io {
namespace {

// Larger pieces make it slower to write a file while the disk takes its first part: with 1 MiB a
// copy took twice as long on ext4.
constexpr std::size_t kPiece = std::size_t{128} << 10U;
constexpr std::size_t kPieces = 16;  // So many fit into a processor's own memory.
constexpr std::int64_t kTellEvery = std::int64_t{1} << 20U;
// The disk begins to write while the rest is copied, a window at a time. So many windows may be on
// their way: enough that the disk never waits for haul, and few enough that the last flush, which
// cannot be stopped, takes a slow disk less than two seconds.
constexpr std::int64_t kWindow = std::int64_t{16} << 20U;
constexpr std::size_t kWindowsMax = 2;
// The disk reads this much ahead while haul writes. The kernel cuts longer steps short.
constexpr std::int64_t kAhead = std::int64_t{8} << 20U;
constexpr std::int64_t kAheadStep = std::int64_t{256} << 10U;

std::unexpected<Fault> fault(int error, const std::string& what) {
  return std::unexpected{file_fault(error, what)};
}

std::unexpected<Fault> stopped() {
  return std::unexpected{Fault{FaultKind::cancelled, "stopped", "the work was stopped"}};
}

std::unexpected<Fault> changed() {
  return std::unexpected{
      Fault{FaultKind::retryable, "source_changed", "the file changed while it was read"}};
}

struct stat stat_of(const File& file) {
  struct stat about{};
  if (::fstat(file.descriptor(), &about) != 0) about = {};
  return about;
}

bool is_unchanged(const struct stat& before, const struct stat& now) {
  return before.st_size == now.st_size && before.st_mtim.tv_sec == now.st_mtim.tv_sec &&
         before.st_mtim.tv_nsec == now.st_mtim.tv_nsec;
}

bool has_holes(const struct stat& about) { return about.st_blocks * 512 < about.st_size; }

bool is_zero(std::span<const std::byte> bytes) {
  if (bytes.empty() || bytes.front() != std::byte{0}) return bytes.empty();
  return std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

Result<void> copy_times(const struct stat& from, const File& to) {
  const timespec times[] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, from.st_mtim};
  if (::futimens(to.descriptor(), times) != 0) return fault(errno, "cannot set the time");
  return {};
}

// Memory for the pieces of a file, in whole pages.
class PieceBuffer {
 public:
  explicit PieceBuffer(std::size_t pieces)
      : size_{pieces * kPiece},
        bytes_{::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)} {
    if (bytes_ == MAP_FAILED) throw std::bad_alloc{};
  }
  ~PieceBuffer() { ::munmap(bytes_, size_); }
  PieceBuffer(const PieceBuffer&) = delete;
  PieceBuffer& operator=(const PieceBuffer&) = delete;

  std::span<std::byte> piece(std::size_t number) const {
    return {static_cast<std::byte*>(bytes_) + number * kPiece, kPiece};
  }

 private:
  const std::size_t size_;
  void* const bytes_;
};

// Has the disk read what comes next.
class ReadAhead {
 public:
  explicit ReadAhead(const File& file) : file_{file}, size_{file.mark().size} {}

  // The file is read up to here.
  void go_on(std::int64_t at) {
    for (; begun_ < std::min(at + kAhead, size_); begun_ += kAheadStep)
      ::posix_fadvise(file_.descriptor(), begun_, kAheadStep, POSIX_FADV_WILLNEED);
  }

 private:
  const File& file_;
  const std::int64_t size_;
  std::int64_t begun_ = 0;
};

using Use = std::function<Result<void>(std::span<const std::byte> bytes, std::int64_t at)>;

// Reads all bytes in order, hashes them and passes them on. A piece is hashed while the next ones
// are read and written.
Result<CopiedBytes> read_all(const File& file, const CopyWatch& watch, const Use& use) {
  const auto whole_pieces = static_cast<std::size_t>(file.mark().size) / kPiece;
  const std::size_t pieces = std::min(whole_pieces + 1, kPieces);
  const PieceBuffer buffer{pieces};
  SideHash hash;  // Ends before the buffer that it reads.
  ReadAhead ahead{file};
  std::int64_t at = 0;
  std::int64_t told = 0;
  for (std::size_t i = 0;; i = (i + 1) % pieces) {
    if (watch.stop.stop_requested()) return stopped();
    hash.wait(pieces - 1);
    ahead.go_on(at);
    const std::span<std::byte> into = buffer.piece(i);
    const auto got = file.read_at(into, at);
    if (!got) return std::unexpected{got.error()};
    if (*got == 0) break;
    hash.add(into.first(*got));
    if (auto used = use(into.first(*got), at); !used) return std::unexpected{used.error()};
    at += static_cast<std::int64_t>(*got);
    if (watch.progress && at - told >= kTellEvery) watch.progress(told = at);
  }
  if (watch.progress && told < at) watch.progress(at);
  return CopiedBytes{.size = at, .sha256 = hash.hex()};
}

// Writes a piece, unless it is a hole.
class ByteWriter {
 public:
  ByteWriter(File& to, const CopyWatch& watch, bool keeps_holes)
      : to_{to}, watch_{watch}, keeps_holes_{keeps_holes} {}

  Result<void> write(std::span<const std::byte> bytes, std::int64_t at) {
    if (keeps_holes_ && is_zero(bytes)) return {};
    const auto size = static_cast<std::int64_t>(bytes.size());
    if (watch_.take_room)
      if (auto room = watch_.take_room(size); !room) return room;
    if (auto wrote = to_.write_at(bytes, at); !wrote) return wrote;
    return hand_over(at + size);
  }

 private:
  // The kernel reports a disk error to the first call that waits for the bytes, and not again with
  // the last flush: it ends the copy here.
  Result<void> hand_over(std::int64_t end) {
    if (end - begun_ < kWindow) return {};
    const FileSpan window{.at = begun_, .size = end - begun_};
    begun_ = end;
    to_.begin_flush(window);
    windows_.push_back(window);
    if (windows_.size() <= kWindowsMax) return {};
    const FileSpan oldest = windows_.front();
    windows_.pop_front();
    return to_.write_out(oldest);
  }

  File& to_;
  const CopyWatch& watch_;
  const bool keeps_holes_;
  std::int64_t begun_ = 0;        // The disk was told to write everything before it.
  std::deque<FileSpan> windows_;  // On their way to the disk.
};

}  // namespace

Result<CopiedBytes> copy_bytes(const File& from, File& to, const CopyWatch& watch) {
  const struct stat before = stat_of(from);
  ensure(stat_of(to).st_size == 0, "bytes are copied to an empty file");
  ::posix_fadvise(from.descriptor(), 0, 0, POSIX_FADV_SEQUENTIAL);
  ByteWriter writer{to, watch, has_holes(before)};
  auto copied = read_all(from, watch, [&writer](std::span<const std::byte> bytes, std::int64_t at) {
    return writer.write(bytes, at);
  });
  if (!copied) return copied;
  if (copied->size != before.st_size || !is_unchanged(before, stat_of(from))) return changed();
  // A hole at the end is no byte that was written.
  if (::ftruncate(to.descriptor(), before.st_size) != 0) return fault(errno, "cannot set the size");
  if (auto set = copy_times(before, to); !set) return std::unexpected{set.error()};
  return copied;
}

Result<CopiedBytes> hash_bytes(const File& file, const CopyWatch& watch) {
  const struct stat before = stat_of(file);
  // Forgets what is in memory and on the disk, so that the disk is read.
  ::posix_fadvise(file.descriptor(), 0, 0, POSIX_FADV_DONTNEED);
  ::posix_fadvise(file.descriptor(), 0, 0, POSIX_FADV_SEQUENTIAL);
  auto hashed = read_all(file, watch, [](auto, auto) { return Result<void>{}; });
  if (hashed && (hashed->size != before.st_size || !is_unchanged(before, stat_of(file))))
    return changed();
  return hashed;
}

Result<void> clone_bytes(const File& from, File& to) {
  const struct stat before = stat_of(from);
  if (::ioctl(to.descriptor(), FICLONE, from.descriptor()) != 0) {
    const int error = errno;
    if (error == ENOSPC || error == EDQUOT || error == EIO || error == EROFS)
      return fault(error, "cannot share the bytes");
    return std::unexpected{
        Fault{FaultKind::environment, "not_supported",
              fmt::format("cannot share the bytes: {}", std::generic_category().message(error))}};
  }
  if (!is_unchanged(before, stat_of(from))) return changed();
  return copy_times(before, to);
}

}  // namespace haul::io
