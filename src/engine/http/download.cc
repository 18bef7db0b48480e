#include "engine/http/download.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "base/ascii.h"
#include "base/host.h"
#include "base/json.h"
#include "engine/http/asking.h"

namespace haul {
namespace {

constexpr int kHopsMax = 10;
constexpr Millis kAskGateEvery{50};
constexpr std::int64_t kWithoutEnd = std::numeric_limits<std::int64_t>::max();

bool keeps_its_coding(std::string_view name) {
  for (const std::string_view end : {".gz", ".tgz", ".br", ".zst", ".svgz"})
    if (lower(name).ends_with(end)) return true;
  return false;
}

}  // namespace

Download::Download(HttpEnv env, std::shared_ptr<GetJob> job, Order order, Inbox& inbox)
    : env_{env},
      job_{std::move(job)},
      room_{job_->disk},
      order_{std::move(order)},
      inbox_{inbox},
      reach_{env.settings.reach} {}

Download::~Download() {
  stop_calls();
  if (!target_.empty()) job_->names.give_back({}, target_);
}

void Download::tell(What what) {
  const bool ends = std::holds_alternative<Finished>(what) ||
                    std::holds_alternative<Failed>(what) || std::holds_alternative<Stopped>(what);
  over_ = over_ || ends;
  gone_ = gone_ || ends;
  inbox_.push({order_.job, order_.item, order_.fence, order_.start, std::move(what)});
}

void Download::after(Millis wait, void (Download::*then)()) {
  env_.loop.after(wait, [this, then, alive = std::weak_ptr{alive_}] {
    if (alive.lock() && !over_) (this->*then)();
  });
}

void Download::begin() {
  auto url = parse_url(order_.url);
  if (!url) return fail(url.error());
  url_ = *std::move(url);
  log_in(url_, job_->request);
  if (recognise()) return remove_left();
  adopt_part();
  remove_left();
  const std::vector<Range> gaps = done_.gaps(version_.size.value_or(kWithoutEnd));
  if (gaps.empty()) return fetched();
  ask(gaps.front());
}

HttpAsk Download::asking_for(const Segment& segment) const {
  const GetRequest& wanted = job_->request;
  HttpAsk ask = asking(wanted, env_.settings, url_, other_origin_ ? Origin::other : Origin::asked);
  ask.decode = decode_;
  ask.reach = reach_;
  ask.speed = {env_.settings.throttle, order_.job, wanted.speed_limit};
  if (!decode_) ask.headers.emplace_back("Accept-Encoding: identity");
  ask.headers.emplace_back("Want-Repr-Digest: sha-256=10");
  if (segment.is_range) {
    const std::int64_t end = segment.range.to;
    const bool open = end == kWithoutEnd || end == version_.size;
    ask.headers.push_back(
        fmt::format("Range: bytes={}-{}", segment.range.from, open ? "" : std::to_string(end - 1)));
    ask.headers.push_back(fmt::format("If-Range: {}", version_.validator()));
  }
  return ask;
}

void Download::ask(Range range) {
  const bool all = range.from == 0 && segments_.empty() && done_.total() == 0;
  const Segment segment{.range = range, .next = range.from, .is_range = !all};
  segments_[env_.loop.begin(asking_for(segment), *this)] = segment;
}

void Download::ask_again() {
  if (!env_.gate.pass(order_.start, host_of(url_.text)))
    return after(kAskGateEvery, &Download::ask_again);
  const std::vector<Range> gaps = done_.gaps(version_.size.value_or(kWithoutEnd));
  if (gaps.empty()) return fetched();
  ask(gaps.front());
}

Go Download::stop_and(Next next) {
  next_ = next;
  return Go::stop;
}

Go Download::fail_with(Fault fault, std::int64_t wait_ms) {
  fault_ = std::move(fault);
  wait_ms_ = wait_ms;
  return stop_and(Next::fail);
}

Go Download::on_head(int call, const HttpHead& head) {
  const Segment& segment = segments_.at(call);
  const Reply reply = judge_reply({.from = segment.range.from,
                                   .is_range = segment.is_range,
                                   .known = version_,
                                   .url = order_.url,
                                   .now = env_.clock.now()},
                                  head, decode_ ? Coding::decoded : Coding::plain);
  const bool is_extra = segments_.size() > 1;
  switch (reply.meaning) {
    case Meaning::whole:
      return is_extra ? refuse_segment(call) : accept_whole(call, reply);
    case Meaning::part:
      return accept_part(call, reply);
    case Meaning::complete:
      done_.add({0, segment.range.from});
      return stop_and(Next::finish);
    case Meaning::changed:
      if (is_extra) return refuse_segment(call);
      if (restarted_)
        return fail_with({FaultKind::retryable, "file_changed", "the file changed on the way"});
      return stop_and(Next::restart);
    case Meaning::moved:
      if (is_extra) return refuse_segment(call);
      location_ = reply.location;
      return stop_and(Next::hop);
    case Meaning::coded:
      if (keeps_its_coding(url_name(url_.text))) return accept_whole(call, reply);
      if (decode_) return fail_with({FaultKind::permanent, "bad_answer", "an unknown coding"});
      return stop_and(Next::decode);
    case Meaning::fault:
      if (is_extra) return refuse_segment(call);
      if (reply.wait_ms > 0) env_.gate.block(host_of(url_.text), reply.wait_ms);
      return fail_with(reply.fault, reply.wait_ms);
  }
  return Go::stop;
}

Go Download::accept_whole(int call, const Reply& reply) {
  set_aside();  // The bytes so far are of another version, or the server takes no ranges.
  version_ = reply.version;
  takes_ranges_ = reply.takes_ranges;
  digest_ = reply.digest;
  length_proven_ = reply.length_proven;
  if (!is_small_enough() || !has_room(reply)) return Go::stop;
  if (!open_part(reply)) return Go::stop;
  Segment& segment = segments_.at(call);
  segment.range = {0, version_.size.value_or(kWithoutEnd)};
  segment.next = 0;
  segment.accepted = true;
  split_up();
  return Go::on;
}

Go Download::accept_part(int call, const Reply& reply) {
  if (reply.version.size) version_.size = reply.version.size;
  takes_ranges_ = true;
  if (!is_small_enough() || !has_room(reply)) return Go::stop;
  Segment& segment = segments_.at(call);
  if (segment.range.to == kWithoutEnd && version_.size) segment.range.to = *version_.size;
  segment.accepted = true;
  if (segments_.size() == 1) split_up();
  return Go::on;
}

Go Download::on_body(int call, std::span<const std::byte> bytes) {
  Segment& segment = segments_.at(call);
  if (!segment.accepted) return Go::stop;
  const std::int64_t left = segment.range.to - segment.next;
  const std::span wanted =
      bytes.first(static_cast<std::size_t>(std::min<std::int64_t>(left, std::ssize(bytes))));
  if (!version_.size)
    if (auto fault = too_large(segment.next + std::ssize(wanted))) return fail_with(*fault);
  if (auto room = room_.take(std::ssize(wanted), env_.clock.steady()); !room)
    return fail_with(room.error());
  if (auto wrote = file_->write_at(wanted, segment.next); !wrote) return fail_with(wrote.error());
  segment.next += std::ssize(wanted);
  unflushed_ += std::ssize(wanted);
  write_behind();
  // The segment may have become shorter, if another connection took over its rest.
  const bool goes_beyond = segment.next == segment.range.to && segment.next != version_.size;
  return goes_beyond ? Go::stop : Go::on;
}

void Download::on_end(int call, const HttpEnd& end) {
  const Next next = std::exchange(next_, Next::nothing);
  switch (next) {
    case Next::nothing:
      return end_segment(call, end);
    case Next::hop:
      segments_.erase(call);
      return hop(end.was_public);
    case Next::restart:
      return restart();
    case Next::decode:
      decode_ = true;
      splits_ = false;
      return restart();
    case Next::finish:
      segments_.erase(call);
      return go_on();
    case Next::fail:
      return fail(std::exchange(fault_, {}));
  }
}

void Download::hop(bool came_from_public) {
  if (++hops_ > kHopsMax)
    return fail({FaultKind::permanent, "too_many_redirects", "more than 10 redirects"});
  auto to = join_url(url_, location_);
  if (!to) return fail({FaultKind::permanent, "bad_redirect", to.error().detail});
  if (url_.scheme == "https" && to->scheme == "http")
    return fail({FaultKind::permanent, "insecure_redirect", "from https to http"});
  if (came_from_public) reach_.private_too = false;
  other_origin_ = other_origin_ || to->origin() != url_.origin();
  url_ = *std::move(to);
  ask_again();
}

void Download::restart() {
  stop_calls();
  restarted_ = true;
  set_aside();
  version_ = {};
  ask_again();
}

void Download::stop_calls() {
  for (const auto& [call, segment] : segments_) {
    done_.add({segment.range.from, segment.accepted ? segment.next : segment.range.from});
    env_.loop.end(call);
  }
  segments_.clear();
}

}  // namespace haul
