#include "flow/takeover/past_film.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/json.h"
#include "base/path_map.h"
#include "base/text.h"
#include "base/utf8.h"
#include "flow/takeover/old_time.h"
#include "flow/user/user.h"
#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

constexpr const char* kHow = "import_db";  // How a file came into the library, for the event.

std::unexpected<Refusal> leave_out(std::string_view code, std::string detail) {
  return std::unexpected{Refusal{RefusalKind::guarded, std::string{code}, std::move(detail), {}}};
}

// What the row knows of its times.
struct OldTimes {
  Time added;
  std::optional<Time> completed;
  std::optional<Time> last;  // When it came into its state.
};

// Nothing for an empty column.
std::expected<std::optional<Time>, Refusal> time_in(const char* column, const std::string& text) {
  if (text.empty()) return std::optional<Time>{};
  if (const auto at = read_old_time(text)) return at;
  return leave_out("bad_time", fmt::format("{}: \"{}\" is not a time", column, printable(text)));
}

std::expected<OldTimes, Refusal> times_of(const OldDownload& old, Time now) {
  const auto added = time_in("added_at", old.added_at);
  const auto completed = time_in("completed_at", old.completed_at);
  const auto last = time_in("last_transition_at", old.last_transition_at);
  for (const auto* each : {&added, &completed, &last})
    if (!*each) return std::unexpected{each->error()};
  const std::optional<Time>& first = *added;
  if (!first) return leave_out("bad_time", "added_at is empty");
  return OldTimes{.added = std::min(*first, now), .completed = *completed, .last = *last};
}

void put_number(std::string& json, const char* name, std::optional<std::int64_t> value,
                const RequestForm& form) {
  const RequestField* field = nullptr;
  for (const RequestField& each : form.fields)
    if (each.name == name) field = &each;
  if (field && value && *value >= field->least && *value <= field->most)
    json += fmt::format(R"(,"{}":{})", name, *value);
}

std::expected<std::string, Refusal> request_of(const OldDownload& old) {
  const std::string& title = old.title.empty() ? old.release_name : old.title;
  const std::string& release = old.release_name.empty() ? old.title : old.release_name;
  if (title.empty()) return leave_out("no_title", "it has neither a title nor a release_name");
  if (!is_utf8(title) || !is_utf8(release))
    return leave_out("bad_text", "its title or release_name is not UTF-8");
  std::string json =
      fmt::format(R"({{"title":{},"release_name":{})", json_quoted(title), json_quoted(release));
  if (old.kind == "movie" || old.kind == "series") json += fmt::format(R"(,"kind":"{}")", old.kind);
  put_number(json, "year", old.year, kMedia.request);
  put_number(json, "season", old.season, kMedia.request);
  put_number(json, "episode", old.episode, kMedia.request);
  return json + "}";
}

std::expected<std::vector<AssetFacts>, Refusal> assets_of(const OldDownload& old) {
  if (old.files.empty())
    return leave_out("no_library_file",
                     "it is imported, but the database names no file of it, so haul cannot prove "
                     "that the library has it");
  if (old.files.size() > kOldFilesMax)
    return leave_out("too_many_files", fmt::format("it has more than {} files", kOldFilesMax));
  std::vector<AssetFacts> assets;
  assets.reserve(old.files.size());
  for (const OldFile& file : old.files) {
    const auto path = has_control(file.path) ? std::nullopt : clean_path(file.path);
    if (!path)
      return leave_out("bad_path", fmt::format("\"{}\" is not a whole path", printable(file.path)));
    if (!file.size || *file.size < 0)
      return leave_out("no_file_size",
                       fmt::format("the database has no size of {}", printable(file.path)));
    assets.push_back({.media_type = "video", .path = path->string(), .size = file.size});
  }
  return assets;
}

