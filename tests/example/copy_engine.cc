#include "example/copy_engine.h"

#include <fmt/core.h>

#include <algorithm>
#include <future>
#include <map>
#include <utility>

#include "base/json.h"
#include "base/posting.h"
#include "example/chunk.h"
#include "io/file/filename.h"
#include "io/file/landing.h"

namespace haul::example {
namespace {

constexpr std::string_view kAddress = "copy://localhost";

// Each worker numbers its own starts, so the key includes the worker's inbox.
using Key = std::pair<const Inbox*, std::int64_t>;
using JobFolder = std::shared_ptr<io::LandingFolder>;

struct CopyEnv {
  io::PollLoop& loop;
  io::Lander& lander;
  const CopySettings& settings;
  const std::string& boot;
};

void tell(const Order& order, Inbox& inbox, What what) {
  inbox.push({order.job, order.item, order.fence, order.start, std::move(what)});
}

// Empty if the request has no such field.
std::string field(const Order& order, std::string_view name) {
  if (const auto fields = read_object(order.request.text()))
    for (const JsonField& each : *fields)
      if (each.name == name) return each.text;
  return {};
}

Result<io::Folder> open_folder(const CopyEnv& env, const Order& order) {
  return io::open_destination(env.settings.destinations, field(order, "folder"),
                              io::Folder::Missing::fault);
}

// Removes the part that the checkpoint of an item names. With start 0, removes all parts of the
// item, or with item 0 those of the whole job.
void remove_parts(const io::Folder& folder, const Order& order) {
  if (order.start != 0)
    return io::remove_kept_part(folder, io::Checkpoint::from_json(order.checkpoint));
  const auto is_ours = [&](const io::PartOwner& owner) {
    return owner.store == order.store && owner.job == order.job &&
           (order.item == 0 || owner.item == order.item);
  };
  for (const auto& [item, parts] : io::find_parts(folder, is_ours))
    for (const std::string& part : parts) folder.remove(part);
}

// Every address of the request is an item.
What list(const Order& order) {
  const auto urls = read_array(field(order, "urls"));
  if (!urls) return Failed{.fault = urls.error(), .checkpoint = {}};
  Planned planned;
  for (const std::string& url : *urls)
    planned.items.push_back({.key = url, .url = url, .size = {}, .skip = {}});
  return planned;
}

// One start of an item. Lives on the loop's thread.
class Copy {
 public:
  Copy(const CopyEnv& env, JobFolder shared, Order order, Inbox& inbox)
      : env_{env},
        order_{std::move(order)},
        inbox_{inbox},
        shared_{std::move(shared)},
        landing_{*shared_, io::owner_of(order_), env.boot} {}

  bool is_over() const { return landing_.state() == io::LandingState::ended; }

  void begin() {
    const io::FoundAs found = landing_.recognise(io::Checkpoint::from_json(order_.checkpoint));
    landing_.remove_left();
    if (found == io::FoundAs::nothing) return open();
    size_ = landing_.file()->mark().size;
    if (found == io::FoundAs::in_place)
      put();  // An earlier start may have been lost before the flush.
    else
      fetched();
  }

  void land() {
    if (landing_.state() == io::LandingState::whole) put();
  }

  void stop(Leftovers leftovers) {
    if (landing_.stop(leftovers, {}) != io::StopStep::wait) end(Stopped{});
  }

 private:
  void open() {
    const bool is_known = order_.url.starts_with(kAddress);
    const std::filesystem::path path = is_known ? order_.url.substr(kAddress.size()) : "";
    source_ = open_source(path);
    if (!source_) return fail({FaultKind::permanent, "source_missing", order_.url});
    size_ = source_.mark().size;
    landing_.set_name(io::safe_name(path.filename().string()));
    if (auto created = landing_.create(size_); !created) return fail(created.error());
    step();
  }

  // Copies one chunk, then lets the loop do other work.
  void step() {
    const auto most = std::min(env_.settings.chunk, static_cast<std::size_t>(size_ - have_));
    const auto copied = copy_chunk(source_, *landing_.file(), have_, most);
    if (!copied) return fail(copied.error());
    if (*copied == 0 && have_ < size_)
      return fail({FaultKind::retryable, "source_changed", order_.url});
    have_ += static_cast<std::int64_t>(*copied);
    tell(order_, inbox_, Moving{.have = have_, .size = size_, .path = {}, .checkpoint = {}});
    if (have_ == size_) return fetched();
    env_.loop.after(env_.settings.pause, [this, alive = std::weak_ptr{alive_}] {
      if (alive.lock() && landing_.state() == io::LandingState::filling) step();
    });
  }

