#include "io/file/recheck.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <cerrno>
#include <optional>
#include <vector>

#include "base/hash.h"
#include "io/file/folder.h"

namespace haul::io {
namespace {

constexpr std::size_t kReadAtOnce = std::size_t{1} << 20U;

RecheckAnswer unreadable(const Fault& fault) { return {Rechecked::unreadable, fault.detail}; }

Result<std::string> hash_of(const File& file, const std::string& algorithm) {
  auto hasher = Hasher::of(algorithm);
  if (!hasher) return std::string{};
  std::vector<std::byte> buffer(kReadAtOnce);
  for (std::int64_t at = 0;;) {
    const auto got = file.read_at(buffer, at);
    if (!got) return std::unexpected{got.error()};
    if (*got == 0) return hasher->hex();
    hasher->add({buffer.data(), *got});
    at += static_cast<std::int64_t>(*got);
  }
}

}  // namespace

RecheckAnswer judge_recheck(const Receipt& receipt, const FileFound& found) {
  const ReceiptFacts facts = read_receipt(receipt.evidence);
  if (found.size != receipt.size)
    return {Rechecked::changed,
            fmt::format("{} bytes, but {} when it landed", found.size, receipt.size)};
  if (!facts.hash.hex.empty() && !found.hex.empty()) {
    const char* const unchecked =
        facts.unchecked ? "; it came from a server whose certificate was not checked" : "";
    if (found.hex == facts.hash.hex) return {Rechecked::proven, facts.hash.algorithm + unchecked};
    return {Rechecked::changed, fmt::format("{} {}, but {} when it landed", facts.hash.algorithm,
                                            found.hex, facts.hash.hex)};
  }
  if (facts.mtime.empty())
    return {Rechecked::unchanged,
            "only the size was compared: the receipt has no hash and no time"};
  if (facts.mtime != found.mtime)
    return {Rechecked::changed,
            fmt::format("written at {}, but it landed at {}", found.mtime, facts.mtime)};
  return {Rechecked::unchanged, "only size and time were compared: the receipt has no hash"};
}

RecheckAnswer recheck(const Receipt& receipt) {
  const int fd = ::open(receipt.path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  const int error = errno;
  const File file{Descriptor{fd}};
  if (fd < 0 && (error == ENOENT || error == ENOTDIR)) return {Rechecked::gone, "no such file"};
  if (fd < 0 && error == ELOOP) return {Rechecked::changed, "a symbolic link has its name"};
  if (fd < 0) return unreadable(file_fault(error, receipt.path));
  struct stat seen{};
  if (::fstat(fd, &seen) != 0) return unreadable(file_fault(errno, receipt.path));
  if (!S_ISREG(seen.st_mode)) return {Rechecked::changed, "not a file any more"};
  FileFound found{.size = seen.st_size, .mtime = file.seen().mtime, .hex = {}};
  const Checksum recorded = read_receipt(receipt.evidence).hash;
  if (!recorded.hex.empty() && found.size == receipt.size) {
    auto hex = hash_of(file, recorded.algorithm);
    if (!hex) return unreadable(hex.error());
    found.hex = *std::move(hex);
  }
  return judge_recheck(receipt, found);
}

}  // namespace haul::io
