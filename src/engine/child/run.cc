#include "engine/child/run.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <span>
#include <system_error>

#include "base/ensure.h"
#include "base/size.h"
#include "io/file/folder.h"

namespace haul::child {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMemoryMax = std::uint64_t{8} << 30U;
constexpr std::uint64_t kCpuSecondsMax = std::uint64_t{12} * 3'600;
// The kernel counts all tasks of the user, also those outside of a container. The limit leaves room
// for them.
constexpr std::uint64_t kTasksMax = 4'096;
constexpr std::int64_t kOutputMax = std::int64_t{1} << 30U;  // Enough for hours of progress lines.
constexpr std::size_t kLineMax = std::size_t{256} << 10U;
constexpr Millis kMeasureEvery{1'000};
constexpr std::size_t kComplaintsMax = 200;
constexpr std::size_t kComplaintMax = 2'000;
constexpr const char* kPath = "/usr/local/bin:/usr/bin:/bin";

// What the sandbox lets the program read. A program outside the system's folders may have its
// libraries beside it.
std::vector<std::string> readable_for(const fs::path& program, const ChildSettings& settings) {
  std::error_code error;
  const fs::path real = fs::canonical(program, error);
  std::vector<std::string> readable;
  if (!error) readable.push_back(real.parent_path());
  if (!error && fs::exists(real.parent_path().parent_path() / "pyvenv.cfg", error))
    readable.push_back(real.parent_path().parent_path());
  if (!settings.ca_file.empty()) readable.push_back(settings.ca_file);
  return readable;
}

// Each run gets its own copy, because yt-dlp writes its cookies back.
Result<void> copy_privately(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::copy_file(from, to, error);
  if (!error) fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write, error);
  if (error) return std::unexpected{Fault{FaultKind::permanent, "bad_cookies", error.message()}};
  return {};
}

Result<void> write_privately(const fs::path& file, const std::string& text) {
  io::File out{io::Descriptor{
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)}};
  if (!out) return std::unexpected{io::file_fault(errno, file.filename().string())};
  return out.write_at(std::as_bytes(std::span{text}), 0);
}

}  // namespace

