// `haul image`: adds an image job, follows it, and saves its image as a file.

#include <fmt/core.h>

#include <functional>
#include <map>
#include <ostream>

#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/commands/image_file.h"
#include "cli/commands/image_words.h"
#include "cli/draw/bytes.h"
#include "cli/draw/job_lines.h"
#include "cli/draw/pace.h"
#include "cli/draw/width.h"
#include "cli/remote/follow.h"
#include "cli/remote/json_body.h"

namespace haul::cli {
namespace {

namespace fs = std::filesystem;

constexpr Millis kDrawEvery{200};
constexpr std::size_t kNameMax = 255;  // Bytes; no usual file system takes more.

Failure failed(const std::string& code, const std::string& detail) {
  return {
      .line = fmt::format("{} ({})", printable(detail), code),
      .json = fmt::format(R"({{"code":{},"detail":{}}})", json_quoted(code), json_quoted(detail))};
}

// Lines, and on a terminal one line below them that is drawn again.
class StatusLines {
 public:
  StatusLines(Remote remote, const Surroundings& around, Screen& screen)
      : screen_{screen},
        is_quiet_{remote.is_json()},
        is_live_{!is_quiet_ && form_for(around) == ProgressForm::terminal} {}

  void say(const std::string& line) {
    if (!is_quiet_) screen_.write((is_live_ ? "\r\x1b[K" : "") + printable(line) + "\n");
  }
  void show(const std::string& line, Steady now) {
    if (!is_live_ || !pace_.is_due(now)) return;
    const std::size_t columns = screen_.size().columns;
    screen_.write("\r\x1b[K" + cut(printable(line), (columns > 0 ? columns : 80) - 1));
  }
  void clear() {
    if (is_live_) screen_.write("\r\x1b[K");
  }

 private:
  Screen& screen_;
  bool is_quiet_;
  bool is_live_;
  Pace pace_{kDrawEvery};
};

class ImageWatch final : public Follower {
 public:
  ImageWatch(Remote remote, StatusLines& lines)
      : remote_{remote}, lines_{lines}, since_{remote.clock.steady()} {}

  void see_job(const JsonView& job, const std::string& json) override {
    const std::string line = line_of(job);
    if (line != line_of(job_)) {
      lines_.say(line);
      since_ = remote_.clock.steady();
    }
    job_ = job;
    json_ = json;
  }
  void see_event(const LiveEvent&, const JsonView&) override {}
  void tick() override {
    if (job_.is_empty() || is_over()) return;
    const Steady now = remote_.clock.steady();
    const std::string progress = progress_of(job_);
    lines_.show(fmt::format("· {}: {}{}, {}", title_of(job_), state_of(job_),
                            progress.empty() ? "" : ", " + progress,
                            passed_text(std::chrono::duration_cast<Millis>(now - since_))),
                now);
  }
  void say(const std::string& line) override { lines_.say(line); }
  bool is_over() const override {
    const std::string end = job_.text("end");
    return !end.empty() && end != "open";
  }

  const JsonView& job() const { return job_; }
  const std::string& json() const { return json_; }

 private:
  // "Job 12 is failed: provider_503 (busy), due 2026-02-03 04:05:06".
  static std::string line_of(const JsonView& job) {
    if (job.is_empty()) return {};
    std::string line = fmt::format("Job {} is {}", job.text("id"), state_of(job));
    if (job.text("end") != "open") return line;
    const std::string reason = job.text("reason");
    const std::string detail = job.text("detail");
    if (!reason.empty()) line += ": " + reason;
    if (!reason.empty() && !detail.empty()) line += fmt::format(" ({})", detail);
    const std::string due = time_of(job, "due_at");
    if (!reason.empty() && !due.empty()) line += ", due " + due;
    return line;
  }

