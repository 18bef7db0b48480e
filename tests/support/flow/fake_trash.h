#pragma once
// A trash in memory.

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "seam/trash.h"

namespace haul::testing {

class FakeTrash final : public Trash {
 public:
  FakeTrash& put(JobId job, const std::string& path, Time at, std::int64_t size = 1) {
    all[job].push_back({.path = path, .size = size, .trashed_at = at});
    return *this;
  }
  // "7:a.mkv 7:b.mkv"
  std::string text() const {
    std::string out;
    for (const auto& [job, files] : all)
      for (const TrashFile& file : files)
        out += (out.empty() ? "" : " ") + std::to_string(job.value) + ":" + file.path;
    return out;
  }

  Millis keeps_for() const override { return keeps; }
  Result<std::vector<JobId>> jobs(JobId below, std::size_t limit) const override {
    if (away) return std::unexpected{*away};
    std::vector<JobId> found;
    for (auto each = all.rbegin(); each != all.rend() && found.size() < limit; ++each)
      if (!below || each->first < below) found.push_back(each->first);
    return found;
  }
  Result<std::vector<TrashFile>> files(JobId job) const override {
    if (broken.contains(job))
      return std::unexpected{Fault{FaultKind::environment, "bad_trash_index", "no index"}};
    const auto found = all.find(job);
    return found == all.end() ? std::vector<TrashFile>{} : found->second;
  }
  Result<TrashRestored> restore(const TrashToRestore& what) override {
    if (busy.contains(what.job)) return std::unexpected{in_use()};
    TrashRestored done;
    std::erase_if(all[what.job], [&](const TrashFile& file) {
      if (!what.path.empty() && file.path != what.path) return false;
      if (file.trashed_at < what.since) return false;
      const bool is_taken = taken.contains(file.path);
      if (is_taken)
        done.kept.push_back(file.path + ": another file has its place");
      else
        done.restored.push_back(file.path);
      return !is_taken;
    });
    if (done.restored.empty() && done.kept.empty())
      return std::unexpected{Fault{FaultKind::permanent, "not_found", "the trash has no file"}};
    return done;
  }
  Result<TrashEmptied> empty(const TrashToEmpty& what) override {
    if (busy.contains(what.job)) return std::unexpected{in_use()};
    TrashEmptied done;
    std::vector<TrashFile> left;
    for (const TrashFile& file : all[what.job]) {
      const bool is_old = file.trashed_at >= what.since && file.trashed_at <= what.until;
      if (is_old && !done.has_more)
        done.has_more = std::cmp_equal(done.files, what.files_max) || !what.may_go_on();
      const bool goes = is_old && !done.has_more && !taken.contains(file.path);
      if (is_old && !done.has_more && !goes) done.kept.push_back(file.path + ": it changed");
      if (!goes) left.push_back(file);
      if (goes) ++done.files;
      if (goes) done.bytes += file.size;
    }
    all[what.job] = std::move(left);
    return done;
  }

  std::map<JobId, std::vector<TrashFile>> all;
  Millis keeps{0};
  std::set<JobId> busy;
  std::set<JobId> broken;
  std::set<std::string> taken;  // Paths of files that are neither restored nor deleted.
  std::optional<Fault> away;

 private:
  static Fault in_use() { return {FaultKind::environment, "trash_busy", "in use"}; }
};

}  // namespace haul::testing
