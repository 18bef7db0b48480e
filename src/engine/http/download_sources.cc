// A download of a file that has several sources. The main source is asked first. If a hash of the
// request will prove the file, each other source fetches a range beside it. Without a hash, the
// other sources are for the case that the main one fails.

#include <algorithm>
#include <utility>

#include "base/host.h"
#include "engine/http/download.h"

namespace haul::http {
namespace {

constexpr int kHopsMax = 10;
constexpr std::int64_t kWorthSharing = std::int64_t{32} << 20U;
constexpr std::int64_t kPieceMin = std::int64_t{1} << 20U;
constexpr Millis kTryMoreEvery{250};

}  // namespace

// A checkpoint of a source that the request no longer names has validators of no use.
void Download::find_sources(HttpCheckpoint& kept) {
  sources_ = sources_of(order_.url, own());
  sides_.resize(sources_.size());
  const auto at = std::ranges::find(sources_, kept.source);
  if (at != sources_.end()) main_ = static_cast<std::size_t>(at - sources_.begin());
  if (!kept.source.empty() && at == sources_.end()) {
    if (kept.replaced) replaced_.kept = kept;
    kept.etag.clear();
    kept.last_modified.clear();
  }
  replaced_.former = kept.former;
  alone_ = kept.alone;
  agreed_ = sources_.size() > 1 ? kept.agreed : std::nullopt;
  senders_ = kept.here.total() > 0 ? kept.senders : "";
}

bool Download::has_hash(const std::string& name) const {
  return !own().pieces.empty() || !sum_for(name).hex.empty();
}

// Whether a later start can go on with the bytes: the server proves their version, or a hash will,
// or bytes that come again.
bool Download::can_resume() const {
  if (replaced_.kept) return true;
  const bool is_hashed =
      sources_.size() > 1 && !alone_ && served_.version.size && has_hash(landing_.name());
  return served_.version.is_strong() || (is_hashed && round_ != Round::decoded);
}

// Whether bytes of several sources may be in one file.
bool Download::may_join() const {
  return sources_.size() > 1 && !alone_ && served_.version.size && !served_.decoded &&
         round_ != Round::decoded && has_hash(landing_.name());
}

void Download::sent(const Segment& segment) {
  if (!segment.accepted) return;
  done_.add({segment.range.from, segment.next});
  arrivals_.add({segment.range.from, segment.next});
  if (segment.next > segment.range.from)
    sent_[segment.source].add({segment.range.from, segment.next});
}

std::string Download::senders() const {
  std::string all = senders_;
  const auto add = [&all](const std::string& url) {
    if ((" " + all + " ").find(" " + url + " ") != std::string::npos) return;
    all += (all.empty() ? "" : " ") + url;
  };
  for (const auto& [source, ranges] : sent_) add(sources_[source]);
  for (const auto& [call, segment] : segments_)
    if (segment.accepted && segment.next > segment.range.from) add(sources_[segment.source]);
  return all;
}

// A range that no connection fetches, or else the second half of the longest one.
std::optional<Download::Spare> Download::find_spare() {
  Ranges taken = done_;
  for (const auto& [call, segment] : segments_) taken.add(segment.range);
  if (const auto gaps = taken.gaps(served_.version.size.value_or(0)); !gaps.empty())
    return Spare{.range = gaps.front()};
  const auto longest = std::ranges::max_element(
      segments_, {}, [](const auto& each) { return each.second.range.to - each.second.next; });
  if (longest == segments_.end()) return std::nullopt;
  Segment& segment = longest->second;
  if (segment.range.to - segment.next < 2 * kPieceMin || !segment.accepted) return std::nullopt;
  return Spare{.range = split({segment.next, segment.range.to}, 2).back(), .from = &segment};
}

void Download::take_spare(const Spare& spare) {
  if (spare.from != nullptr) spare.from->range.to = spare.range.from;
}

// Opens a connection to each source that has none, as the limits of their hosts allow.
void Download::take_sides() {
  if (!may_join() || !served_.takes_ranges || served_.version.size.value_or(0) < kWorthSharing)
    return;
  if (is_unproven()) return;
  bool may_more = rouse_main();
  for (std::size_t source = 0; source < sources_.size(); ++source)
    if (source != main_) may_more = open_side(source) || may_more;
  if (!may_more || std::exchange(sides_are_due_, true)) return;
  env_.loop.after(kTryMoreEvery, [this, alive = std::weak_ptr{alive_}] {
    if (!alive.lock()) return;
    sides_are_due_ = false;
    if (is_filling() && !segments_.empty()) take_sides();
  });
}

// False if the source is out, so that there is no use in trying it later.
bool Download::open_side(std::size_t source) {
  Side& side = sides_[source];
  if (side.is_out) return false;
  if (side.is_busy) return true;
  const auto spare = find_spare();
  if (!spare) return !segments_.empty();
  if (side.url.text.empty()) {
    auto url = parse_url(sources_[source]);
    side.is_out = !url;
    if (!url) return false;
    side.url = *std::move(url);
    engine::log_in(side.url, job_->request);
    side.reach = env_.settings.reach;
    if (own().is_public) side.reach.private_too = false;
  }
  const auto door = env_.gate.enter(order_.start, host_of(side.url.text));
  if (!door) return true;
  take_spare(*spare);
  side.is_busy = true;
  const Segment segment{.range = spare->range,
                        .next = spare->range.from,
                        .is_range = true,
                        .source = source,
                        .door = door};
  segments_[env_.loop.begin(asking_for(segment), *this)] = segment;
  connections_most_ = std::max(connections_most_, segments_.size());
  return true;
}

// The main source has sent its ranges while the sides still fetch theirs. False if it is at work,
// or is not to be asked again before they have ended.
bool Download::rouse_main() {
  const auto is_main = [this](const auto& each) { return each.second.source == main_; };
  if (segments_.empty() || std::ranges::any_of(segments_, is_main)) return false;
  if (connections_ == Connections::one) return false;
  const auto spare = find_spare();
  if (!spare || !env_.gate.pass(order_.start, host_of(url_.text))) return spare.has_value();
  take_spare(*spare);
  ask(spare->range);
  return true;
}

io::Go Download::see_side(int call, const io::HttpHead& head) {
  Segment& segment = segments_.at(call);
  Side& side = sides_[segment.source];
  Version known = side.version;
  known.size = served_.version.size;
  const Reply reply = judge_reply({.from = segment.range.from,
                                   .is_range = true,
                                   .known = known,
                                   .was_page = served_.as_page,
                                   .url = order_.url,
                                   .now = env_.clock.now()},
                                  head);
  if (reply.meaning == Meaning::moved) return stop_and(call, Hop{reply.location});
  if (reply.wait_ms > 0) env_.gate.block(host_of(side.url.text), reply.wait_ms);
  segment.accepted = reply.meaning == Meaning::part;
  if (!segment.accepted) return io::Go::stop;
  if (!side.version.is_strong()) side.version = reply.version;
  return io::Go::on;
}

void Download::close_side(const Segment& segment) {
  if (!segment.door) return;
  env_.gate.leave(*segment.door);
  sides_[segment.source].is_busy = false;
}

void Download::end_side(const Segment& segment) {
  close_side(segment);
  if (!segment.accepted || segment.next != segment.range.to) sides_[segment.source].is_out = true;
  if (segments_.empty()) return go_on();
  take_sides();
}

void Download::hop_side(const Segment& segment, const std::string& location,
                        bool came_from_public) {
  close_side(segment);
  Side& side = sides_[segment.source];
  auto to = join_url(side.url, location);
  const bool is_weaker = to && side.url.scheme == "https" && to->scheme == "http";
  side.is_out = !to || is_weaker || ++side.hops > kHopsMax;
  if (!side.is_out) {
    if (came_from_public) side.reach.private_too = false;
    if (to->origin() != side.url.origin()) side.origin = Origin::other;
    side.url = *std::move(to);
  }
  if (segments_.empty()) return go_on();
  take_sides();
}

// Where the flow goes on if it gives the main source up. Bytes that a hash will prove go along.
std::optional<Elsewhere> Download::elsewhere(const Fault& fault, HttpCheckpoint kept) const {
  if (sources_.size() < 2 || !is_of_source(fault)) return std::nullopt;
  const bool did_not_fit =
      fault.code == "checksum_mismatch" && !alone_ && senders().find(' ') != std::string::npos;
  if (!did_not_fit && main_ + 1 >= sources_.size()) return std::nullopt;
  const std::size_t next = did_not_fit ? main_ : main_ + 1;
  kept.etag.clear();
  kept.last_modified.clear();
  kept.digest = {};
  kept.source = sources_[next];
  kept.alone = alone_ || did_not_fit;
  kept.agreed = agreed_;
  if (!kept.agreed && !has_hash(landing_.name())) kept.agreed = served_.version.size;
  return Elsewhere{.url = sources_[next], .checkpoint = kept.to_json()};
}

}  // namespace haul::http
