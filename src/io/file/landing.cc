#include "io/file/landing.h"

#include <utility>

#include "base/ensure.h"
#include "io/file/filename.h"

namespace haul::io {
namespace {

constexpr int kNumbersMax = 10'000;
constexpr std::int64_t kUnnamedMax = std::int64_t{64} << 10U;  // More takes longer to fetch again.

std::unexpected<Fault> no_name_free(const std::string& name) {
  return std::unexpected{Fault{FaultKind::permanent, "name_taken", name}};
}

std::shared_ptr<File> opened(File file) { return std::make_shared<File>(std::move(file)); }

}  // namespace

LandingFolder landing_folder(Folder folder, const PartOwner& holder) {
  LandingFolder made{.folder = std::make_shared<const Folder>(std::move(folder))};
  made.left = find_parts(*made.folder,
                         [&holder](const PartOwner& owner) { return owner.is_before(holder); });
  return made;
}

LandingFile::LandingFile(LandingFolder& shared, PartOwner owner, const std::string& boot)
    : shared_{shared}, owner_{std::move(owner)}, boot_{boot}, folder_{shared.folder} {}

LandingFile::~LandingFile() { give_back(); }

void LandingFile::enter(LandingState next) {
  ensure(may_follow(state_, next), "a landing goes from state to state as its table allows");
  state_ = next;
}

std::string LandingFile::path() const {
  return folder_->path_of(target_.empty() ? name_ : target_);
}

void LandingFile::give_back() {
  if (!target_.empty() && !keeps_name_) shared_.names.give_back(inside_, target_);
  target_.clear();
}

void LandingFile::forget_path() {
  folder_ = shared_.folder;
  inside_.clear();
  name_.clear();
}

// Uses the folder that another file of the job has open.
Result<void> LandingFile::enter_folder(const std::string& name, Folder::Missing missing) {
  inside_ += name + "/";
  std::shared_ptr<const Folder> known = shared_.inside[inside_].lock();
  if (!known) {
    auto inside = folder_->open_inside(name, missing);
    if (!inside) {
      shared_.inside.clear();  // One of those above it may be gone.
      return std::unexpected{inside.error()};
    }
    known = std::make_shared<const Folder>(*std::move(inside));
    shared_.inside[inside_] = known;
  }
  folder_ = std::move(known);
  return {};
}

Result<void> LandingFile::open_folders(std::string_view safe, Folder::Missing missing) {
  forget_path();
  for (std::size_t slash = safe.find('/'); slash != std::string_view::npos;
       slash = safe.find('/')) {
    if (auto entered = enter_folder(std::string{safe.substr(0, slash)}, missing); !entered)
      return entered;
    safe.remove_prefix(slash + 1);
  }
  name_ = safe;
  return {};
}

Result<void> LandingFile::set_path(std::string_view untrusted) {
  std::erase_if(shared_.inside, [](const auto& each) { return each.second.expired(); });
  return open_folders(safe_path(untrusted), Folder::Missing::create);
}

FoundAs LandingFile::recognise(const Checkpoint& kept) {
  ensure(!file_, "a start looks for an earlier file before it has one");
  const FoundAs found = kept.target.empty() ? FoundAs::nothing : find(kept);
  if (found == FoundAs::nothing) forget_path();
  return found;
}

// Creates a folder only for a file that will land in it.
FoundAs LandingFile::find(const Checkpoint& kept) {
  const bool has_folders = open_folders(kept.target, Folder::Missing::fault).has_value();
  std::string target = kept.target.substr(kept.target.rfind('/') + 1);
  const FoundAs found =
      judge_found(kept, {.target = has_folders ? folder_->find(target) : std::nullopt,
                         .part = shared_.folder->find(kept.part),
                         .boot = boot_});
  if (found == FoundAs::nothing) return found;
  if (!has_folders && !open_folders(kept.target, Folder::Missing::create)) return FoundAs::nothing;
  name_ = kept.name;
  const bool in_place = found == FoundAs::in_place;
  auto file = in_place ? folder_->open_file(target) : shared_.folder->open_file(kept.part);
  if (!file) return FoundAs::nothing;
  file_ = opened(*std::move(file));
  named_ = in_place ? NamedAs::in_place : NamedAs::part;
  if (!in_place) {
    part_ = kept.part;
    return found;
  }
  target_ = std::move(target);
  shared_.names.hold(inside_, target_);
  return found;
}

bool LandingFile::adopt(const Checkpoint& kept, std::int64_t bytes_min) {
  ensure(!file_, "a start looks for an earlier part before it has one");
  const auto mark = shared_.folder->find(kept.part);
  if (!mark || mark->inode != kept.inode) return false;
  part_ = kept.part;
  part_number_ = 1;
  const std::string ours = part_name(kept.name, owner_);
  const bool is_ours =
      mark->size >= bytes_min && (ours == part_ || shared_.folder->rename(part_, ours).has_value());
  if (is_ours) part_ = ours;
  auto file = shared_.folder->open_file(part_);
  if (!is_ours || !file) {
    remove();
    return false;
  }
  file_ = opened(*std::move(file));
  named_ = NamedAs::part;
  name_ = kept.name;
  return true;
}

void LandingFile::remove_left() {
  const auto left = shared_.left.extract(owner_.item);
  if (left.empty()) return;
  for (const std::string& part : left.mapped())
    if (part != part_) shared_.folder->remove(part);
}

bool LandingFile::create_unnamed(std::optional<std::int64_t> size) {
  if (!size || *size > kUnnamedMax || replaced_) return false;
  auto file = folder_->create_unnamed();
  if (!file) return false;
  file_ = opened(*std::move(file));
  named_ = NamedAs::nothing;
  return true;
}

// A number tells parts of the same owner apart.
Result<void> LandingFile::give_part_name(const GiveName& give) {
  while (++part_number_ < kNumbersMax) {
    std::string part = part_name(name_, owner_, part_number_);
    auto given = give(part);
    if (given) {
      part_ = std::move(part);
      named_ = NamedAs::part;
      return {};
    }
    if (given.error().code != "name_taken") return given;
  }
  return no_name_free(name_);
}

Result<void> LandingFile::create(std::optional<std::int64_t> size) {
  if (file_) return {};
  if (!create_unnamed(size)) {
    auto given = give_part_name([this](const std::string& part) -> Result<void> {
      auto file = shared_.folder->create(part);
      if (!file) return std::unexpected{file.error()};
      file_ = opened(*std::move(file));
      return {};
    });
    if (!given) return given;
  }
  if (!aside_.empty()) shared_.folder->remove(std::exchange(aside_, {}));
  return {};
}

Result<void> LandingFile::take(const Folder& from, const std::string& name,
                               std::shared_ptr<File> file) {
  ensure(file && *file && !file_, "a file that becomes the part is open, and the only one");
  auto given = give_part_name(
      [&](const std::string& part) { return shared_.folder->take(from, name, part); });
  if (given) file_ = std::move(file);
  return given;
}

void LandingFile::set_aside() {
  if (!file_) return;
  file_.reset();
  aside_ = std::exchange(part_, {});
}

void LandingFile::remove() {
  for (std::string* part : {&part_, &aside_})
    if (!part->empty()) shared_.folder->remove(std::exchange(*part, {}));
  file_.reset();
}

Checkpoint LandingFile::checkpoint() const {
  if (!file_) return {};
  return {.name = name_, .part = part_, .inode = file_->mark().inode};
}

// A file that another one of the job wants, or has, is not replaced.
std::string LandingFile::free_name() {
  if (replaced_ && has_part() && !shared_.names.is_held(inside_, replaced_->name)) {
    shared_.names.hold(inside_, replaced_->name);
    return replaced_->name;
  }
  replaced_.reset();
  return shared_.names.choose(inside_, name_, [this](const std::string& name) {
    return shared_.crowded && folder_->find(name).has_value();
  });
}

// Landing detects a name that the folder has. Asking the folder beforehand is worth it only if a
// name was taken before.
Result<Checkpoint> LandingFile::choose_place(std::int64_t size) {
  ensure(file_ != nullptr, "a file is open before its place is chosen");
  give_back();
  target_ = free_name();
  if (target_.empty()) return no_name_free(name_);
  enter(LandingState::whole);
  Checkpoint kept = checkpoint();
  kept.size = size;
  kept.target = inside_ + target_;
  // A file without a part's name can be found only in its place, and there in any boot.
  if (has_part()) kept.boot = boot_;
  return kept;
}

void LandingFile::put(Lander& lander, Checksum wanted, LandDone done,
                      std::shared_ptr<Checksum> taken) {
  ensure(file_ && !target_.empty(), "a file that lands is open and has its final name");
  enter(LandingState::placing);
  stop_check_ =
      wanted.hex.empty() && !taken ? std::stop_source{std::nostopstate} : std::stop_source{};
  lander.land({.folder = folder_,
               .file = file_,
               .named = named_,
               .part = part_,
               .target = target_,
               .wanted = std::move(wanted),
               .from = shared_.folder,
               .stop = stop_check_.get_token(),
               .replace = replaced_ ? std::optional{replaced_->how} : std::nullopt,
               .taken = std::move(taken)},
              std::move(done));
}

PlaceEnd LandingFile::placed(const Result<void>& result) {
  ensure(state_ == LandingState::placing || state_ == LandingState::stopping,
         "the lander answers once for a file that it has");
  PlaceSeen seen{.state = state_};
  if (!result) {
    seen.fault_code = result.error().code;
    seen.is_there = folder_->find(target_) == file_->mark();
  }
  const PlaceEnd end = judge_place(seen);
  if (end == PlaceEnd::taken) shared_.crowded = true;
  // Later files open their folders anew, and create those that are gone.
  if (seen.fault_code == "folder_gone") shared_.inside.clear();
  if (end != PlaceEnd::done) return end;
  keeps_name_ = replaced_.has_value();
  file_.reset();
  part_.clear();  // Another part may have its name by now.
  return end;
}

StopStep LandingFile::stop(Leftovers leftovers, PartSeen part) {
  // Also while the lander has the part: the rename fails then, and nothing lands.
  if (leftovers == Leftovers::remove && has_part()) shared_.folder->remove(part_);
  part.is_named = has_part();
  const StopStep step = judge_stop(state_, leftovers, part);
  if (step == StopStep::remove) remove();
  if (step == StopStep::flush) enter(LandingState::keeping);
  if (state_ == LandingState::placing) enter(LandingState::stopping);
  // A file that is in its place is finished, and a cancel does not change that.
  if (leftovers == Leftovers::keep || named_ != NamedAs::in_place) stop_check_.request_stop();
  return step;
}

StopStep LandingFile::fail(const Fault& fault, PartSeen part) {
  part.is_named = has_part();
  const StopStep step = judge_fail(state_, fault, part);
  if (step == StopStep::remove) remove();
  if (step == StopStep::flush) enter(LandingState::keeping);
  return step;
}

}  // namespace haul::io