std::string new_token() {
  std::array<unsigned char, 16> bytes{};
  const ssize_t got = ::getrandom(bytes.data(), bytes.size(), 0);
  ensure(got == std::ssize(bytes), "a token is random");
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

io::ChildCommand child_command(const Program& program, const ChildSettings& settings,
                               const fs::path& work, const std::string& token) {
  const fs::path path = find_program(program, settings).value_or("");
  const std::string home = work / "home";
  io::ChildCommand command;
  command.keeper = settings.keeper;
  command.mark = program.mark();
  command.line_bytes_max = kLineMax;
  command.output_bytes_max = kOutputMax;
  command.spec.argv = {path};
  command.spec.environment = {fmt::format("PATH={}", kPath),
                              "HOME=" + home,
                              "XDG_CONFIG_HOME=" + home + "/config",
                              "XDG_CACHE_HOME=" + home + "/cache",
                              "XDG_DATA_HOME=" + home + "/data",
                              "XDG_STATE_HOME=" + home + "/state",
                              fmt::format("TMPDIR={}/tmp", work.string()),
                              "LANG=C.UTF-8",
                              "PYTHONUNBUFFERED=1",
                              "PYTHONNOUSERSITE=1",
                              "PYTHONDONTWRITEBYTECODE=1",
                              fmt::format("{}={}", io::kTokenName, token)};
  if (!settings.ca_file.empty()) {
    command.spec.environment.push_back("SSL_CERT_FILE=" + settings.ca_file);
    command.spec.environment.push_back("REQUESTS_CA_BUNDLE=" + settings.ca_file);
  }
  command.spec.sandbox.folder = work;
  command.spec.sandbox.readable = readable_for(path, settings);
  command.spec.sandbox.memory_bytes_max = kMemoryMax;
  command.spec.sandbox.file_bytes_max = settings.file_bytes_max;
  command.spec.sandbox.cpu_seconds_max = kCpuSecondsMax;
  command.spec.sandbox.tasks_max = kTasksMax;
  command.spec.sandbox.confine = settings.confine;
  return command;
}

Run::Run(ChildEnv env, const ChildJob& job, Staging staging, std::string token)
    : env_{env},
      staging_{std::move(staging)},
      token_{std::move(token)},
      room_{env.settings.space == nullptr ? io::FolderDisk{}
                                          : env.settings.space->of(job.landing.folder)} {}

// Ends the program before its folder is removed.
Run::~Run() { child_.reset(); }

Result<std::unique_ptr<Run>> Run::prepare(ChildEnv env, const ChildJob& job, const Name& name,
                                          const std::vector<std::string>& pages,
                                          std::int64_t start) {
  auto staging = Staging::create(*job.landing.folder, name.owner, name.number);
  if (!staging) return std::unexpected{staging.error()};
  const std::string token = new_token();
  auto proxy =
      io::open_proxy(env.loop, env.gate, env.clock,
                     {.start = start,
                      .token = token,
                      .reach = env.settings.reach,
                      .stall_timeout = env.settings.stall_timeout,
                      .speed = {env.settings.throttle, name.owner.job, job.request.speed_limit}});
  if (!proxy) return std::unexpected{proxy.error()};
  std::unique_ptr<Run> run{new Run{env, job, *std::move(staging), token}};
  run->proxy_ = *std::move(proxy);
  if (!job.request.cookies.empty()) {
    run->cookies_ = run->staging_.work() / "cookies.txt";
    if (auto copied = copy_privately(job.request.cookies, run->cookies_); !copied)
      return std::unexpected{copied.error()};
  }
  run->options_ = run->staging_.work() / "options";
  const std::string options = env.program.private_options(job.request, pages);
  if (auto written = write_privately(run->options_, options); !written)
    return std::unexpected{written.error()};
  return run;
}

ProgramCall Run::call(const ChildJob& job) const {
  return {.request = job.request,
          .folder = staging_.work(),
          .cookies = cookies_,
          .options = options_,
          .ca_file = env_.settings.ca_file,
          .apart = env_.settings.apart};
}

Result<void> Run::begin(const std::vector<std::string>& words, io::ChildUser& user) {
  ensure(!child_, "a run starts its program once");
  io::ChildCommand command = child_command(env_.program, env_.settings, staging_.work(), token_);
  command.spec.argv.insert(command.spec.argv.end(), words.begin(), words.end());
  command.spec.sandbox.port = proxy_->port();
  // The proxy's password is not in an argument, because every user can read those.
  for (const char* name : {"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy"})
    command.spec.environment.push_back(fmt::format("{}={}", name, proxy_->address()));
  auto child = io::start_child(env_.loop, command, user);
  if (!child) return std::unexpected{child.error()};
  child_ = *std::move(child);
  const auto mark = io::mark_of(child_->pid(), token_);
  return mark ? staging_.sign(*mark) : Result<void>{};
}

std::optional<Fault> Run::overrun(std::int64_t size_max) {
  const Steady now = env_.clock.steady();
  if (auto room = room_.take(0, now); !room) return room.error();
  if (measured_ && now - *measured_ < kMeasureEvery) return std::nullopt;
  measured_ = now;
  if (staging_.bytes(size_max) <= size_max) return std::nullopt;
  return Fault{FaultKind::permanent, "file_too_large",
               fmt::format("{} has written more than {}, the most that transfer.max_size or the "
                           "request's filters allow it",
                           env_.program.name(), size_text(size_max))};
}

void Run::kill() {
  if (child_) child_->kill();
}

void Complaints::add(std::string text) {
  text.resize(std::min(text.size(), kComplaintMax));
  if (said_.size() == kComplaintsMax) said_.erase(said_.begin() + kComplaintsMax / 2);
  said_.push_back(std::move(text));
}

}  // namespace haul::child
