#include "example/folder_sink.h"

#include <fmt/core.h>

#include <algorithm>
#include <future>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/posting.h"
#include "example/chunk.h"
#include "io/file/filename.h"
#include "io/file/landing.h"

namespace haul::example {
namespace {

namespace fs = std::filesystem;

struct SinkEnv {
  io::PollLoop& loop;
  io::Lander& lander;
  const FolderSinkSettings& settings;
  const std::string& boot;
};

void tell(const Parcel& parcel, Inbox& inbox, What what) {
  inbox.push({parcel.job, 0, parcel.fence, 0, std::move(what)});
}

std::string name_of(const std::string& path) {
  return io::safe_name(fs::path{path}.filename().string());
}

// Adds the file at a path, if it is a regular file that can be read.
void add_file(std::vector<PlacedFile>& files, const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return;
  const auto size = static_cast<std::int64_t>(fs::file_size(path, error));
  if (!error) files.push_back({path.string(), size});
}

// The files at a path: itself, or the files in it if it is a folder.
std::vector<PlacedFile> files_at(const fs::path& path) {
  std::vector<PlacedFile> files;
  add_file(files, path);
  std::error_code error;
  for (fs::directory_iterator at{path, error}, end; !error && at != end; at.increment(error))
    add_file(files, at->path());
  std::ranges::sort(files, {}, &PlacedFile::path);
  return files;
}

// A source whose copy would have the same name as another's. Some file systems ignore case. Null if
// there is none.
const PlacedFile* find_twin(const std::vector<PlacedFile>& sources) {
  std::set<std::string> names;
  for (const PlacedFile& source : sources)
    if (!names.insert(lower(name_of(source.path))).second) return &source;
  return nullptr;
}

// One landing of a parcel, file by file. It removes nothing from the library, because another
// landing of the parcel may have reported what is there. Lives on the loop's thread.
class FolderLanding {
 public:
  FolderLanding(const SinkEnv& env, Parcel parcel, Inbox& inbox)
      : env_{env}, parcel_{std::move(parcel)}, inbox_{inbox}, sources_{files_at(parcel_.path)} {
    for (const PlacedFile& file : sources_) size_ += file.size;
  }

  bool is_over() const { return is_over_; }

  void begin() {
    if (sources_.empty()) return fail({FaultKind::permanent, "source_missing", parcel_.path});
    if (const PlacedFile* twin = find_twin(sources_))
      return fail({FaultKind::permanent, "name_taken", twin->path});
    const std::string own = fmt::format("{}-{}", env_.settings.store, parcel_.job.value);
    auto folder = io::Folder::open(env_.settings.library / own, io::Folder::Missing::create);
    if (!folder) return fail(folder.error());
    landing_ = io::landing_folder(*std::move(folder), owner());
    next();
  }

  void stop() {
    if (file_->stop(Leftovers::remove, {}) != io::StopStep::wait) end_stopped();
  }

 private:
  io::PartOwner owner() const {
    return {env_.settings.store, parcel_.job, std::ssize(placed_) + 1, parcel_.fence};
  }
  const PlacedFile& source() const { return sources_[placed_.size()]; }
  std::string name() const { return name_of(source().path); }

  // The copy that another landing of the parcel has put there. The folder has no other files.
  std::optional<io::Checkpoint> find_copy() const {
    const auto mark = landing_.folder->find(name());
    if (!mark || mark->size != source().size) return std::nullopt;
    return io::Checkpoint{
        .name = name(), .inode = mark->inode, .size = mark->size, .target = name()};
  }

  void next() {
    if (placed_.size() == sources_.size())
      return end(Landed{.files = placed_,
                        .evidence = fmt::format(R"({{"kind":"size","size":{}}})", size_)});
    at_ = 0;
    file_ = std::make_unique<io::LandingFile>(landing_, owner(), env_.boot);
    file_->remove_left();
    if (const auto copy = find_copy()) return take(*copy);
    file_->set_name(name());
    from_ = open_source(source().path);
    if (!from_) return fail({FaultKind::permanent, "source_missing", source().path});
    if (auto created = file_->create(source().size); !created) return fail(created.error());
    step();
  }

  // The landing that put the copy there may not have flushed it.
  void take(const io::Checkpoint& copy) {
    if (file_->recognise(copy) != io::FoundAs::in_place)
      return fail({FaultKind::permanent, "name_taken", name()});
    put();
  }

  void step() {
    const std::int64_t size = source().size;
    const auto most = std::min(env_.settings.chunk, static_cast<std::size_t>(size - at_));
    const auto copied = copy_chunk(from_, *file_->file(), at_, most);
    if (!copied) return fail(copied.error());
    if (*copied == 0 && at_ < size)
      return fail({FaultKind::retryable, "source_changed", source().path});
    at_ += static_cast<std::int64_t>(*copied);
    tell(parcel_, inbox_, Moving{.have = have_ + at_, .size = size_, .path = {}, .checkpoint = {}});
    if (at_ == size) return choose_place();
    env_.loop.after(env_.settings.pause, [this, alive = std::weak_ptr{alive_}] {
      if (alive.lock() && !is_over_) step();
    });
  }

  void choose_place() {
    const auto chosen = file_->choose_place(source().size);
    if (!chosen) return fail(chosen.error());
    if (chosen->target != name()) return give_way();
    put();
  }

  void put() {
    file_->put(env_.lander, {},
               posting<Result<void>>(env_.loop.poster(), alive_,
                                     [this](const Result<void>& result) { landed(result); }));
  }

