// `haul watch`: follows one job to its end, or all jobs. `haul get --daemon` uses it too.

#include <fmt/core.h>

#include <map>
#include <ostream>

#include "base/json.h"
#include "cli/draw/job_lines.h"
#include "cli/draw/pace.h"
#include "cli/draw/progress_lines.h"
#include "cli/remote/follow.h"
#include "cli/remote/watch_view.h"

namespace haul::cli {
namespace {

constexpr int kFailuresShown = 100;
constexpr std::size_t kSizesMax = 10'000;

// Draws one job like `haul get`.
class JobWatch final : public Follower {
 public:
  JobWatch(Remote remote, Progress& progress) : remote_{remote}, progress_{progress} {}

  void see_job(const JsonView& job, const std::string&) override {
    if (job_.text("state") != job.text("state"))
      progress_.say(fmt::format("Job {} is {}", job.text("id"), state_of(job)));
    job_ = job;
  }
  void see_event(const LiveEvent& live, const JsonView& event) override {
    if (live.name == "progress") see_progress(event);
    if (live.name != "note" || event.text("type") != "ITEM_DONE") return;
    // The note does not say why an item failed. The summary names it, once and with its reason.
    if (const ItemEnd end = end_of(event, sizes_); end.ok) progress_.ended(end);
  }
  void tick() override {
    if (!job_.is_empty() && !is_over())
      progress_.show(view_of_job(job_, last_), remote_.clock.steady());
  }
  void say(const std::string& line) override { progress_.say(line); }
  bool is_over() const override {
    const std::string end = job_.text("end");
    return !end.empty() && end != "open";
  }

  const JsonView& job() const { return job_; }

  void finish() {
    GetSummary summary = summary_of(job_);
    add_failures(summary);
    progress_.finish(summary);
  }

 private:
  void see_progress(const JsonView& event) {
    last_ = event;
    if (sizes_.size() > kSizesMax) sizes_.clear();
    for (const FileView& file : files_of(event))
      if (file.size) sizes_[base_name(file.name)] = *file.size;
  }
  void add_failures(GetSummary& summary) {
    if (job_.object("counts").number("failed").value_or(0) == 0) return;
    const auto id = job_.number("id").value_or(0);
    const auto answer =
        ask(remote_, job_path(id, fmt::format("/items?state=FAILED&limit={}", kFailuresShown)));
    const auto list = answer ? read_list(answer->body) : Result<ListView>{};
    if (!list) return;  // The summary counts the failures even without their names.
    for (const std::string& text : list->items)
      if (const auto item = JsonView::read(text))
        summary.failures.push_back(failure_of_item(*item));
  }

  Remote remote_;
  Progress& progress_;
  JsonView job_;
  JsonView last_;
  std::map<std::string, std::int64_t> sizes_;
};

// Prints every event as a line of JSON, then the job as it ended.
class JsonWatch final : public Follower {
 public:
  JsonWatch(Remote remote, Screen& screen) : remote_{remote}, screen_{screen} {}

  void see_job(const JsonView& job, const std::string& json) override {
    end_ = job.text("end");
    success_ = job.text("outcome") == "whole";
    json_ = json;
  }
  void see_event(const LiveEvent& live, const JsonView&) override {
    if (live.name != "progress" || pace_.is_due(remote_.clock.steady()))
      screen_.write(safe_json(live.data) + "\n");
  }
  void resync() override { screen_.write("{\"resync\":true}\n"); }
  bool is_over() const override { return !end_.empty() && end_ != "open"; }
  bool is_success() const { return success_; }
  void finish() { screen_.write(safe_json(json_) + "\n"); }

 private:
  Remote remote_;
  Screen& screen_;
  Pace pace_{Millis{1'000}};
  std::string end_;
  std::string json_;
  bool success_ = false;
};

// Prints a line per move of any job, and a bar per running transfer.
class AllWatch final : public Follower {
 public:
  AllWatch(Remote remote, Progress& progress) : remote_{remote}, progress_{progress} {}

  void see_job(const JsonView&, const std::string&) override {}
  void see_event(const LiveEvent& live, const JsonView& event) override {
    const std::int64_t job = event.number("job").value_or(0);
    if (live.name == "progress") active_[job] = event;
    if (live.name != "moved") return;
    active_.erase(job);  // If it is still transferring, its next progress event adds it again.
    const std::string reason = event.text("reason");
    progress_.say(
        fmt::format("Job {}: {}{}", job, event_text(event), reason.empty() ? "" : ", " + reason));
  }
  void tick() override {
    GetView view{.total = static_cast<std::int64_t>(active_.size()), .enumerated = true};
    view.noun = "job";
    for (const auto& [job, progress] : active_) {
      const std::vector<FileView> files = files_of(progress);
      view.active.push_back({.item = job,
                             .name = files.size() == 1
                                         ? fmt::format("{}: {}", job, files.front().name)
                                         : fmt::format("{}: {} files", job, files.size()),
                             .have = progress.number("have").value_or(0),
                             .size = progress.number("size"),
                             .speed = static_cast<double>(progress.number("speed").value_or(0)),
                             .eta = {},
                             .status = files.size() == 1 ? files.front().status : ""});
      view.have_bytes += view.active.back().have;
      view.speed += view.active.back().speed;
    }
    if (!active_.empty()) progress_.show(view, remote_.clock.steady());
  }
  void resync() override { active_.clear(); }
  void say(const std::string& line) override { progress_.say(line); }
  bool is_over() const override { return false; }

 private:
  Remote remote_;
  Progress& progress_;
  std::map<std::int64_t, JsonView> active_;
};

int watch_as_json(const WatchOptions& options, Remote remote, Screen& screen) {
  JsonWatch watch{remote, screen};
  const auto followed = follow(remote, {.job = options.id, .last_id = {}}, watch);
  if (!followed) return tell(followed.error(), remote);
  if (*followed == Followed::interrupted) return options.id ? 1 : 0;
  watch.finish();
  return watch.is_success() ? 0 : 1;
}

int watch_all(Remote remote, Progress& progress) {
  progress.say("Watching all jobs. Ctrl-C stops watching, not the jobs.");
  AllWatch watch{remote, progress};
  const auto followed = follow(remote, {}, watch);
  if (!followed) return tell(followed.error(), remote);
  return 0;
}

}  // namespace

int run_watch(const WatchOptions& options, Remote remote, const Surroundings& around,
              Screen& screen) {
  if (remote.is_json()) return watch_as_json(options, remote, screen);
  const auto progress = open_progress(form_for(around), colour_for(around), screen);
  if (!options.id) return watch_all(remote, *progress);
  JobWatch watch{remote, *progress};
  const auto followed = follow(remote, {.job = options.id, .last_id = {}}, watch);
  if (!followed) return tell(followed.error(), remote);
  if (*followed == Followed::interrupted) {
    progress->say(
        fmt::format("Job {0} continues: haul watch {0} shows it again, "
                    "haul cancel {0} cancels it.",
                    *options.id));
    return 1;
  }
  watch.finish();
  return watch.job().text("outcome") == "whole" ? 0 : 1;
}

}  // namespace haul::cli
