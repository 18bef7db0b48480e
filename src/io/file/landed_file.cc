#include "io/file/landed_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <utility>
#include <vector>

#include "base/hash.h"
#include "io/file/beneath.h"
#include "io/file/entries.h"
#include "io/file/set_aside.h"

namespace haul::io {
namespace {

constexpr std::size_t kReadAtOnce = std::size_t{1} << 20U;
constexpr int kReadsBetweenAsks = 16;
// The store's times are in milliseconds, and the disk's may be of a coarser clock.
constexpr Millis kClockSlack{2'000};

LandedOutcome kept(std::string why) { return {LandedOutcome::Is::kept, std::move(why)}; }

std::unexpected<Fault> stopped() {
  return std::unexpected{Fault{FaultKind::cancelled, "stopped", "haul stops"}};
}

std::optional<Time> made_at(const Descriptor& folder, const std::string& name) {
  struct statx about{};
  if (::statx(folder.get(), name.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BTIME, &about) != 0 ||
      (about.stx_mask & STATX_BTIME) == 0)
    return std::nullopt;
  return from_unix_ms(std::int64_t{about.stx_btime.tv_sec} * 1'000 +
                      about.stx_btime.tv_nsec / 1'000'000);
}

// The file's hash, of its receipt's algorithm. Empty if the receipt has none that haul can make.
Result<std::string> hash_of(const File& file, const std::string& algorithm,
                            const LandedRemoval& how) {
  auto hasher = Hasher::of(algorithm);
  if (!hasher) return std::string{};
  std::vector<std::byte> buffer(kReadAtOnce);
  std::int64_t at = 0;
  for (int reads = 0;; ++reads) {
    if (reads % kReadsBetweenAsks == 0 && !how.may_go_on()) return stopped();
    const auto got = file.read_at(buffer, at);
    if (!got) return std::unexpected{got.error()};
    if (*got == 0) return hasher->hex();
    hasher->add({buffer.data(), *got});
    at += static_cast<std::int64_t>(*got);
  }
}

// Why its bytes are not those of the receipt. Empty if they are, or if the receipt has no hash.
Result<std::string> other_bytes(const Folder& folder, const std::string& name,
                                const FileAtLanding& landed, const LandedRemoval& how) {
  const Checksum recorded = read_receipt(landed.receipt.evidence).hash;
  if (recorded.hex.empty()) return std::string{};
  const auto file = folder.open_file(name);
  if (!file) return std::unexpected{file.error()};
  const auto hex = hash_of(*file, recorded.algorithm, how);
  if (!hex) return std::unexpected{hex.error()};
  return std::string{hex->empty() || *hex == recorded.hex ? "" : "its bytes have changed"};
}

// Moves the file aside, asks for the last time, and removes it. It goes back to its name if it
// stays.
Result<LandedOutcome> remove_entry(const Folder& folder, const std::string& name,
                                   const EntrySeen& seen, const LandedRemoval& how) {
  const Descriptor& in = folder.descriptor();
  const auto is_it = [&](const EntrySeen& now) {
    return is_same_file(now, seen) && now.size == seen.size && now.mtime_ns == seen.mtime_ns;
  };
  if (auto taken = set_aside({in, name}, how.aside, is_it); !taken) {
    if (taken.error().kind == FaultKind::rejected) return kept(taken.error().detail);
    return std::unexpected{taken.error()};
  }
  const auto why = how.why_kept();
  Result<void> removed;
  if (!why)
    removed = std::unexpected{why.error()};
  else if (why->empty())
    removed = remove_file({in, how.aside});
  if (removed && why->empty()) return LandedOutcome{LandedOutcome::Is::removed};
  const std::string back = find_set_aside(in, name, how.aside);
  if (!removed) return std::unexpected{removed.error()};
  return kept(back == name ? *why : fmt::format("{}; it is called {} now", *why, back));
}

}  // namespace

std::string difference(const FileAtLanding& landed, const FileNow& now) {
  const ReceiptFacts facts = read_receipt(landed.receipt.evidence);
  if (now.seen.mark.size != landed.receipt.size)
    return fmt::format("it has {} bytes, but {} when it landed", now.seen.mark.size,
                       landed.receipt.size);
  if (facts.mtime.empty() && facts.hash.hex.empty())
    return "its receipt has neither a time nor a hash to recognise it by";
  if (!facts.mtime.empty() && facts.mtime != now.seen.mtime)
    return "it was written after it landed";
  if (landed.inode == 0) return "haul does not know its number on the disk any more";
  const bool is_newer = now.made_at && *now.made_at > landed.landed_at + kClockSlack;
  if (landed.inode != now.seen.mark.inode || is_newer) return "another file has its name now";
  return {};
}

Result<LandedOutcome> remove_landed(const Folder& folder, const std::string& name,
                                    const FileAtLanding& landed, const LandedRemoval& how) {
  const Descriptor& in = folder.descriptor();
  const std::string at = find_set_aside(in, name, how.aside);
  const auto entry = look_in(in, at);
  if (!entry && entry.error().code == "not_found") return LandedOutcome{LandedOutcome::Is::gone};
  if (!entry) return std::unexpected{entry.error()};
  const auto seen = folder.look(at);
  if (entry->is != EntrySeen::Is::file || !seen) return kept("it is no regular file any more");
  std::string why = difference(landed, {.seen = *seen, .made_at = made_at(in, at)});
  if (why.empty()) {
    auto bytes = other_bytes(folder, at, landed, how);
    if (!bytes) return std::unexpected{bytes.error()};
    why = *std::move(bytes);
  }
  if (!why.empty()) return kept(std::move(why));
  if (!how.may_go_on()) return stopped();
  // Its own name may be taken, if a removal was cut off: then it stays aside while it is removed.
  return remove_entry(folder, at, *entry, how);
}

}  // namespace haul::io