  Remote remote_;
  StatusLines& lines_;
  Steady since_;
  JsonView job_;
  std::string json_;
};

// A value is JSON if it reads as JSON, else a text: seed=7, size=1024x1024.
OrFailure<std::string> params_of(const std::vector<std::string>& words) {
  std::map<std::string, std::string> params;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      return std::unexpected{wrong_usage(fmt::format("--params '{}': expected name=value", word))};
    const std::string value = word.substr(equals + 1);
    const bool is_new =
        params.emplace(word.substr(0, equals), is_json_text(value) ? value : json_quoted(value))
            .second;
    if (!is_new)
      return std::unexpected{
          wrong_usage(fmt::format("--params: {} is given twice", word.substr(0, equals)))};
  }
  JsonBody body;
  for (const auto& [name, json] : params) body.json(name, json);
  return body.str();
}

// The folder of the new file, and its name. An empty name is made from the job and the type.
struct Target {
  fs::path folder;
  fs::path name;
};

bool is_for_stdout(const ImageOptions& options) { return options.output == "-"; }

// Checks the target before anything is paid.
OrFailure<Target> target_of(const ImageOptions& options) {
  std::error_code error;
  const fs::path given = options.output.empty() ? fs::path{"."} : options.output;
  if (fs::is_directory(given, error)) return Target{given, {}};
  Target target{given.has_parent_path() ? given.parent_path() : fs::path{"."}, given.filename()};
  if (!fs::is_directory(target.folder, error))
    return std::unexpected{
        failed("no_folder", fmt::format("-o: there is no folder {}", target.folder.string()))};
  const fs::file_status there = fs::symlink_status(given, error);
  if (options.force && fs::exists(there) && !fs::is_regular_file(there))
    return std::unexpected{
        failed("not_a_file",
               fmt::format("-o: {} is no plain file; haul does not replace it", given.string()))};
  if (!options.force && fs::exists(there))
    return std::unexpected{
        failed("file_exists",
               fmt::format("-o: {} exists already; choose another name, or replace it with --force",
                           given.string()))};
  return target;
}

// The same for what only a try can tell: the folder takes a file of such a name.
OrFailure<Target> checked_target(const ImageOptions& options) {
  if (is_for_stdout(options)) return Target{};
  auto target = target_of(options);
  if (!target) return target;
  if (target->name.native().size() > kNameMax)
    return std::unexpected{
        failed("cannot_save", fmt::format("-o: a name has at most {} bytes", kNameMax))};
  const auto tried = ImageFile::make(target->folder);
  if (!tried) return std::unexpected{failed(tried.error().code, tried.error().detail)};
  return target;
}

OrFailure<std::int64_t> add_image(const ImageOptions& options, Remote remote, StatusLines& lines) {
  const auto params = params_of(options.params);
  if (!params) return std::unexpected{params.error()};
  JsonBody request;
  request.text("prompt", options.prompt);
  if (!options.params.empty()) request.json("params", *params);
  JsonBody body;
  body.text("lifecycle", "image").json("request", request.str());
  const auto answer = ask(remote, ApiRequest{.method = "POST",
                                             .path = "/api/v1/jobs",
                                             .body = body.str(),
                                             .idempotency_key = options.key});
  if (!answer) return std::unexpected{with_next_step(answer.error())};
  const auto job = JsonView::read(answer->body);
  const auto id = job ? job->number("id") : std::nullopt;
  if (!id) return std::unexpected{failure_of(*answer, remote.client)};
  if (answer->status == 200)
    lines.say(fmt::format(
        "Job {} already exists for this request: nothing is paid again. For another image, {}", *id,
        options.key.empty() ? "wait a minute or change a parameter" : "use another --key"));
  return *id;
}

// The first asset of the job's result.
OrFailure<JsonView> asset_of(std::int64_t job, Remote remote) {
  const auto result = ask_object(remote, job_path(job, "/result"));
  if (!result) return std::unexpected{result.error()};
  const auto assets = result->list("assets");
  auto asset = assets.empty() ? Result<JsonView>{} : JsonView::read(assets.front());
  if (!asset || !asset->number("id"))
    return std::unexpected{failed("no_image", fmt::format("job {} has no image", job))};
  return *std::move(asset);
}

struct Saved {
  fs::path path;
  std::int64_t size = 0;
  std::string type;
};

// The id makes the path. A path in an answer could lead to another server, which would get the key.
OrFailure<void> fetch(std::int64_t job, Remote remote,
                      const std::function<bool(std::string_view)>& write) {
  const auto asset = asset_of(job, remote);
  if (!asset) return std::unexpected{asset.error()};
  std::int64_t came = 0;
  const auto answer =
      remote.client.fetch(fmt::format("/api/v1/assets/{}/file", asset->number("id").value_or(0)),
                          [&](std::string_view bytes) {
                            came += std::ssize(bytes);
                            return remote.client.interrupts() == 0 && write(bytes);
                          });
  if (!answer) return std::unexpected{failure_of(answer.error(), remote.client)};
  if (!answer->is_good()) return std::unexpected{failure_of(*answer, remote.client)};
  if (remote.client.interrupts() > 0)
    return std::unexpected{failed("interrupted", "the download was interrupted")};
  const auto size = asset->number("size");
  if (size && *size != came)
    return std::unexpected{
        failed("wrong_size", fmt::format("the image has {} bytes, but {} came", *size, came))};
  return {};
}

OrFailure<void> print_image(std::int64_t job, Remote remote) {
  std::ostream& out = remote.terminal.out;
  auto fetched = fetch(job, remote, [&](std::string_view bytes) {
    return static_cast<bool>(out.write(bytes.data(), std::ssize(bytes)));
  });
  if (fetched && !out.flush())
    return std::unexpected{failed("cannot_save", "standard output takes no more")};
  return fetched;
}

OrFailure<Saved> save(std::int64_t job, const Target& target, IfThere if_there, Remote remote) {
  auto file = ImageFile::make(target.folder);
  if (!file) return std::unexpected{failed(file.error().code, file.error().detail)};
  const auto fetched =
      fetch(job, remote, [&](std::string_view bytes) { return file->write(bytes); });
  if (!fetched) return std::unexpected{fetched.error()};
  Saved saved{target.folder / target.name, file->size(), file->type()};
  if (target.name.empty())
    saved.path = target.folder / fmt::format("image-{}{}{}", job, saved.type.empty() ? "" : ".",
                                             saved.type == "jpeg" ? "jpg" : saved.type);
  if (saved.path.string().starts_with("./")) saved.path = saved.path.string().substr(2);
  const auto finished = file->finish(saved.path, if_there);
  if (!finished) return std::unexpected{failed(finished.error().code, finished.error().detail)};
  return saved;
}

// The provider chooses the type: cat.png may be a JPEG.
bool is_misnamed(const Saved& saved) {
  const std::string extension = saved.path.extension().string();
  if (saved.type.empty() || extension.empty()) return false;
  return extension != "." + saved.type && !(saved.type == "jpeg" && extension == ".jpg");
}

int print_saved(const Saved& saved, const ImageWatch& watch, Remote remote) {
  if (remote.is_json()) {
    JsonBody file;
    file.text("path", saved.path.string())
        .json("size", std::to_string(saved.size))
        .text("type", saved.type);
    remote.terminal.out << safe_json(
                               fmt::format(R"({{"job":{},"file":{}}})", watch.json(), file.str()))
                        << "\n";
    return 0;
  }
  remote.terminal.out << painted(remote.colour, Ink::green, "✓") << " "
                      << printable(saved.path.string()) << "  " << bytes_text(saved.size) << "\n";
  if (is_misnamed(saved))
    remote.terminal.err << fmt::format("haul: note: {} is a {} image, in spite of its name\n",
                                       printable(saved.path.string()), saved.type);
  return 0;
}

std::string wrong_with(const ImageOptions& options, Remote remote) {
  if (is_for_stdout(options) && remote.is_json())
    return "-o - and --json both need standard output";
  if (options.job && !options.prompt.empty()) return "give a prompt or --job, not both";
  if (!options.job && options.prompt.empty()) return "expected a prompt, or --job ID";
  if (!is_utf8(options.prompt)) return "the prompt is not text in UTF-8";
  if (options.job && !(options.params.empty() && options.key.empty()))
    return "--params and --key are for a new image, not for --job";
  return {};
}

}  // namespace

