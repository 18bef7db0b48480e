// A download's file: its part, its checkpoint, its name, and its end.

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/host.h"
#include "base/json.h"
#include "base/posting.h"
#include "engine/http/download.h"
#include "io/file/content.h"
#include "io/file/filename.h"
#include "io/web/http_date.h"

namespace haul::http {
namespace {

constexpr std::int64_t kAbsurd = 100;  // Times the size of the whole disk.

}  // namespace

// An earlier start fetched the whole file and was lost before the item's move.
void Download::know(const HttpCheckpoint& kept) {
  served_ = {.version = kept.version(),
             .digest = kept.digest,
             .takes_ranges = false,
             .length_proven = kept.length_proven,
             .as_page = kept.as_page,
             .given = {kept.etag, kept.last_modified}};
  done_ = kept.here;
  arrivals_ = kept.arrivals;
  unchecked_ = unchecked_ || kept.unchecked;
}

// Goes on with the part of an earlier start. Removes a part that cannot be resumed with proof, or
// that may be of another server than this request asks.
void Download::resume(const HttpCheckpoint& kept) {
  const bool is_hashed =
      sources_.size() > 1 && !alone_ && has_hash(kept.file.name) && kept.is_joinable();
  const bool is_replaced = may_go_on_with(kept);
  if (!(kept.is_resumable() || is_hashed || is_replaced) ||
      (kept.unchecked && !job_->request.insecure)) {
    drop_former("nothing proves the bytes of the former link");
    return io::remove_kept_part(*job_->landing.folder, kept.file);
  }
  if (!landing_.adopt(kept.file, kept.here.end()))
    return drop_former("the bytes of the former link are gone");
  if (!name_anew()) return landing_.remove();
  served_ = {.version = kept.version(),
             .digest = kept.digest,
             .takes_ranges = true,
             .as_page = kept.as_page,
             .given = {kept.etag, kept.last_modified}};
  done_ = kept.here;
  arrivals_ = kept.arrivals;
  if (arrivals_.is_empty())
    for (const Range& range : kept.here.all()) arrivals_.add(range);
  unchecked_ = unchecked_ || kept.unchecked;
  if (is_replaced) doubt_kept();
  pace_.kept(done_.total());
  // After a crash, the next start must find the part by its new name.
  tell(progress(done_.total(), checkpoint(landing_.checkpoint()).to_json()));
}

void Download::start_over() {
  done_.clear();
  arrivals_.clear();
  sent_.clear();
  senders_.clear();
  drop_former("the new link has a file of another size, or its server sends no ranges");
  pace_.kept(0);
  landing_.set_aside();
}

void Download::write_behind(std::int64_t bytes) {
  if (!behind_.wrote(bytes)) return;
  env_.lander.begin_flush(landing_.file(),
                          posting<>(&env_.loop, alive_, [this] { behind_.ended(); }));
}

std::string Download::given_name() const {
  if (!own().name.empty()) return own().name;
  return order_.item == 1 ? job_->request.name : "";
}

std::string Download::given_folders() const {
  const std::string name = given_name();
  return name.substr(0, name.rfind('/') + 1);
}

// The part may be of an earlier request, which had another name for the file or none.
Result<void> Download::name_anew() {
  const std::string inside = given_folders();
  const std::string given = given_name().substr(inside.size());
  const std::string name = given.empty() ? landing_.name() : io::safe_name(given);
  if (!inside.empty()) return landing_.set_path(inside + name);
  landing_.set_name(name);
  return {};
}

Result<void> Download::choose_name(const Reply& reply) {
  if (!landing_.name().empty()) return {};
  const std::string inside = given_folders();
  std::string wanted = given_name().substr(inside.size());
  const bool given = !wanted.empty();
  if (wanted.empty()) wanted = reply.name;
  if (wanted.empty()) wanted = io::url_name(url_.text);
  if (wanted.empty()) wanted = host_of(url_.text);
  std::string name = io::safe_name(wanted);
  if (!given && name.find('.') == std::string::npos) name += io::extension_for(reply.type);
  if (!inside.empty()) return landing_.set_path(inside + name);
  landing_.set_name(std::move(name));
  return {};
}

Result<void> Download::open_part(const Reply& reply) {
  if (auto chosen = choose_name(reply); !chosen) return chosen;
  if (auto exists = name_exists()) return std::unexpected{*std::move(exists)};
  choose_replaced();
  return landing_.create(served_.version.size);
}

Result<void> Download::reserve_room() {
  const std::int64_t size = served_.version.size.value_or(0);
  const std::int64_t more = std::max<std::int64_t>(size - have(), 0);
  auto room = room_.reserve(more, env_.clock.steady());
  // A size that no disk can hold is the server's fault. Other jobs must not wait for space because
  // of it.
  if (!room && more / kAbsurd > job_->landing.folder->all_bytes())
    return std::unexpected{Fault{FaultKind::permanent, "file_too_large",
                                 fmt::format("{} bytes, far more than the disk has", size)}};
  return room;
}

std::optional<Fault> Download::too_large(std::int64_t size) const {
  const auto& wanted_max = job_->request.filters.size_max;
  if (wanted_max && size > *wanted_max)
    return Fault{FaultKind::permanent, "too_large",
                 fmt::format("larger than filters.max_size allows: {} bytes", *wanted_max)};
  if (served_.version.size || size <= env_.settings.max_size) return std::nullopt;
  return Fault{FaultKind::permanent, "file_too_large",
               fmt::format("the server does not say its size, and it is larger than "
                           "transfer.max_size allows: {} bytes",
                           env_.settings.max_size)};
}

// The request may say the size. Without a hash, all sources must agree on it.
std::optional<Fault> Download::wrong_size(std::int64_t size) const {
  const auto wanted = own().size ? own().size : agreed_;
  if (!wanted || *wanted == size) return std::nullopt;
  return Fault{FaultKind::permanent, "size_mismatch",
               fmt::format("the server has {} bytes, expected {}", size, *wanted)};
}

Result<void> Download::check_size() const {
  if (!served_.version.size) return {};
  if (auto fault = wrong_size(*served_.version.size)) return std::unexpected{*std::move(fault)};
  if (auto fault = too_large(*served_.version.size)) return std::unexpected{*std::move(fault)};
  return {};
}

Ranges Download::here() const {
  Ranges here = done_;
  for (const auto& [call, segment] : segments_)
    if (segment.accepted) here.add({segment.range.from, segment.next});
  return here;
}

Arrivals Download::arrivals() const {
  Arrivals all = arrivals_;
  for (const auto& [call, segment] : segments_)
    if (segment.accepted) all.add({segment.range.from, segment.next});
  return all;
}

HttpCheckpoint Download::checkpoint(io::Checkpoint file) const {
  file.size = served_.version.size;
  if (replaced_.kept && (is_unproven() || !served_.version.is_strong())) {
    HttpCheckpoint kept = *replaced_.kept;
    kept.file = std::move(file);
    if (!is_unproven()) kept.here = here();
    if (!is_unproven()) kept.arrivals = arrivals();
    return kept;
  }
  return {.file = std::move(file),
          .etag = served_.version.etag,
          .last_modified = served_.version.last_modified,
          .here = here(),
          .digest = served_.digest,
          .length_proven = served_.length_proven,
          .unchecked = unchecked_,
          .as_page = served_.as_page,
          .source = main_ == 0 ? "" : sources_[main_],
          .alone = alone_,
          .agreed = agreed_,
          .senders = sources_.size() == 1 ? "" : senders(),
          .former = replaced_.former,
          .arrivals = arrivals()};
}

Moving Download::progress(std::int64_t have_now, std::string kept) const {
  return {.have = have_now,
          .size = served_.version.size,
          .path = landing_.path(),
          .checkpoint = std::move(kept)};
}

io::PartSeen Download::part_seen() const {
  return {.is_resumable = can_resume() && (have() > 0 || is_unproven())};
}

void Download::report() {
  const Millis most = job_->request.max_time;
  if (is_filling() && !order_.waits_for_slot && most > Millis{0} &&
      env_.clock.steady() - began_ >= most)
    return fail(
        {FaultKind::permanent, "max_time", fmt::format("not here within {}", duration_text(most))});
  if (!is_filling() || !landing_.file()) return;
  const std::int64_t have_now = have();
  if (have_now != told_have_) {
    told_have_ = have_now;
    tell(progress(have_now));
  }
  if (!can_resume() || is_unproven() || !pace_.begin(have_now, env_.clock.steady())) return;
  flush_part([this, kept = checkpoint(landing_.checkpoint())](const Result<void>& flushed) {
    pace_.ended();
    // The part may have been replaced by a new one meanwhile.
    const bool is_same = kept.file.inode == landing_.checkpoint().inode;
    if (!flushed || !is_filling() || !is_same) return;
    pace_.kept(kept.here.total());
    tell(progress(have(), kept.to_json()));
  });
}

void Download::flush_part(Then then) {
  env_.lander.flush(landing_.file(), on_loop(std::move(then)));
}

// If the request has a checksum, the checksum decides, whatever the content looks like.
Result<void> Download::check_kind() const {
  if (has_hash(landing_.name())) return {};
  if (auto checked = io::check_content(*landing_.file(), landing_.name()); !checked) return checked;
  return check_still_kind();
}

void Download::fetched() {
  if (!landing_.file())
    return fail({FaultKind::permanent, "bad_answer", "there was nothing to fetch"});
  if (auto fault = unlisted()) return fail(*std::move(fault));
  if (auto checked = check_kind(); !checked) return fail(checked.error());
  if (!served_.version.size) served_.version.size = done_.total();
  if (auto fits = check_size(); !fits) return fail(fits.error());
  if (!own().pieces.empty() && !pieces_.is_passed) return check_pieces();
  if (!compare_first()) choose_place();
}

void Download::choose_place() {
  const std::int64_t size = served_.version.size.value_or(done_.total());
  served_.version.size = size;
  choose_replaced();
  auto place = landing_.choose_place(size);
  if (!place) return fail(place.error());
  HttpCheckpoint kept = checkpoint(*std::move(place));
  // A later start finds an unnamed file only in its place, and there it is whole.
  if (!landing_.has_part()) {
    kept.here.clear();
    kept.last_modified.clear();
  }
  leave_slot();
  tell(Fetched{.path = landing_.path(), .size = size, .checkpoint = kept.to_json()});
}

void Download::land() {
  if (landing_.state() == io::LandingState::whole) put();
}

Checksum Download::given_sum() const { return sum_for(landing_.name()); }

Checksum Download::sum_for(const std::string& name) const {
  const engine::GetRequest& request = job_->request;
  if (!own().checksum.hex.empty()) return own().checksum;
  if (order_.item == 1 && !request.checksum.hex.empty()) return request.checksum;
  const auto listed = request.checksums.find(name);
  return listed == request.checksums.end() ? Checksum{} : listed->second;
}

std::optional<Fault> Download::unlisted() const {
  if (job_->request.checksums.empty() || !given_sum().hex.empty()) return std::nullopt;
  return Fault{FaultKind::permanent, "checksum_missing",
               fmt::format("the list of checksums has no {}", landing_.name())};
}

Checksum Download::wanted_sum() const {
  const Checksum given = given_sum();
  return given.hex.empty() ? served_.digest : given;
}

// A time in the future would confuse programs that compare times.
void Download::set_time() const {
  if (!job_->request.remote_time || !landing_.file()) return;
  const auto time = modified_ ? modified_ : io::read_http_date(served_.version.last_modified);
  if (time && *time <= env_.clock.now()) landing_.file()->set_time(*time);
}

void Download::put() {
  set_time();
  const bool is_taken = pieces_.is_passed && taken_ && !taken_->hex.empty();
  if (!is_taken && !job_->request.hash.empty())
    taken_ = std::make_shared<Checksum>(Checksum{job_->request.hash, {}});
  landing_.put(env_.lander, pieces_.is_whole_right ? Checksum{} : wanted_sum(),
               on_loop([this](const Result<void>& result) { landed(result); }),
               is_taken ? nullptr : taken_);
}

void Download::name_taken() {
  if (auto exists = name_exists()) return fail(*std::move(exists));
  fetched();
}

void Download::landed(const Result<void>& result) {
  const std::string mtime = landing_.file()->seen().mtime;
  switch (landing_.placed(result)) {
    case io::PlaceEnd::done:
      return end(Finished{.path = landing_.path(),
                          .size = served_.version.size.value_or(0),
                          .in_place = true,
                          .evidence = evidence(mtime)});
    case io::PlaceEnd::taken:
      return name_taken();
    case io::PlaceEnd::stopped:
      return end(Stopped{});
    case io::PlaceEnd::unflushed:  // Without a new checkpoint, the store keeps the one of the file.
      return end(Failed{.fault = result.error(), .checkpoint = {}});
    case io::PlaceEnd::failed:
      return fail(result.error());
  }
}

std::string Download::evidence(const std::string& mtime) const {
  const Checksum sum = wanted_sum();
  const Version& version = served_.version;
  // A host that answered in place of the server could have sent any digest and any tag.
  const bool is_unproven = unchecked_ && !has_hash(landing_.name());
  const bool has_tag = !version.etag.empty() && !given_validators().etag.empty() &&
                       replaced_.former.empty();  // Only a part of the bytes came with this tag.
  std::string proof = R"({"kind":"size")";
  if (!is_unproven && !sum.hex.empty())
    proof = fmt::format(R"({{"kind":"hash","{}":"{}")", sum.algorithm, sum.hex);
  else if (!is_unproven && !own().pieces.empty())
    proof = fmt::format(R"({{"kind":"pieces","pieces":"{}")", own().pieces.algorithm);
  else if (is_unproven || !served_.length_proven)
    proof = R"({"kind":"unverified")";
  else if (has_tag)
    proof = fmt::format(R"({{"kind":"etag","etag":{})", json_quoted(version.etag));
  proof += fmt::format(R"(,"size":{})", version.size.value_or(0));
  add_receipt(proof, mtime);
  return proof + '}';
}

// Flushes and keeps a part that a later start can resume. Leaves a whole one, whose checkpoint the
// store has. Removes any other part.
void Download::fail(Fault fault, std::int64_t wait_ms) {
  stop_calls();
  room_.release();
  Fault judged = fault;
  // The bytes are good for the next source, whatever this one answers.
  if (elsewhere(fault, {}) && may_join()) judged.kind = FaultKind::retryable;
  const io::StopStep step = landing_.fail(judged, part_seen());
  Failed failed{.fault = std::move(fault), .wait_ms = wait_ms, .checkpoint = "{}"};
  if (step == io::StopStep::leave) failed.checkpoint.clear();
  if (step == io::StopStep::remove) failed.elsewhere = elsewhere(failed.fault, {});
  if (step != io::StopStep::flush) return end(std::move(failed));
  const HttpCheckpoint kept = checkpoint(landing_.checkpoint());
  failed.checkpoint = kept.to_json();
  failed.elsewhere = elsewhere(failed.fault, kept);
  flush_part([this, failed = std::move(failed)](const Result<void>& flushed) mutable {
    // An attempt that broke off before the next report has made progress, too (Z-11).
    if (flushed)
      tell(Moving{
          .have = done_.total(), .size = served_.version.size, .path = {}, .checkpoint = {}});
    else
      failed.checkpoint = "{}";
    if (!flushed && failed.elsewhere) failed.elsewhere = elsewhere(failed.fault, {});
    end(std::move(failed));
  });
}

void Download::stop(Leftovers leftovers) {
  stop_calls();
  room_.release();
  switch (landing_.stop(leftovers, part_seen())) {
    case io::StopStep::wait:
      return;
    case io::StopStep::remove:
    case io::StopStep::leave:
      return end(Stopped{});
    case io::StopStep::flush:
      break;
  }
  Moving kept{.have = done_.total(),
              .size = served_.version.size,
              .path = {},
              .checkpoint = checkpoint(landing_.checkpoint()).to_json()};
  flush_part([this, kept = std::move(kept)](const Result<void>& flushed) {
    if (flushed) tell(kept);
    end(Stopped{});
  });
}

}  // namespace haul::http
