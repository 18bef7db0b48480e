#include "io/process/picture.h"

#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <deque>
#include <future>
#include <map>
#include <optional>
#include <utility>

#include "base/ensure.h"
#include "base/json.h"
#include "base/mutex.h"
#include "io/file/folder.h"
#include "io/process/child.h"

namespace haul::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* kThumbnail = "thumbnail.jpg";
constexpr std::string_view kFolderBegin = "check-";
constexpr std::int64_t kThumbnailMax = std::int64_t{4} << 20U;
constexpr std::int64_t kOutputMax = std::int64_t{64} << 10U;
constexpr std::size_t kLineMax = 1'000;
constexpr std::uint64_t kTasksMax = 512;
constexpr int kSideMax = 32'768;
constexpr int kTooManyPixels = 3;  // The program's exit code.

Fault program_missing() {
  return {FaultKind::environment, "program_missing",
          "haul-picture does not run: install it beside haul"};
}

Fault bad_picture(std::string detail) {
  return {FaultKind::retryable, "bad_picture", std::move(detail)};
}

std::optional<int> side_of(const std::vector<JsonField>& fields, std::string_view name) {
  for (const JsonField& field : fields) {
    if (field.name != name) continue;
    const auto side = JsonScalar{JsonScalar::Kind::number, field.json}.whole();
    return side && *side >= 1 && *side <= kSideMax ? std::optional{static_cast<int>(*side)}
                                                   : std::nullopt;
  }
  return std::nullopt;
}

// An attacker who took the program over may have written this line.
std::optional<PictureFacts> read_facts(const std::string& line) {
  const auto fields = read_object(line);
  if (!fields) return std::nullopt;
  PictureFacts facts;
  for (const JsonField& field : *fields)
    if (field.name == "type") facts.type = field.text;
  if (facts.type != "png" && facts.type != "jpeg" && facts.type != "webp") return std::nullopt;
  const auto width = side_of(*fields, "width");
  const auto height = side_of(*fields, "height");
  if (!width || !height) return std::nullopt;
  facts.width = *width;
  facts.height = *height;
  return facts;
}

// The same for the thumbnail: a plain file of a sensible size that begins as a JPEG does.
Result<void> take_thumbnail(const Folder& from, const fs::path& to) {
  const auto file = from.open_file(kThumbnail);
  if (!file) return std::unexpected{bad_picture("no thumbnail could be made")};
  std::array<std::byte, 3> head{};
  const auto got = file->read_at(head, 0);
  const bool is_jpeg = got && *got == head.size() && head[0] == std::byte{0xff} &&
                       head[1] == std::byte{0xd8} && head[2] == std::byte{0xff};
  if (!is_jpeg || file->mark().size > kThumbnailMax)
    return std::unexpected{bad_picture("no thumbnail could be made")};
  if (auto flushed = file->flush(); !flushed) return flushed;
  auto folder = Folder::open(to.parent_path(), Folder::Missing::create);
  if (!folder) return std::unexpected{folder.error()};
  std::error_code error;
  fs::rename(from.held_path() / kThumbnail, to, error);
  if (error) return std::unexpected{file_fault(error.value(), to.string())};
  return folder->flush();
}

struct PictureToCheck {
  fs::path staged;
  fs::path thumbnail;
  Pictures::Done done;
};

// One run of the program, with a folder of its own. Lives on the loop's thread.
class PictureCheck final : public ChildUser {
 public:
  PictureCheck(PictureToCheck wanted, Folder folder, std::function<void(Result<PictureFacts>)> over)
      : wanted_{std::move(wanted)}, folder_{std::move(folder)}, over_{std::move(over)} {}
  ~PictureCheck() override {
    child_.reset();  // Ends the program before its folder goes.
    std::error_code error;
    fs::remove_all(folder_.path(), error);
  }
  PictureCheck(const PictureCheck&) = delete;
  PictureCheck& operator=(const PictureCheck&) = delete;

  Result<void> begin(PollLoop& loop, const PictureSettings& settings) {
    ChildCommand command;
    command.keeper = settings.keeper;
    command.line_bytes_max = kLineMax;
    command.output_bytes_max = kOutputMax;
    const fs::path folder = folder_.path();
    command.spec.argv = {settings.program, wanted_.staged, folder / kThumbnail,
                         std::to_string(settings.pixels_max)};
    command.spec.environment = {"LANG=C.UTF-8", "HOME=" + folder.string(),
                                "TMPDIR=" + folder.string()};
    command.spec.sandbox = {.folder = folder,
                            .readable = {settings.program, wanted_.staged},
                            .file_bytes_max = static_cast<std::uint64_t>(kThumbnailMax),
                            .memory_bytes_max = settings.memory_bytes_max,
                            .cpu_seconds_max = static_cast<std::uint64_t>(
                                std::chrono::ceil<std::chrono::seconds>(settings.timeout).count()),
                            .tasks_max = kTasksMax,
                            .confine = settings.confine};
    auto child = start_child(loop, command, *this);
    if (!child) return std::unexpected{child.error()};
    child_ = *std::move(child);
    return {};
  }

  void time_out() {
    is_late_ = true;
    child_->kill();
  }
  PictureToCheck& wanted() { return wanted_; }