// The lines of a run whose image goes to standard output go elsewhere: see declare_image().
int run_image(const ImageOptions& options, Remote remote, const Surroundings& around,
              Screen& screen) {
  if (const std::string why = wrong_with(options, remote); !why.empty())
    return tell(wrong_usage(why), remote);
  const auto target = checked_target(options);
  if (!target) return tell(target.error(), remote);
  StatusLines lines{remote, around, screen};
  const auto job =
      options.job ? OrFailure<std::int64_t>{*options.job} : add_image(options, remote, lines);
  if (!job) return tell(job.error(), remote);

  const std::string later = later_command(*job, options.output.string());
  ImageWatch watch{remote, lines};
  const auto followed = follow(remote, {.job = *job, .last_id = {}}, watch);
  lines.clear();
  if (!followed) return tell(followed.error(), remote);
  if (*followed == Followed::interrupted)
    return tell(failed("interrupted",
                       fmt::format("job {} continues; get its image later: {}", *job, later)),
                remote);
  if (watch.job().text("outcome") != "whole") return tell(no_image(watch.job()), remote);
  if (is_for_stdout(options)) {
    const auto printed = print_image(*job, remote);
    return printed ? 0 : tell(printed.error(), remote);
  }
  const auto saved =
      save(*job, *target, options.force ? IfThere::replace : IfThere::refuse, remote);
  if (saved) return print_saved(*saved, watch, remote);
  Failure failure = saved.error();
  failure.line += fmt::format("; nothing is lost: {}", printable(later));
  return tell(failure, remote);
}

}  // namespace haul::cli