// What the event of a move says: where the film comes from, and the files that it brought.
std::string data_of(const OldDownload& old, const std::vector<AssetFacts>& assets) {
  std::string json = fmt::format(R"({{"kind":"{}","row":{})", kHow, json_quoted(to_utf8(old.id)));
  std::string files;
  for (const AssetFacts& asset : assets)
    files += fmt::format(R"({}{{"path":{},"size":{},"source":"","how":"{}","sha256":""}})",
                         files.empty() ? "" : ",", json_quoted(asset.path), asset.size.value_or(0),
                         kHow);
  if (!assets.empty()) json += fmt::format(R"(,"files":[{}])", files);
  return json + "}";
}

// The moves to the row's state, one after the other.
class Path {
 public:
  Path(const OldDownload& old, const OldTimes& times, Time now)
      : old_{old}, at_{times.added}, now_{now} {}

  void go(Ask ask, std::optional<Time> at) {
    at_ = std::clamp(at.value_or(at_), at_, std::max(at_, now_));
    ask.by = By::system;
    ask.due_at = now_;
    if (ask.proof.data.empty()) ask.proof.data = data_of(old_, {});
    steps_.push_back({std::move(ask), at_});
  }
  std::vector<PastJob::Step> take() { return std::move(steps_); }

 private:
  const OldDownload& old_;
  Time at_;
  const Time now_;
  std::vector<PastJob::Step> steps_;
};

Ask started() { return {.on = On::started, .holds = {Guard::active_report}}; }
Ask fetched() { return {.on = On::fetched}; }

Ask landed(const OldDownload& old, std::vector<AssetFacts> assets) {
  std::string evidence = data_of(old, assets);
  return {.on = On::landed,
          .proof = {Proof::evidence, std::move(evidence)},
          .holds = {Guard::import_durable, Guard::server_told},
          .assets = std::move(assets)};
}

Ask failed() {
  return {.on = On::fail,
          .reason = "failed_before",
          .detail = "it had failed in the database that haul took over"};
}

std::expected<std::vector<PastJob::Step>, Refusal> steps_of(const OldDownload& old,
                                                            const OldTimes& times, Time now) {
  Path path{old, times, now};
  const std::optional<Time> last = times.last ? times.last : times.completed;
  if (old.status == "queued") return path.take();
  if (old.status == "downloading") {
    path.go(started(), times.last);
  } else if (old.status == "completed") {
    path.go(started(), times.added);
    path.go(fetched(), last);
  } else if (old.status == "imported") {
    auto assets = assets_of(old);
    if (!assets) return std::unexpected{assets.error()};
    path.go(started(), times.added);
    path.go(fetched(), times.completed);
    path.go(landed(old, *std::move(assets)), last);
  } else if (old.status == "failed") {
    if (times.completed) {
      path.go(started(), times.added);
      path.go(fetched(), times.completed);
    }
    path.go(failed(), last);
  } else {
    return leave_out("bad_status",
                     fmt::format("\"{}\" is not a status that haul knows (expected queued, "
                                 "downloading, completed, imported or failed)",
                                 printable(old.status)));
  }
  return path.take();
}

}  // namespace

bool is_over(const OldDownload& old) { return old.status == "cleaned"; }

std::string key_of(const OldDownload& old) {
  const std::string row = fmt::format("{}\x1f{}\x1f{}", old.id, old.added_at, old.release_name);
  return "import-db:" + sha256_hex(row);
}

std::expected<PastJob, Refusal> past_film(const OldDownload& old, Time now) {
  const auto times = times_of(old, now);
  if (!times) return std::unexpected{times.error()};
  const auto request = request_of(old);
  if (!request) return std::unexpected{request.error()};
  auto steps = steps_of(old, *times, now);
  if (!steps) return std::unexpected{steps.error()};
  auto job = as_job({.lifecycle = &kMedia, .request = *request, .key = key_of(old)}, times->added);
  if (!job) return std::unexpected{job.error()};
  job->due_at = now;
  return PastJob{.job = *std::move(job), .added_at = times->added, .steps = *std::move(steps)};
}

}  // namespace haul::flow
