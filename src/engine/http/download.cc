#include "engine/http/download.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/ascii.h"
#include "base/ensure.h"
#include "base/host.h"
#include "base/metalink.h"
#include "base/posting.h"
#include "io/web/http_date.h"

namespace haul::http {
namespace {

constexpr int kHopsMax = 10;
constexpr Millis kAskGateEvery{50};
constexpr Millis kSlotWaitMax{1'000};  // Then the worker starts the item again when it has a slot.
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
      landing_{job_->landing, io::owner_of(order_), env.boot},
      inbox_{inbox},
      reach_{env.settings.reach} {}

Download::~Download() { stop_calls(); }

void Download::tell(What what) {
  ensure(!is_gone(), "a download reports nothing after its end");
  inbox_.push({order_.job, order_.item, order_.fence, order_.start, std::move(what)});
}

// Lets the next downloads of the host begin before the worker hears of this one's end.
void Download::leave_slot() {
  const std::string host = host_of(url_.text);
  if (!env_.line.is_waited_for(host)) return;
  for (std::size_t slots = env_.gate.done(order_.start); slots > 0; --slots) env_.line.next(host);
}

void Download::end(What what) {
  tell(std::move(what));
  landing_.end();
}

void Download::after(Millis wait, void (Download::*then)()) {
  env_.loop.after(wait, [this, then, alive = std::weak_ptr{alive_}] {
    if (alive.lock() && is_filling()) (this->*then)();
  });
}

io::LandDone Download::on_loop(Then then) {
  return posting<Result<void>>(&env_.loop, alive_, std::move(then));
}

void Download::begin() {
  HttpCheckpoint kept = HttpCheckpoint::from_json(order_.checkpoint);
  find_sources(kept);
  if (auto set = set_address(); !set) return fail(set.error());
  began_ = env_.clock.steady();
  unchecked_ = job_->request.insecure && url_.scheme == "https";
  if (job_->request.compressed) {
    round_ = Round::decoded;
    connections_ = Connections::one;
  }
  const io::FoundAs found = landing_.recognise(kept.file);
  if (found == io::FoundAs::nothing)
    resume(kept);
  else
    know(kept);
  if (found != io::FoundAs::nothing) replaced_.kept.reset();  // Nothing is joined any more.
  landing_.remove_left();
  switch (found) {
    case io::FoundAs::nothing:
      if (done_.total() > 0 || is_unproven() || !look_first()) ask_first();
      return;
    case io::FoundAs::part:
      return fetched();
    case io::FoundAs::in_place:
      return put();
  }
}

io::HttpRequest Download::asking_for(const Segment& segment) const {
  const engine::GetRequest& wanted = job_->request;
  const bool is_main = segment.source == main_;
  const Side& side = sides_[segment.source];
  const Version& version = is_main ? served_.version : side.version;
  io::HttpRequest request = make_request(wanted, env_.settings, is_main ? url_ : side.url,
                                         is_main ? origin_ : side.origin, own());
  request.decode = round_ == Round::decoded;
  request.reach = is_main ? reach_ : side.reach;
  request.speed = {env_.settings.throttle, order_.job, wanted.speed_limit};
  if (!request.decode) request.headers.emplace_back("Accept-Encoding: identity");
  request.headers.emplace_back("Want-Repr-Digest: sha-256=10");
  if (segment.is_range) {
    const std::int64_t end = segment.range.to;
    const bool open = end == kWithoutEnd || end == served_.version.size;
    request.headers.push_back(
        fmt::format("Range: bytes={}-{}", segment.range.from, open ? "" : std::to_string(end - 1)));
    if (version.is_strong())
      request.headers.push_back(fmt::format("If-Range: {}", version.validator()));
  }
  return request;
}

void Download::ask(Range range) {
  const bool all = range.from == 0 && segments_.empty() && done_.total() == 0 && !is_unproven();
  const Segment segment{.range = range, .next = range.from, .is_range = !all, .source = main_};
  segments_[env_.loop.begin(asking_for(segment), *this)] = segment;
  connections_most_ = std::max(connections_most_, segments_.size());
}

void Download::ask_for_rest() {
  const std::vector<Range> gaps = done_.gaps(served_.version.size.value_or(kWithoutEnd));
  if (gaps.empty()) return fetched();
  ask(gaps.front());
}

// The worker took a slot at the host of the item's own address, or of a mirror.
void Download::ask_first() {
  const std::string& with_slot = order_.source.empty() ? order_.url : order_.source;
  if (order_.waits_for_slot || host_of(url_.text) != host_of(with_slot)) return ask_again();
  if (look_.about) return ask_look();
  ask_for_rest();
}

void Download::ask_again() {
  const std::string host = host_of(url_.text);
  const int ask = ++asks_;
  if (!env_.gate.pass(order_.start, host)) {
    if (!waits_since_) waits_since_ = env_.clock.steady();
    if (order_.waits_for_slot && env_.clock.steady() - *waits_since_ >= kSlotWaitMax)
      return stop(Leftovers::keep);
    const auto again = [this, ask, alive = std::weak_ptr{alive_}] {
      if (alive.lock() && is_filling() && ask == asks_) ask_again();
    };
    env_.line.join(host, this, again);
    return env_.loop.after(kAskGateEvery, again);
  }
  env_.line.leave(this);
  if (std::exchange(order_.waits_for_slot, false)) began_ = env_.clock.steady();
  if (look_.about) return ask_look();
  ask_for_rest();
}

io::Go Download::stop_and(int call, AfterCall next) {
  segments_.at(call).after = std::move(next);
  return io::Go::stop;
}

io::Go Download::fail_with(int call, Fault fault, std::int64_t wait_ms) {
  return stop_and(call, Fail{std::move(fault), wait_ms});
}

io::Go Download::on_head(int call, const io::HttpHead& head) {
  if (call == look_.call) return see_look(head);
  const Segment& segment = segments_.at(call);
  if (segment.source != main_) return see_side(call, head);
  const Reply reply = judge_reply({.from = segment.range.from,
                                   .is_range = segment.is_range,
                                   .known = served_.version,
                                   .was_page = served_.as_page,
                                   .url = order_.url,
                                   .now = env_.clock.now()},
                                  head, round_ == Round::decoded ? Coding::decoded : Coding::plain);
  // Bytes that the right hash will prove do not end with a source of another size.
  if (reply.meaning == Meaning::changed && may_join() && reply.version.size)
    if (auto fault = wrong_size(*reply.version.size)) return fail_with(call, *std::move(fault));
  const bool is_coded = reply.meaning == Meaning::coded;
  if (reply.meaning == Meaning::whole || reply.meaning == Meaning::part)
    modified_ = io::read_http_date(head.find("last-modified"));
  switch (judge_head({.meaning = reply.meaning,
                      .round = round_,
                      .is_extra = segments_.size() > 1,
                      .keeps_coding = is_coded && keeps_its_coding(io::url_name(url_.text))})) {
    case HeadStep::take_whole:
      return accept_whole(call, reply);
    case HeadStep::take_part:
      return accept_part(call, reply);
    case HeadStep::refuse:
      return refuse_segment(call);
    case HeadStep::finish:
      done_.add({0, segment.range.from});
      return stop_and(call, Finish{});
    case HeadStep::restart:
      return stop_and(call, Restart{Round::again});
    case HeadStep::decode:
      return stop_and(call, Restart{Round::decoded});
    case HeadStep::hop:
      return stop_and(call, Hop{reply.location});
    case HeadStep::changed_again:
      return fail_with(call, {FaultKind::retryable, "file_changed", "the file changed on the way"});
    case HeadStep::unknown_coding:
      return fail_with(call, {FaultKind::permanent, "bad_answer", "an unknown coding"});
    case HeadStep::fail:
      if (reply.wait_ms > 0) env_.gate.block(host_of(url_.text), reply.wait_ms);
      return fail_with(call, reply.fault, reply.wait_ms);
  }
  return io::Go::stop;
}

io::Go Download::accept_whole(int call, const Reply& reply) {
  if (env_.settings.spots_metalinks && reply.type == kMetalinkType)
    return fail_with(call, {FaultKind::permanent, std::string{kIsMetalink}, "it is a Metalink"});
  start_over();  // The bytes so far are of another version, or the server takes no ranges.
  served_ = {.version = reply.version,
             .digest = reply.digest,
             .takes_ranges = reply.takes_ranges,
             .length_proven = reply.length_proven,
             .as_page = is_page_type(reply.type),
             .given = reply.given,
             .decoded = round_ == Round::decoded};
  if (auto fits = check_size(); !fits) return fail_with(call, fits.error());
  if (auto room = reserve_room(); !room) return fail_with(call, room.error());
  if (auto part = open_part(reply); !part) return fail_with(call, part.error());
  // The size that an earlier start reported may be another file's.
  if (!order_.checkpoint.empty()) tell(progress(0));
  Segment& segment = segments_.at(call);
  segment.range = {0, served_.version.size.value_or(kWithoutEnd)};
  segment.next = 0;
  segment.accepted = true;
  split_up();
  return io::Go::on;
}

io::Go Download::accept_part(int call, const Reply& reply) {
  if (is_unproven() && is_other_digest(reply.digest)) return stop_and(call, Restart{Round::again});
  if (!served_.version.is_strong()) {  // The bytes so far are of another source.
    served_.version = reply.version;
    served_.given = reply.given;
  }
  if (reply.version.size) served_.version.size = reply.version.size;
  served_.takes_ranges = true;
  if (auto fits = check_size(); !fits) return fail_with(call, fits.error());
  if (auto room = reserve_room(); !room) return fail_with(call, room.error());
  Segment& segment = segments_.at(call);
  if (segment.range.to == kWithoutEnd && served_.version.size)
    segment.range.to = *served_.version.size;
  segment.accepted = true;
  if (segments_.size() == 1) split_up();
  return io::Go::on;
}

io::Go Download::on_body(int call, std::span<const std::byte> bytes) {
  if (call == look_.call) return io::Go::stop;
  Segment& segment = segments_.at(call);
  if (!segment.accepted) return io::Go::stop;
  const std::int64_t left = segment.range.to - segment.next;
  ensure(landing_.file() && left >= 0, "bytes come to an open part, and none beyond their range");
  const std::span wanted =
      bytes.first(static_cast<std::size_t>(std::min<std::int64_t>(left, std::ssize(bytes))));
  if (!served_.version.size)
    if (auto fault = too_large(segment.next + std::ssize(wanted))) return fail_with(call, *fault);
  const bool was_unproven = is_unproven();
  if (was_unproven && !is_as_here(wanted, segment.next))
    return stop_and(call, Restart{Round::again});
  if (auto room = room_.take(std::ssize(wanted), env_.clock.steady()); !room)
    return fail_with(call, room.error());
  if (auto wrote = landing_.file()->write_at(wanted, segment.next); !wrote)
    return fail_with(call, wrote.error());
  segment.next += std::ssize(wanted);
  write_behind(std::ssize(wanted));
  if (was_unproven && !is_unproven()) split_up();
  // The segment may have become shorter, if another connection took over its rest.
  const bool goes_beyond = segment.next == segment.range.to && segment.next != served_.version.size;
  return goes_beyond ? io::Go::stop : io::Go::on;
}

void Download::on_end(int call, const io::HttpEnd& end) {
  if (call == look_.call) return end_look(end);
  const auto ended = segments_.find(call);
  if (ended == segments_.end()) return;
  AfterCall next = std::exchange(ended->second.after, EndSegment{});
  if (const auto* redirect = std::get_if<Hop>(&next)) {
    const Segment segment = segments_.extract(call).mapped();
    if (segment.source != main_) return hop_side(segment, redirect->location, end.was_public);
    return hop(redirect->location, end.was_public);
  }
  if (const auto* anew = std::get_if<Restart>(&next)) return restart(anew->round);
  if (auto* failed = std::get_if<Fail>(&next))
    return fail(std::move(failed->fault), failed->wait_ms);
  if (std::holds_alternative<EndSegment>(next)) return end_segment(call, end);
  segments_.erase(call);  // Finish: all bytes are here.
  go_on();
}

void Download::hop(const std::string& location, bool came_from_public) {
  if (++hops_ > kHopsMax)
    return fail({FaultKind::permanent, "too_many_redirects", "more than 10 redirects"});
  auto to = join_url(url_, location);
  if (!to) return fail({FaultKind::permanent, "bad_redirect", to.error().detail});
  if (url_.scheme == "https" && to->scheme == "http")
    return fail({FaultKind::permanent, "insecure_redirect", "from https to http"});
  if (came_from_public) reach_.private_too = false;
  if (to->origin() != url_.origin()) origin_ = Origin::other;  // Also if a later one leads back.
  url_ = *std::move(to);
  unchecked_ = unchecked_ || (job_->request.insecure && url_.scheme == "https");
  ask_again();
}

void Download::restart(Round round) {
  stop_calls();
  round_ = round;
  if (round == Round::decoded) connections_ = Connections::one;
  start_over();
  served_.version = {};
  ask_again();
}

void Download::stop_calls() {
  env_.line.leave(this);
  for (const auto& [call, segment] : segments_) {
    sent(segment);
    close_side(segment);
    env_.loop.end(call);
  }
  segments_.clear();
  check_.request_stop();
  check_ = {};
  if (look_.call != 0) env_.loop.end(std::exchange(look_.call, 0));
}

}  // namespace haul::http
