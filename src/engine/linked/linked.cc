#include "engine/linked/linked.h"

#include <algorithm>
#include <future>
#include <utility>

#include "base/json.h"
#include "engine/linked/linked_files.h"
#include "engine/linked/linked_sight.h"

namespace haul::linked {
namespace {

constexpr int kOverLooks = 18;  // For a job that a worker has yet to stop.
constexpr Millis kLookEvery{100};

void tell(const Order& order, Inbox& inbox, What what) {
  inbox.push({order.job, order.item, order.fence, order.start, std::move(what)});
}

void fail(const Order& order, Inbox& inbox, Fault fault) {
  tell(order, inbox, Failed{.fault = std::move(fault), .checkpoint = {}});
}

// The address in a job's request. Empty if there is none.
std::string address_in(const Order& order) {
  const auto fields = read_object(order.request.text());
  if (!fields) return {};
  for (const JsonField& field : *fields)
    if (field.name == "uri" && !field.is_null) return field.text;
  return {};
}

class LinkedEngine final : public RemoteEngine {
 public:
  LinkedEngine(io::PollLoop& loop, LinkedJobs& jobs, LinkedSettings settings)
      : loop_{loop}, jobs_{jobs}, settings_{std::move(settings)} {}
  // What the loop does later looks at `alive_` first. That ends on the loop's thread.
  ~LinkedEngine() override {
    std::promise<void> cleared;
    loop_.post([this, &cleared] {
      alive_.reset();
      cleared.set_value();
    });
    cleared.get_future().wait();
  }
  LinkedEngine(const LinkedEngine&) = delete;
  LinkedEngine& operator=(const LinkedEngine&) = delete;

  void start(Order order, Inbox& inbox) override {
    loop_.post([this, order = std::move(order), &inbox] { begin(order, inbox); });
  }

  void look(std::span<const Order> orders, Inbox& inbox) override {
    loop_.post([this, all = std::vector<Order>{orders.begin(), orders.end()}, &inbox] {
      look_at(all, inbox);
    });
  }

  // The job's own worker stops it, and removes the parts of its files.
  void stop(const Order& order, Leftovers, Inbox& inbox) override {
    loop_.post([this, order, &inbox] { cancel(order, inbox); });
  }

  void list(const Order& order, Inbox& inbox) override {
    loop_.post([this, order, &inbox] { list_files(order, inbox); });
  }

  void release(const Order& order, Inbox& inbox) override {
    loop_.post([this, order, &inbox] { let_go(order, inbox); });
  }

 private:
  void begin(const Order& order, Inbox& inbox) {
    auto job = jobs_.find(order);
    if (job && !*job) job = find_whole(order);
    if (job && !*job) job = jobs_.add(order, address_in(order));
    if (!job) return fail(order, inbox, job.error());
    tell(order, inbox, Accepted{.handle = handle_of(*job)});
  }

  // A retry by hand fetches nothing again that is still there. Zero if something is missing, or is
  // not what was fetched: another file of the same size is another film.
  Result<JobId> find_whole(const Order& order) {
    const auto job = jobs_.find_earlier(order);
    if (!job || !*job) return job;
    const auto files = jobs_.files(*job);
    if (!files) return std::unexpected{files.error()};
    const auto sources = look_at_files(settings_.roots, *files);
    return sources && std::ranges::equal(*sources, *files, is_as_fetched) ? *job : JobId{};
  }

  // All ids of one look are one question to the store.
  void look_at(const std::vector<Order>& orders, Inbox& inbox) {
    std::vector<JobId> ids;
    ids.reserve(orders.size());
    for (const Order& order : orders) ids.push_back(job_of(order.handle).value_or(JobId{}));
    const auto jobs = jobs_.look(ids);
    for (std::size_t i = 0; i < orders.size(); ++i) {
      if (!jobs)
        tell(orders[i], inbox, Unseen{.code = jobs.error().code});
      else if (const auto& job = (*jobs)[i])
        tell_of(orders[i], inbox, *job);
      else
        tell(orders[i], inbox, Missing{});
    }
  }