  void on_line(Stream stream, const std::string& line) override {
    std::string& kept = stream == Stream::out ? said_ : complaint_;
    if (kept.empty()) kept = line;
  }
  void on_end(const ChildEnd& end) override { over_(judge(end)); }

 private:
  Result<PictureFacts> judge(const ChildEnd& end) const {
    if (is_late_) return std::unexpected{bad_picture("it takes too long to decode")};
    if (end.code == kNotFound || end.code == kCannotRun) return std::unexpected{program_missing()};
    if (end.code == kTooManyPixels)
      return std::unexpected{
          Fault{FaultKind::permanent, "image_too_large", "the image has too many pixels"}};
    const auto facts = end.code == 0 ? read_facts(said_) : std::nullopt;
    if (!facts)
      return std::unexpected{bad_picture(
          complaint_.empty() ? fmt::format("its decoder ended with {}", end.code) : complaint_)};
    if (auto taken = take_thumbnail(folder_, wanted_.thumbnail); !taken)
      return std::unexpected{taken.error()};
    return *facts;
  }

  PictureToCheck wanted_;
  const Folder folder_;
  const std::function<void(Result<PictureFacts>)> over_;
  std::unique_ptr<Child> child_;
  std::string said_;
  std::string complaint_;
  bool is_late_ = false;
};

class ProgramPictures final : public Pictures {
 public:
  ProgramPictures(const Clock& clock, PictureSettings settings)
      : settings_{std::move(settings)}, loop_{make_poll_loop(clock)} {
    ensure(settings_.at_once > 0, "at least one picture is checked at once");
    loop_->post([this] { remove_left(); });
  }
  ~ProgramPictures() override {
    std::promise<void> cleared;
    loop_->post([this, &cleared] {
      alive_.reset();
      waiting_.clear();
      checks_.clear();
      cleared.set_value();
    });
    cleared.get_future().wait();
  }

  Result<void> check_ready() const override {
    if (::access(settings_.program.c_str(), X_OK) != 0) return std::unexpected{program_missing()};
    return {};
  }

  void check(fs::path staged, fs::path thumbnail, Done done) override {
    ensure(staged.is_absolute() && thumbnail.is_absolute(), "a picture is checked by its path");
    loop_->post(
        [this, wanted = PictureToCheck{std::move(staged), std::move(thumbnail), std::move(done)}] {
          if (waiting_.size() >= settings_.waiting_max)
            return wanted.done(std::unexpected{Fault{FaultKind::environment, "pictures_busy",
                                                     "too many pictures wait to be checked"}});
          waiting_.push_back(wanted);
          begin_some();
        });
  }

 private:
  // What a killed daemon left. Only one process at a time uses the folder.
  void remove_left() const {
    std::error_code error;
    for (fs::directory_iterator at{settings_.work, error}, end; !error && at != end;
         at.increment(error)) {
      std::error_code ignored;
      if (at->path().filename().string().starts_with(kFolderBegin))
        fs::remove_all(at->path(), ignored);
    }
  }

  void begin_some() {
    while (!waiting_.empty() && checks_.size() < settings_.at_once) {
      PictureToCheck wanted = std::move(waiting_.front());
      waiting_.pop_front();
      begin(std::move(wanted));
    }
  }

  void begin(PictureToCheck wanted) {
    const std::int64_t number = ++begun_;
    const Done done = wanted.done;
    auto folder = own_folder(number);
    if (!folder) return done(std::unexpected{folder.error()});
    const auto over = [this, number](Result<PictureFacts> facts) {
      // The check is over once its callback has returned.
      loop_->post([this, number, facts = std::move(facts), alive = std::weak_ptr{alive_}] {
        if (alive.lock()) end(number, facts);
      });
    };
    auto check = std::make_unique<PictureCheck>(std::move(wanted), *std::move(folder), over);
    if (auto begun = check->begin(*loop_, settings_); !begun)
      return done(std::unexpected{begun.error()});
    checks_.emplace(number, std::move(check));
    loop_->after(settings_.timeout, [this, number, alive = std::weak_ptr{alive_}] {
      if (!alive.lock()) return;
      if (const auto found = checks_.find(number); found != checks_.end())
        found->second->time_out();
    });
  }

  Result<Folder> own_folder(std::int64_t number) const {
    auto work = Folder::open(settings_.work, Folder::Missing::create);
    if (!work) return work;
    return work->make_private(fmt::format("{}{}-{}", kFolderBegin, ::getpid(), number));
  }

  void end(std::int64_t number, const Result<PictureFacts>& facts) {
    const auto found = checks_.find(number);
    if (found == checks_.end()) return;
    const Done done = std::move(found->second->wanted().done);
    checks_.erase(found);
    begin_some();
    done(facts);
  }

  const PictureSettings settings_;
  std::deque<PictureToCheck> waiting_;
  std::map<std::int64_t, std::unique_ptr<PictureCheck>> checks_;
  std::int64_t begun_ = 0;
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
  const std::unique_ptr<PollLoop> loop_;
};

}  // namespace

fs::path picture_program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path() / "haul-picture";
}

std::unique_ptr<Pictures> make_pictures(const Clock& clock, PictureSettings settings) {
  return std::make_unique<ProgramPictures>(clock, std::move(settings));
}

}  // namespace haul::io