  void landed(const Result<void>& result) {
    switch (file_->placed(result)) {
      case io::PlaceEnd::done:
        return arrived();
      case io::PlaceEnd::taken:
        return give_way();
      case io::PlaceEnd::stopped:
        return end_stopped();
      case io::PlaceEnd::unflushed:
      case io::PlaceEnd::failed:
        return fail(result.error());
    }
  }

  // A stop may have come meanwhile. If this was the last file, all have landed in spite of it.
  void arrived() {
    const bool is_stopping = file_->state() == io::LandingState::stopping;
    file_.reset();
    have_ += source().size;
    placed_.push_back({landing_.folder->path_of(name()), source().size});
    if (is_stopping && placed_.size() < sources_.size()) return end_stopped();
    next();
  }

  // Another landing of the parcel may have put the same file there first.
  void give_way() {
    file_->remove();
    if (!find_copy()) return fail({FaultKind::permanent, "name_taken", name()});
    next();
  }

  // Stopped promises that nothing arrived. What did stays, and the next landing finds it.
  void end_stopped() {
    if (!placed_.empty())
      return fail({FaultKind::retryable, "stopped_halfway", "some files are in the library"});
    end(Stopped{});
  }

  void fail(Fault fault) {
    if (file_) file_->remove();
    end(Failed{.fault = std::move(fault), .checkpoint = {}});
  }

  void end(What what) {
    is_over_ = true;
    tell(parcel_, inbox_, std::move(what));
  }

  const SinkEnv env_;
  const Parcel parcel_;
  Inbox& inbox_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
  const std::vector<PlacedFile> sources_;
  std::vector<PlacedFile> placed_;  // One for each source that is in its place.
  io::LandingFolder landing_;
  std::unique_ptr<io::LandingFile> file_;
  io::File from_;
  std::int64_t at_ = 0;    // Bytes of the current file.
  std::int64_t have_ = 0;  // Bytes of the files before it.
  std::int64_t size_ = 0;
  bool is_over_ = false;  // The answer was reported.
};

// What is still at the places where the parcel landed.
What look(const Parcel& parcel) {
  Indexed indexed;
  for (const PlacedFile& file : parcel.placed)
    for (PlacedFile& seen : files_at(file.path)) indexed.files.push_back(std::move(seen));
  if (indexed.files.empty()) return NotIndexed{};
  return indexed;
}

// Whether the copy is in the library as it landed, and has as many bytes as its source.
bool is_safe(const PlacedFile& source, const PlacedFile& copy) {
  return copy.size == source.size && files_at(copy.path) == std::vector{copy};
}

// The manifest: the sources that have a copy of the same name.
What remove_sources(const Parcel& parcel) {
  bool is_deleted = false;
  bool is_kept = parcel.placed.empty();
  for (const PlacedFile& source : files_at(parcel.path)) {
    const auto is_copy = [&](const PlacedFile& placed) {
      return name_of(placed.path) == name_of(source.path);
    };
    const auto copy = std::ranges::find_if(parcel.placed, is_copy);
    if (copy == parcel.placed.end()) continue;
    std::error_code error;
    const bool is_gone = is_safe(source, *copy) && fs::remove(source.path, error);
    (is_gone ? is_deleted : is_kept) = true;
  }
  if (is_kept) return Cleaned{.outcome = "kept_unsafe"};
  return Cleaned{.outcome = is_deleted ? "deleted" : "already_gone"};
}

class FolderSink final : public Sink {
 public:
  FolderSink(io::PollLoop& loop, io::Lander& lander, FolderSinkSettings settings)
      : settings_{std::move(settings)}, env_{loop, lander, settings_, boot_} {}

  // Everything that lives on the loop's thread is destroyed there.
  ~FolderSink() override {
    std::promise<void> cleared;
    env_.loop.post([this, &cleared] {
      landings_.clear();
      cleared.set_value();
    });
    cleared.get_future().wait();
  }

  void land(const Parcel& parcel, Inbox& inbox) override {
    env_.loop.post([this, parcel, &inbox] {
      std::erase_if(landings_, [](const auto& each) { return each.second->is_over(); });
      const Key key{&inbox, parcel.job, parcel.fence};
      if (landings_.contains(key)) return;  // The running one will answer.
      auto& landing = landings_[key] = std::make_unique<FolderLanding>(env_, parcel, inbox);
      landing->begin();
    });
  }

  void verify(const Parcel& parcel, Inbox& inbox) override {
    env_.loop.post([parcel, &inbox] { tell(parcel, inbox, look(parcel)); });
  }

  void clean(const Parcel& parcel, Inbox& inbox) override {
    env_.loop.post([parcel, &inbox] { tell(parcel, inbox, remove_sources(parcel)); });
  }

  void stop(const Parcel& parcel, Inbox& inbox) override {
    env_.loop.post([this, parcel, &inbox] {
      const auto found = landings_.find({&inbox, parcel.job, parcel.fence});
      if (found != landings_.end() && !found->second->is_over()) return found->second->stop();
      tell(parcel, inbox, Stopped{});
    });
  }

 private:
  using Key = std::tuple<const Inbox*, JobId, std::int64_t>;

  const FolderSinkSettings settings_;
  const std::string boot_ = io::boot_id();
  const SinkEnv env_;
  std::map<Key, std::unique_ptr<FolderLanding>> landings_;  // Used only on the loop's thread.
};

}  // namespace

std::unique_ptr<Sink> make_folder_sink(io::PollLoop& loop, io::Lander& lander,
                                       FolderSinkSettings settings) {
  return std::make_unique<FolderSink>(loop, lander, std::move(settings));
}

}  // namespace haul::example
