#include "engine/child/delivery.h"

#include <fmt/core.h>

#include <utility>

#include "base/json.h"
#include "io/file/content.h"
#include "io/file/filename.h"

namespace haul {
namespace {

constexpr int kNumbersMax = 10'000;

}  // namespace

Delivery::Delivery(ChildEnv env, std::shared_ptr<ChildJob> job, Order order, Inbox& inbox)
    : env_{env}, job_{std::move(job)}, order_{std::move(order)}, inbox_{inbox} {}

Delivery::~Delivery() {
  if (!target_.empty()) job_->names.give_back(inside_, target_);
}

void Delivery::tell(What what) {
  gone_ = gone_ || std::holds_alternative<Finished>(what) || std::holds_alternative<Failed>(what) ||
          std::holds_alternative<Stopped>(what);
  inbox_.push({order_.job, order_.item, order_.fence, order_.start, std::move(what)});
}

void Delivery::fail(Fault fault) {
  if (!part_.empty()) job_->folder->remove(std::exchange(part_, {}));
  file_.reset();
  tell(Failed{.fault = std::move(fault), .checkpoint = "{}"});
}

std::string Delivery::path() const { return folder_->path_of(target_); }

// Turns an untrusted path into safe folder names and a safe file name. Creates the folders.
Result<void> Delivery::open_subfolder(const std::string& path) {
  folder_ = job_->folder;
  inside_.clear();
  std::string_view left = path;
  for (std::size_t slash = left.find('/'); slash != std::string_view::npos;
       slash = left.find('/')) {
    const std::string folder = safe_name(left.substr(0, slash));
    left.remove_prefix(slash + 1);
    auto inside = folder_->open_inside(folder, Folder::Missing::create);
    if (!inside) return std::unexpected{inside.error()};
    folder_ = std::make_shared<const Folder>(*std::move(inside));
    inside_ += folder + "/";
  }
  name_ = safe_name(left);
  return {};
}

bool Delivery::recognise() {
  const Checkpoint kept = Checkpoint::from_json(order_.checkpoint);
  if (kept.target.empty() || !kept.version.size) return false;
  const FileMark mark{kept.inode, *kept.version.size};
  if (!open_subfolder(kept.target)) return false;
  target_ = std::exchange(name_, kept.name);
  size_ = mark.size;
  part_ = kept.part;
  if (folder_->find(target_) == mark) {
    fetched_ = true;
    landed({});
    return true;
  }
  // The part was not flushed, so it is only whole if the machine has not restarted since.
  const bool is_here = kept.boot == env_.boot && job_->folder->find(part_) == mark;
  auto file = is_here ? job_->folder->open_file(part_) : Result<File>{std::unexpected{Fault{}}};
  if (!file) {
    target_.clear();
    part_.clear();
    return false;
  }
  file_ = std::make_shared<File>(*std::move(file));
  fetched();
  return true;
}

void Delivery::take(const StagedFile& staged) {
  if (gone_ || fetched_) return;  // An item is one file. Further files are ignored.
  const bool is_named = order_.item == 1 && !job_->request.name.empty();
  const std::string wanted = is_named ? safe_name(job_->request.name) : staged.path;
  if (!env_.program.may_deliver(staged.name))
    return fail(
        {FaultKind::rejected, "unsafe_extension",
         fmt::format("{} is nothing that {} should deliver", staged.name, env_.program.name())});
  if (wanted_sum().hex.empty())
    if (auto checked = check_content(*staged.file, staged.name); !checked)
      return fail(checked.error());
  if (auto opened = open_subfolder(wanted); !opened) return fail(opened.error());
  file_ = staged.file;
  size_ = file_->mark().size;
  if (const auto& most = job_->request.filters.size_max; most && size_ > *most)
    return fail({FaultKind::permanent, "too_large",
                 fmt::format("larger than filters.max_size allows: {} bytes", *most)});
  for (int number = 1; number < kNumbersMax && part_.empty(); ++number) {
    std::string part =
        part_name(name_, {order_.store, order_.job, order_.item, order_.fence}, number);
    const auto taken = job_->folder->take(*staged.folder, staged.name, part);
    if (taken) part_ = std::move(part);
    if (!taken && taken.error().code != "name_taken") return fail(taken.error());
  }
  if (part_.empty()) return fail({FaultKind::permanent, "name_taken", name_});
  fetched();
}

bool Delivery::choose_target() {
  if (!target_.empty()) job_->names.give_back(inside_, target_);
  target_ = job_->names.choose(
      inside_, name_, [this](const std::string& name) { return folder_->find(name).has_value(); });
  return !target_.empty();
}

Checkpoint Delivery::checkpoint() const {
  Checkpoint kept;
  kept.name = name_;
  kept.part = part_;
  kept.inode = file_->mark().inode;
  kept.version.size = size_;
  kept.boot = env_.boot;
  kept.target = inside_ + target_;
  return kept;
}

void Delivery::fetched() {
  if (!choose_target()) return fail({FaultKind::permanent, "name_taken", name_});
  fetched_ = true;
  tell(Fetched{.path = path(), .size = size_, .checkpoint = checkpoint().to_json()});
}

Checksum Delivery::wanted_sum() const {
  return order_.item == 1 ? job_->request.checksum : Checksum{};
}

void Delivery::land() {
  if (gone_ || !fetched_ || !file_ || at_lander_) return;
  // Until the file was taken from the program's folder, the program could change its mode.
  if (!deny_running(*file_)) return fail({FaultKind::environment, "disk_error", path()});
  at_lander_ = true;
  env_.lander.land(
      {.folder = folder_,
       .file = file_,
       .part = part_,
       .target = target_,
       .wanted = wanted_sum(),
       .from = job_->folder},
      [this, alive = std::weak_ptr{alive_}, to = env_.loop.poster()](Result<void> result) {
        to->post([this, alive, result = std::move(result)] {
          if (alive.lock()) landed(result);
        });
      });
}

void Delivery::landed(const Result<void>& result) {
  at_lander_ = false;
  if (!result && stop_wanted_) return tell(Stopped{});
  if (!result && result.error().code == "name_taken") return fetched();
  if (!result) return fail(result.error());
  file_.reset();
  const Checksum sum = wanted_sum();
  const std::string evidence =
      sum.hex.empty()
          ? fmt::format(R"({{"kind":"engine","engine":"{}","size":{}}})", env_.program.name(),
                        size_)
          : fmt::format(R"({{"kind":"hash","{}":"{}","size":{}}})", sum.algorithm, sum.hex, size_);
  tell(Finished{.path = path(), .size = size_, .in_place = true, .evidence = evidence});
}

void Delivery::stop(Parts parts) {
  if (gone_) return;
  stop_wanted_ = true;
  if (parts == Parts::remove && !part_.empty()) job_->folder->remove(part_);
  if (at_lander_) return;  // landed() reports the end.
  file_.reset();
  tell(Stopped{});
}

}  // namespace haul