  void tell_of(const Order& order, Inbox& inbox, const LinkedJob& job) {
    LinkedFilesSeen seen;
    if (job.is == LinkedJob::Is::whole) {
      const auto files = jobs_.files(job.id);
      if (!files) return tell(order, inbox, Unseen{.code = files.error().code});
      for (const LinkedFile& file : *files) seen.size += file.size;
      const auto sources = look_at_files(settings_.roots, *files);
      if (!sources && sources.error().kind == FaultKind::permanent)
        return fail(order, inbox, sources.error());
      if (!sources) seen.why_not = sources.error().code;
    }
    tell(order, inbox, sight_of(job, seen));
  }

  // haul may have added the job without having stored its number.
  void cancel(const Order& order, Inbox& inbox) {
    const auto job = order.handle.empty() ? jobs_.find(order)
                                          : Result<JobId>{job_of(order.handle).value_or(JobId{})};
    if (!job) return fail(order, inbox, job.error());
    if (!*job) return tell(order, inbox, Stopped{});
    if (const auto asked = jobs_.cancel(*job); !asked) return fail(order, inbox, asked.error());
    await_end(order, inbox, *job, kOverLooks);
  }

  void await_end(const Order& order, Inbox& inbox, JobId job, int looks_left) {
    const auto seen = jobs_.look({&job, 1});
    if (!seen) return fail(order, inbox, seen.error());
    const auto& linked = seen->front();
    if (linked && linked->is_over())
      remove_empty_folder(settings_.roots, linked->folder, order.tag());
    if (!linked || linked->is_over()) return tell(order, inbox, Stopped{});
    if (looks_left == 0)
      return fail(order, inbox,
                  {FaultKind::retryable, "client_slow", "the linked job has not stopped yet"});
    loop_.after(kLookEvery, [this, order, &inbox, job, looks_left, alive = std::weak_ptr{alive_}] {
      if (alive.lock()) await_end(order, inbox, job, looks_left - 1);
    });
  }

  // What the linked job of an order comes to. Nothing if there is none, or if it was cancelled.
  Result<std::optional<LinkedJob>> linked_to(const Order& order) {
    const JobId id = job_of(order.handle).value_or(JobId{});
    auto seen = jobs_.look({&id, 1});
    if (!seen) return std::unexpected{seen.error()};
    const auto& job = seen->front();
    if (job && job->is == LinkedJob::Is::cancelled) return std::nullopt;
    return job;
  }

  void list_files(const Order& order, Inbox& inbox) {
    const auto found = linked_to(order);
    if (!found) return fail(order, inbox, found.error());
    const std::optional<LinkedJob>& job = *found;
    if (!job) return tell(order, inbox, Missing{});
    if (job->is != LinkedJob::Is::whole)
      return fail(order, inbox,
                  {FaultKind::retryable, "asset_pending", "the linked job is not complete"});
    const auto files = jobs_.files(job->id);
    if (!files) return fail(order, inbox, files.error());
    auto sources = look_at_files(settings_.roots, *files);
    if (!sources) return fail(order, inbox, sources.error());
    tell(order, inbox, Listed{.files = *std::move(sources)});
  }

  // No other program uses the files of a linked job.
  void let_go(const Order& order, Inbox& inbox) {
    const auto found = linked_to(order);
    if (!found) return fail(order, inbox, found.error());
    if (const std::optional<LinkedJob>& job = *found; job && !job->is_over())
      return fail(order, inbox,
                  {FaultKind::retryable, "asset_pending", "the linked job is not complete"});
    tell(order, inbox, Released{});
  }

  io::PollLoop& loop_;
  LinkedJobs& jobs_;
  const LinkedSettings settings_;
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
};

}  // namespace

std::unique_ptr<RemoteEngine> make_linked_engine(io::PollLoop& loop, LinkedJobs& jobs,
                                                 LinkedSettings settings) {
  return std::make_unique<LinkedEngine>(loop, jobs, std::move(settings));
}

}  // namespace haul::linked