  void put() {
    landing_.put(env_.lander, {},
                 posting<Result<void>>(env_.loop.poster(), alive_,
                                       [this](const Result<void>& result) { landed(result); }));
  }

  void fetched() {
    const auto kept = landing_.choose_place(size_);
    if (!kept) return fail(kept.error());
    tell(order_, inbox_,
         Fetched{.path = landing_.path(), .size = size_, .checkpoint = kept->to_json()});
  }

  void landed(const Result<void>& result) {
    switch (landing_.placed(result)) {
      case io::PlaceEnd::done:
        return end(Finished{.path = landing_.path(),
                            .size = size_,
                            .in_place = true,
                            .evidence = fmt::format(R"({{"kind":"size","size":{}}})", size_)});
      case io::PlaceEnd::taken:
        return fetched();
      case io::PlaceEnd::stopped:
        return end(Stopped{});
      case io::PlaceEnd::unflushed:
        return end(Failed{.fault = result.error(), .checkpoint = {}});
      case io::PlaceEnd::failed:
        return fail(result.error());
    }
  }

  // Leaves a whole file for the next start, if the fault may pass. The store keeps its checkpoint.
  void fail(Fault fault) {
    const bool is_left = landing_.fail(fault, {}) == io::StopStep::leave;
    end(Failed{.fault = std::move(fault), .checkpoint = is_left ? "" : "{}"});
  }

  void end(What what) {
    landing_.end();
    tell(order_, inbox_, std::move(what));
  }

  const CopyEnv env_;
  const Order order_;
  Inbox& inbox_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
  const JobFolder shared_;
  io::LandingFile landing_;
  io::File source_;
  std::int64_t size_ = 0;
  std::int64_t have_ = 0;
};

class CopyEngine final : public ItemEngine {
 public:
  CopyEngine(io::PollLoop& loop, io::Lander& lander, CopySettings settings)
      : settings_{std::move(settings)}, env_{loop, lander, settings_, boot_} {}

  // Everything that lives on the loop's thread is destroyed there.
  ~CopyEngine() override {
    std::promise<void> cleared;
    env_.loop.post([this, &cleared] {
      copies_.clear();
      cleared.set_value();
    });
    cleared.get_future().wait();
  }

  void plan(const Order& order, Inbox& inbox) override {
    env_.loop.post([order, &inbox] { tell(order, inbox, list(order)); });
  }

  void start(Order order, Inbox& inbox) override {
    env_.loop.post([this, order = std::move(order), &inbox] {
      std::erase_if(copies_, [](const auto& each) { return each.second->is_over(); });
      const auto shared = folder_of(order);
      if (!shared) return tell(order, inbox, Failed{.fault = shared.error(), .checkpoint = {}});
      auto& copy = copies_[{&inbox, order.start}] =
          std::make_unique<Copy>(env_, *shared, order, inbox);
      copy->begin();
    });
  }

  void land(const Order& order, Inbox& inbox) override {
    env_.loop.post([this, key = Key{&inbox, order.start}] {
      if (const auto found = copies_.find(key); found != copies_.end()) found->second->land();
    });
  }

  void stop(const Order& order, Leftovers leftovers, Inbox& inbox) override {
    env_.loop.post([this, order, leftovers, &inbox] {
      const auto found = copies_.find({&inbox, order.start});
      if (found != copies_.end() && !found->second->is_over())
        return found->second->stop(leftovers);
      if (leftovers == Leftovers::remove)
        if (const auto folder = open_folder(env_, order)) remove_parts(*folder, order);
      tell(order, inbox, Stopped{});
    });
  }

 private:
  // The files of a job share it under one lease, so that no two choose the same name.
  Result<JobFolder> folder_of(const Order& order) {
    std::erase_if(folders_, [](const auto& each) { return each.second.expired(); });
    std::weak_ptr<io::LandingFolder>& known = folders_[{order.job, order.fence}];
    if (JobFolder shared = known.lock()) return shared;
    auto folder = open_folder(env_, order);
    if (!folder) return std::unexpected{folder.error()};
    const auto shared = std::make_shared<io::LandingFolder>(
        io::landing_folder(*std::move(folder), io::owner_of(order)));
    known = shared;
    return shared;
  }

  const CopySettings settings_;
  const std::string boot_ = io::boot_id();
  const CopyEnv env_;
  // Used only on the loop's thread.
  std::map<Key, std::unique_ptr<Copy>> copies_;
  std::map<std::pair<JobId, std::int64_t>, std::weak_ptr<io::LandingFolder>> folders_;
};

}  // namespace

std::unique_ptr<ItemEngine> make_copy_engine(io::PollLoop& loop, io::Lander& lander,
                                             CopySettings settings) {
  return std::make_unique<CopyEngine>(loop, lander, std::move(settings));
}

}  // namespace haul::example
