// A download that goes on with the bytes of another link. A user says that both links have the same
// file; each server has validators of its own. So the first bytes and the last ones of each range
// that is here come again and are compared, before anything is joined.

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ensured.h"
#include "engine/http/download.h"

namespace haul::http {
namespace {

constexpr std::int64_t kHeadMax = std::int64_t{64} << 10U;
constexpr std::int64_t kTailMax = std::int64_t{256} << 10U;
constexpr std::int64_t kShare = 4;  // At most this part of a range comes again.

// Headers of files tell versions apart that end alike, as disk images do.
Ranges to_compare(const Ranges& here) {
  Ranges compared;
  for (const Range& range : here.all()) {
    const std::int64_t share = std::max<std::int64_t>(range.size() / kShare, 1);
    if (range.from == 0) compared.add({0, std::min(share, kHeadMax)});
    compared.add({range.to - std::min(share, kTailMax), range.to});
  }
  return compared;
}

}  // namespace

// The size must be known: it is the first thing that the new link has to confirm.
bool Download::may_go_on_with(const HttpCheckpoint& kept) const {
  return replaced_.kept && kept.is_joinable() && round_ != Round::decoded;
}

void Download::doubt_kept() {
  replaced_.unproven = to_compare(done_);
  for (const Range& range : replaced_.unproven.all()) done_.remove(range);
}

// Compares what came again with what is here. The first difference ends it.
bool Download::is_as_here(std::span<const std::byte> bytes, std::int64_t at) {
  const std::int64_t end = at + std::ssize(bytes);
  for (const Range& range : replaced_.unproven.all()) {
    const Range both{std::max(range.from, at), std::min(range.to, end)};
    if (both.size() <= 0) continue;
    std::vector<std::byte> here(static_cast<std::size_t>(both.size()));
    const auto read = landing_.file()->read_at(here, both.from);
    const std::span came = bytes.subspan(static_cast<std::size_t>(both.from - at), here.size());
    if (!read || *read != here.size() || !std::ranges::equal(here, came)) {
      replaced_.over = "the new link has other bytes";
      return false;
    }
    replaced_.unproven.remove(both);
  }
  if (!is_unproven()) replaced_.former = ensured(replaced_.kept, "kept bytes are compared").source;
  return true;
}

// A digest of the new link also proves the whole file when it lands.
bool Download::is_other_digest(const Checksum& digest) {
  if (digest.hex.empty()) return false;
  if (served_.digest.hex.empty()) served_.digest = digest;
  if (served_.digest == digest) return false;
  replaced_.over = "the server names another hash of the new link's file";
  return true;
}

// All bytes come from the new link.
void Download::drop_former(std::string why) {
  replaced_.former.clear();
  replaced_.unproven.clear();
  if (!replaced_.kept) return;
  if (replaced_.over.empty()) replaced_.over = std::move(why);
  replaced_.kept.reset();
}

}  // namespace haul::http
