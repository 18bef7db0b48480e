// A download's file: its part, its checkpoint, its name, and its end.

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/host.h"
#include "base/json.h"
#include "engine/http/download.h"
#include "engine/http/part_name.h"
#include "io/file/content.h"

namespace haul {
namespace {

constexpr Millis kKeepEvery{2'000};
constexpr std::int64_t kKeepFrom = std::int64_t{1} << 20U;  // Less is faster to fetch again.
constexpr std::int64_t kUnnamedMax = std::int64_t{64} << 10U;
constexpr std::int64_t kWriteBehind = std::int64_t{8} << 20U;
constexpr std::int64_t kAbsurd = 100;  // Times the size of the whole disk.
constexpr int kNumbersMax = 10'000;

// A later start recognises an unnamed file only once it is in its place, and then it is whole. So
// the checkpoint needs no ranges, boot or date.
void forget_way(Checkpoint& kept) {
  kept.here.clear();
  kept.boot.clear();
  kept.version.last_modified.clear();
}

PartOwner owner(const Order& order) { return {order.store, order.job, order.item, order.fence}; }

}  // namespace

// A worker was lost after the last byte and before the item's move. The file is in its place, or
// still a part.
bool Download::recognise() {
  const Checkpoint kept = Checkpoint::from_json(order_.checkpoint);
  if (kept.target.empty() || !kept.version.size) return false;
  const FileMark wanted{kept.inode, *kept.version.size};
  const bool in_place = job_->folder->find(kept.target) == wanted;
  // A file in its place was written out before. A part was not, so it is only whole if the machine
  // has not restarted since.
  const bool is_here = kept.boot == env_.boot && job_->folder->find(kept.part) == wanted;
  if (!in_place && !is_here) return false;
  version_ = kept.version;
  digest_ = kept.digest;
  length_proven_ = kept.length_proven;
  name_ = kept.name;
  target_ = kept.target;
  part_ = kept.part;
  done_ = kept.here;
  auto file = job_->folder->open_file(in_place ? target_ : part_);
  if (!file) return false;
  file_ = std::make_shared<File>(*std::move(file));
  if (!in_place) {
    fetched();
    return true;
  }
  part_.clear();
  landing_ = true;
  put({.is_named = true});
  return true;
}

// Renames the part of an earlier leaseholder to this holder's name before writing to it. Removes a
// part that cannot be resumed with proof.
void Download::adopt_part() {
  const Checkpoint kept = Checkpoint::from_json(order_.checkpoint);
  if (kept.part.empty()) return;
  const auto id = job_->folder->find(kept.part);
  if (!id || id->inode != kept.inode) return;
  const bool is_short = id->size < kept.here.end();
  const std::string ours = part_name(kept.name, owner(order_));
  part_ = kept.part;
  const bool is_unflushed = !kept.target.empty();
  if (!kept.version.is_strong() || kept.here.total() == 0 || is_short || is_unflushed)
    return remove_part();
  if (ours != kept.part) {
    if (!job_->folder->rename(kept.part, ours)) return remove_part();
    part_ = ours;
  }
  auto file = job_->folder->open_file(part_);
  if (!file) return remove_part();
  file_ = std::make_shared<File>(*std::move(file));
  name_ = kept.name;
  version_ = kept.version;
  done_ = kept.here;
  digest_ = kept.digest;
  takes_ranges_ = true;
  kept_have_ = done_.total();
  // After a crash, the next start must find the part by its new name.
  tell(Moving{.have = done_.total(),
              .size = version_.size,
              .path = job_->folder->path_of(name_),
              .checkpoint = checkpoint().to_json()});
}

// Starting over needs a new file. The store may have a checkpoint of the old bytes, and a start
// after a crash would apply it to the new bytes. The old file stays until the new one exists, so
// that the file system cannot give both the same inode.
void Download::set_aside() {
  done_.clear();
  kept_have_ = 0;
  if (!file_) return;
  file_.reset();
  aside_ = std::exchange(part_, {});
}

// Lets the disk write while more bytes come. Otherwise the last flush has to wait for all of them.
void Download::write_behind() {
  if (flushing_ || unflushed_ < kWriteBehind) return;
  flushing_ = true;
  unflushed_ = 0;
  env_.lander.begin_flush(file_, [this, alive = std::weak_ptr{alive_}, &loop = env_.loop] {
    loop.post([this, alive] {
      if (alive.lock()) flushing_ = false;
    });
  });
}

// Removes the parts of earlier starts that were killed before they reported a checkpoint.
void Download::remove_left() {
  const auto left = job_->left.extract(order_.item);
  if (left.empty()) return;
  for (const std::string& part : left.mapped())
    if (part != part_) job_->folder->remove(part);
}

void Download::choose_name(const Reply& reply) {
  if (!name_.empty()) return;
  std::string wanted = order_.item == 1 ? job_->request.name : "";
  const bool given = !wanted.empty();
  if (wanted.empty()) wanted = reply.name;
  if (wanted.empty()) wanted = url_name(url_.text);
  if (wanted.empty()) wanted = host_of(url_.text);
  name_ = safe_name(wanted);
  if (!given && name_.find('.') == std::string::npos) name_ += extension_for(reply.type);
}

// A small file, which is quickly fetched again, gets no name before it is whole. That halves the
// work for the folder, and a crash leaves nothing behind.
bool Download::open_unnamed() {
  if (!version_.size || *version_.size > kUnnamedMax) return false;
  auto file = job_->folder->create_unnamed();
  if (!file) return false;
  file_ = std::make_shared<File>(*std::move(file));
  part_.clear();
  return true;
}

bool Download::open_part(const Reply& reply) {
  choose_name(reply);
  if (file_) return true;
  if (open_unnamed()) {
    if (!aside_.empty()) job_->folder->remove(std::exchange(aside_, {}));
    return true;
  }
  for (int number = 1; number < kNumbersMax; ++number) {
    part_ = part_name(name_, owner(order_), number);
    auto file = job_->folder->create(part_);
    if (file) {
      file_ = std::make_shared<File>(*std::move(file));
      if (!aside_.empty()) job_->folder->remove(std::exchange(aside_, {}));
      return true;
    }
    if (file.error().code != "name_taken") {
      fail_with(file.error());
      return false;
    }
  }
  fail_with({FaultKind::permanent, "name_taken", name_});
  return false;
}

bool Download::has_room(const Reply&) {
  const std::int64_t more = std::max<std::int64_t>(version_.size.value_or(0) - have(), 0);
  const auto room = room_.reserve(more, env_.clock.steady());
  if (room) return true;
  // A size that no disk can hold is the server's fault. Other jobs must not wait for space because
  // of it.
  if (more / kAbsurd > job_->folder->all_bytes())
    fail_with({FaultKind::permanent, "file_too_large",
               fmt::format("{} bytes, far more than the disk has", version_.size.value_or(0))});
  else
    fail_with(room.error());
  return false;
}

std::optional<Fault> Download::too_large(std::int64_t size) const {
  const auto& wanted_max = job_->request.filters.size_max;
  if (wanted_max && size > *wanted_max)
    return Fault{FaultKind::permanent, "too_large",
                 fmt::format("larger than filters.max_size allows: {} bytes", *wanted_max)};
  if (version_.size || size <= env_.settings.max_size) return std::nullopt;
  return Fault{FaultKind::permanent, "file_too_large",
               fmt::format("the server does not say its size, and it is larger than "
                           "transfer.max_size allows: {} bytes",
                           env_.settings.max_size)};
}

bool Download::is_small_enough() {
  const auto fault = version_.size ? too_large(*version_.size) : std::nullopt;
  if (fault) fail_with(*fault);
  return !fault;
}

Ranges Download::here() const {
  Ranges here = done_;
  for (const auto& [call, segment] : segments_)
    if (segment.accepted) here.add({segment.range.from, segment.next});
  return here;
}

Checkpoint Download::checkpoint() const {
  if (!file_) return {};
  return {.name = name_,
          .part = part_,
          .inode = file_->mark().inode,
          .version = version_,
          .here = here(),
          .target = {},
          .digest = digest_,
          .length_proven = length_proven_};
}

void Download::report() {
  if (over_ || landing_ || !file_) return;
  const std::int64_t have_now = have();
  if (have_now != told_have_) {
    told_have_ = have_now;
    tell(Moving{.have = have_now,
                .size = version_.size,
                .path = job_->folder->path_of(name_),
                .checkpoint = {}});
  }
  const bool worth = version_.is_strong() && have_now - kept_have_ >= kKeepFrom &&
                     env_.clock.steady() - kept_at_ >= kKeepEvery;
  if (!worth || keeping_) return;
  keeping_ = true;
  kept_at_ = env_.clock.steady();
  const auto keep = [this, kept = checkpoint()](const Result<void>& flushed) {
    keeping_ = false;
    if (!flushed || over_ || landing_) return;
    kept_have_ = kept.here.total();
    tell(Moving{.have = have(),
                .size = version_.size,
                .path = job_->folder->path_of(name_),
                .checkpoint = kept.to_json()});
  };
  env_.lander.flush(
      file_, [this, keep, alive = std::weak_ptr{alive_}, &loop = env_.loop](Result<void> flushed) {
        loop.post([keep, alive, flushed] {
          if (alive.lock()) keep(flushed);
        });
      });
}

// Chooses a name that neither another item of the job nor the folder has. Landing detects a name
// that the folder has. Asking the folder beforehand is worth it only if a name was taken before.
bool Download::choose_target() {
  if (!target_.empty()) job_->names.give_back({}, target_);
  target_ = job_->names.choose({}, name_, [this](const std::string& name) {
    return job_->crowded && job_->folder->find(name).has_value();
  });
  return !target_.empty();
}

// If the request has a checksum, the checksum decides, whatever the content looks like.
Result<void> Download::check_kind() const {
  if (order_.item == 1 && !job_->request.checksum.hex.empty()) return {};
  return check_content(*file_, name_);
}

void Download::fetched() {
  if (!file_) return fail({FaultKind::permanent, "bad_answer", "there was nothing to fetch"});
  if (auto checked = check_kind(); !checked) return fail(checked.error());
  if (!choose_target()) return fail({FaultKind::permanent, "name_taken", name_});
  version_.size = version_.size.value_or(done_.total());
  landing_ = true;
  Checkpoint kept = checkpoint();
  kept.target = target_;
  kept.boot = env_.boot;
  if (part_.empty()) forget_way(kept);
  tell(Fetched{.path = job_->folder->path_of(target_),
               .size = *version_.size,
               .checkpoint = kept.to_json()});
}

void Download::land() {
  if (over_ || !landing_ || !file_ || at_lander_) return;
  put({});
}

void Download::put(LandTask task) {
  task.folder = job_->folder;
  task.file = file_;
  task.part = part_;
  task.target = target_;
  task.wanted =
      order_.item == 1 && !job_->request.checksum.hex.empty() ? job_->request.checksum : digest_;
  at_lander_ = true;
  env_.lander.land(std::move(task),
                   [this, alive = std::weak_ptr{alive_}, &loop = env_.loop](Result<void> result) {
                     loop.post([this, alive, result = std::move(result)] {
                       if (alive.lock()) landed(result);
                     });
                   });
}

void Download::landed(const Result<void>& result) {
  at_lander_ = false;
  if (!result && stop_wanted_) return tell(Stopped{});
  if (!result && result.error().code == "name_taken") {
    job_->crowded = true;
    return fetched();
  }
  // The file is in its place, but the flush failed. The next start recognises it by the stored
  // checkpoint.
  if (!result && job_->folder->find(target_) == file_->mark())
    return tell(Failed{.fault = result.error(), .checkpoint = {}});
  if (!result) return fail(result.error());
  file_.reset();
  tell(Finished{.path = job_->folder->path_of(target_),
                .size = version_.size.value_or(0),
                .in_place = true,
                .evidence = evidence()});
}

std::string Download::evidence() const {
  const Checksum& sum =
      order_.item == 1 && !job_->request.checksum.hex.empty() ? job_->request.checksum : digest_;
  const std::int64_t size = version_.size.value_or(0);
  if (!sum.hex.empty())
    return fmt::format(R"({{"kind":"hash","{}":"{}","size":{}}})", sum.algorithm, sum.hex, size);
  if (!length_proven_) return fmt::format(R"({{"kind":"unverified","size":{}}})", size);
  if (!version_.etag.empty())
    return fmt::format(R"({{"kind":"etag","etag":{},"size":{}}})", json_quoted(version_.etag),
                       size);
  return fmt::format(R"({{"kind":"size","size":{}}})", size);
}

void Download::remove_part() {
  if (!part_.empty()) job_->folder->remove(part_);
  if (!aside_.empty()) job_->folder->remove(std::exchange(aside_, {}));
  file_.reset();
  part_.clear();
}

// Flushes and keeps a part that a later start can resume. Removes any other part.
void Download::fail(Fault fault) {
  stop_calls();
  room_.release();
  const bool later = fault.kind == FaultKind::retryable || fault.kind == FaultKind::environment;
  const bool damaged = fault.code == "checksum_mismatch" || fault.code == "file_changed";
  Failed failed{.fault = std::move(fault), .wait_ms = wait_ms_, .checkpoint = "{}"};
  landing_ = false;
  if (!later || damaged || part_.empty() || !version_.is_strong() || done_.total() == 0) {
    remove_part();
    return tell(std::move(failed));
  }
  over_ = true;  // Only the flush is still to come.
  failed.checkpoint = checkpoint().to_json();
  env_.lander.flush(file_, [this, failed, alive = std::weak_ptr{alive_},
                            &loop = env_.loop](Result<void> flushed) mutable {
    if (!flushed) failed.checkpoint = "{}";
    loop.post([this, alive, failed = std::move(failed), ok = flushed.has_value()] {
      if (!alive.lock()) return;
      // An attempt that broke off before the next report has made progress, too (Z-11).
      if (ok)
        tell(Moving{.have = done_.total(), .size = version_.size, .path = {}, .checkpoint = {}});
      tell(failed);
    });
  });
}

void Download::stop(Parts parts) {
  if (parts == Parts::remove && !part_.empty()) job_->folder->remove(part_);
  stop_wanted_ = true;
  if (over_ || at_lander_) return;  // The lander's callback reports the end.
  stop_calls();
  room_.release();
  if (parts == Parts::remove) {
    remove_part();
    return tell(Stopped{});
  }
  if (part_.empty()) remove_part();
  if (!file_ || landing_) return tell(Stopped{});
  over_ = true;
  const bool useful = version_.is_strong() && done_.total() > 0;
  const Moving kept{.have = done_.total(),
                    .size = version_.size,
                    .path = {},
                    .checkpoint = useful ? checkpoint().to_json() : ""};
  if (!useful) remove_part();
  if (!useful) return tell(Stopped{});
  env_.lander.flush(file_, [this, kept, alive = std::weak_ptr{alive_},
                            &loop = env_.loop](const Result<void>& flushed) {
    loop.post([this, alive, kept, ok = flushed.has_value()] {
      if (!alive.lock()) return;
      if (ok) tell(kept);
      tell(Stopped{});
    });
  });
}

}  // namespace haul
