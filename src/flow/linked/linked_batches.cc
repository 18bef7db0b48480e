#include "flow/linked/linked_batches.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/json.h"
#include "base/request_value.h"
#include "flow/linked/linked_view.h"
#include "flow/user/user.h"
#include "lifecycle/tables.h"
#include "seam/engine.h"

namespace haul::flow {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kItemsMax = 1'000;  // That a look reads of one batch.
constexpr std::size_t kFilesMax = 4'000;  // As many as haul imports of one job.
constexpr int kLivesMax = 16;             // Earlier ones, whose files may still be there.

// The worker meets the same fault and reports it.
Result<void> try_to(const std::function<void()>& step) {
  try {
    step();
  } catch (const StoreFault& fault) {
    return std::unexpected{Fault{FaultKind::environment, "store_unavailable", fault.what()}};
  }
  return {};
}

// Users cannot choose a key of this form: the keys of batches come from haul alone.
std::string key_of(JobId job, int life) { return fmt::format("linked:{}:{}", job.value, life); }

// The inode of the file that an item's checkpoint describes (io/file/checkpoint.h). Zero if there
// is none.
std::int64_t inode_in(const std::string& checkpoint) {
  const auto members = read_object(checkpoint);
  if (!members) return 0;
  for (const JsonField& member : *members)
    if (member.name == "inode" && !member.is_null) return read_whole(member.text).value_or(0);
  return 0;
}

class LinkedBatches final : public LinkedJobs {
 public:
  LinkedBatches(Store& store, const Clock& clock, fs::path root, std::function<void()> wake)
      : store_{store}, clock_{clock}, root_{std::move(root)}, wake_{std::move(wake)} {}

  // The key belongs to one batch for ever. A worker that repeats the call, after a crash or in
  // another process, gets that batch.
  Result<JobId> add(const Order& order, const std::string& url) override {
    Result<JobId> id;
    const auto done = try_to([&] { id = add_batch(order, url); });
    if (!done) return std::unexpected{done.error()};
    wake_();
    return id;
  }

  Result<JobId> find(const Order& order) override {
    JobId id;
    const auto done = try_to([&] {
      if (const auto job = store_.reader().find(order.job)) id = find_life(*job, job->retries);
    });
    if (!done) return std::unexpected{done.error()};
    return id;
  }

  Result<JobId> find_earlier(const Order& order) override {
    JobId id;
    const auto done = try_to([&] { id = find_whole(order.job); });
    if (!done) return std::unexpected{done.error()};
    return id;
  }

  Result<std::vector<std::optional<LinkedJob>>> look(std::span<const JobId> jobs) override {
    std::vector<std::optional<LinkedJob>> seen;
    const auto done = try_to([&] { seen = views_of(jobs); });
    if (!done) return std::unexpected{done.error()};
    return seen;
  }

  Result<std::vector<LinkedFile>> files(JobId job) override {
    std::vector<LinkedFile> files;
    const auto done = try_to([&] { files = files_of(job); });
    if (!done) return std::unexpected{done.error()};
    if (files.size() > kFilesMax)
      return std::unexpected{
          Fault{FaultKind::permanent, "too_many_files",
                fmt::format("job {} has fetched more than {} files", job.value, kFilesMax)}};
    return files;
  }

  Result<void> cancel(JobId job) override {
    auto asked = try_to([&] { (void)flow::cancel(store_, job, clock_.now()); });
    wake_();
    return asked;
  }

 private:
  // "/srv/torrents/haul-a1b2c3d4e5f6-7", and with "-1" after the first retry.
  fs::path folder_of(const Order& order, int life) const {
    return root_ / (order.tag() + (life == 0 ? "" : fmt::format("-{}", life)));
  }

  Result<JobId> add_batch(const Order& order, const std::string& url) {
    const auto job = store_.reader().find(order.job);
    if (!job) return std::unexpected{Fault{FaultKind::permanent, "no_such_job", "the job is gone"}};
    const std::string folder = folder_of(order, job->retries).string();
    auto batch = as_job({.lifecycle = &kBatch,
                         .owner = job->owner,
                         .request = fmt::format(R"({{"engine":"http","folder":{},"url":{}}})",
                                                json_quoted(folder), json_quoted(url))},
                        clock_.now());
    if (!batch) return refused(batch.error());
    batch->key = {.value = key_of(order.job, job->retries), .scope = KeyScope::forever};
    const AddAnswer added = store_.jobs().add({&*batch, 1}, clock_.now()).front();
    if (!added) return refused(added.error());
    return added->id;
  }

  static std::unexpected<Fault> refused(const Refusal& refusal) {
    return std::unexpected{Fault{FaultKind::permanent, refusal.code, refusal.detail}};
  }

  JobId find_life(const Job& job, int life) const {
    return store_.reader().keyed(kBatch, job.owner, key_of(job.version.id, life));
  }

  JobId find_whole(JobId of) const {
    const auto job = store_.reader().find(of);
    if (!job) return {};
    for (int life = job->retries - 1; life >= std::max(0, job->retries - kLivesMax); --life) {
      const JobId batch = find_life(*job, life);
      const auto seen = batch ? views_of({&batch, 1}).front() : std::nullopt;
      if (seen && seen->is == LinkedJob::Is::whole) return batch;
    }
    return {};
  }

  std::vector<std::optional<LinkedJob>> views_of(std::span<const JobId> ids) const {
    const std::vector<std::optional<Job>> jobs = store_.reader().find(ids);
    const std::vector<Counts> counts = store_.items().counts(ids);
    const std::vector<std::optional<std::string>> requests = store_.reader().requests(ids);
    std::vector<std::optional<LinkedJob>> seen(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::optional<Job>& job = jobs[i];
      if (!job || job->version.lifecycle != &kBatch) continue;
      const std::vector<Item> items = store_.items().list(ids[i], "", 0, kItemsMax);
      LinkedJob view = linked_view({.job = *job, .counts = counts[i], .items = items});
      view.folder = folder_in(requests[i].value_or("{}"));
      seen[i] = std::move(view);
    }
    return seen;
  }

  static std::string folder_in(const std::string& request) {
    const auto fields = read_object(request);
    const JsonField* folder =
        fields ? find_field(*fields, kBatch.request, FieldUse::folder) : nullptr;
    return folder ? folder->text : std::string{};
  }

  // At most one more than haul imports.
  std::vector<LinkedFile> files_of(JobId job) const {
    std::vector<LinkedFile> files;
    const auto batch = store_.reader().find(job);
    if (!batch) return files;
    std::int64_t after = 0;
    for (auto page = store_.items().list(job, "", after, kItemsMax);
         !page.empty() && files.size() <= kFilesMax;
         page = store_.items().list(job, "", after, kItemsMax)) {
      for (const Item& item : page)
        if (kItem.at(item.state).end == End::good && !item.path.empty())
          files.push_back({.path = item.path,
                           .size = item.size.value_or(item.have),
                           .inode = inode_in(item.checkpoint),
                           .begun_at = batch->created_at,
                           .landed_at = item.updated_at});
      after = page.back().n;
    }
    return files;
  }

  Store& store_;
  const Clock& clock_;
  const fs::path root_;
  const std::function<void()> wake_;
};

}  // namespace

std::unique_ptr<LinkedJobs> make_linked_batches(Store& store, const Clock& clock, fs::path root,
                                                std::function<void()> wake) {
  return std::make_unique<LinkedBatches>(store, clock, std::move(root), std::move(wake));
}

}  // namespace haul::flow
