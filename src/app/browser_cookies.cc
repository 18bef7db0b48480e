#include "app/browser_cookies.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/text.h"
#include "base/utf8.h"
#include "io/file/folder.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): unistd.h has it for GNU only.

namespace haul::app {
namespace {

namespace fs = std::filesystem;

constexpr Millis kWithin{60'000};
constexpr std::size_t kErrorsMax = 65'536;
// yt-dlp wants an address. It has no extractor for this one, and no way to ask for it.
constexpr const char* kNowhere = "haul:cookies";

std::unexpected<Fault> refuse(std::string detail) {
  return std::unexpected{Fault{FaultKind::rejected, "bad_usage", std::move(detail)}};
}

std::unexpected<Fault> fails(std::string detail) {
  return std::unexpected{Fault{FaultKind::environment, "no_cookies", std::move(detail)}};
}

// A file in a private folder, which goes with its last user.
struct PrivateFile {
  explicit PrivateFile(const fs::path& its_folder) : folder{its_folder} {}
  ~PrivateFile() {
    std::error_code error;
    fs::remove_all(folder, error);
  }
  PrivateFile(const PrivateFile&) = delete;
  PrivateFile& operator=(const PrivateFile&) = delete;

  const fs::path folder;
  const fs::path path = folder / "cookies.txt";
};

std::shared_ptr<const PrivateFile> make_private() {
  std::error_code ignored;
  const fs::path temporary = fs::temp_directory_path(ignored);
  std::string name = ((temporary.empty() ? "/tmp" : temporary) / "haul-cookies-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return nullptr;
  return std::make_shared<const PrivateFile>(name);
}

struct ProgramEnd {
  int status = 0;
  std::string errors;
  bool is_late = false;
};

// Runs a program without input and output, and collects what it says on standard error.
std::optional<ProgramEnd> run(std::vector<std::string> words) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return std::nullopt;
  const io::Descriptor errors{pipe[0]};
  io::Descriptor theirs{pipe[1]};
  posix_spawn_file_actions_t actions{};
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, theirs.get(), STDERR_FILENO);
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t pid = 0;
  const int failed = ::posix_spawnp(&pid, argv.front(), &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return std::nullopt;
  theirs = {};
  ProgramEnd end;
  for (;;) {
    pollfd ready{.fd = errors.get(), .events = POLLIN, .revents = 0};
    end.is_late = ::poll(&ready, 1, static_cast<int>(kWithin.count())) <= 0;
    std::array<char, 4'096> bytes{};
    const ssize_t got = end.is_late ? 0 : ::read(errors.get(), bytes.data(), bytes.size());
    if (got <= 0) break;
    if (end.errors.size() < kErrorsMax)
      end.errors.append(bytes.data(), static_cast<std::size_t>(got));
  }
  if (end.is_late) ::kill(pid, SIGKILL);
  ::waitpid(pid, &end.status, 0);
  return end;
}

// What the program said last.
std::string last_line(std::string_view text) {
  text = trimmed(text);
  return printable(text.substr(text.rfind('\n') + 1));
}

bool has_cookie(const fs::path& file) {
  std::ifstream lines{file};
  for (std::string line; std::getline(lines, line);)
    if (!trimmed(line).empty() && (!line.starts_with('#') || line.starts_with("#HttpOnly_")))
      return true;
  return false;
}

}  // namespace

Result<cli::CookieFile> read_browser_cookies(const std::string& browser,
                                             const ProgramSettings& programs) {
  if (browser.empty() || browser.starts_with('-') || has_control(browser))
    return refuse("--cookies-from-browser: expected a browser such as firefox, or firefox:PROFILE");
  const auto made = make_private();
  if (!made) return fails("--cookies-from-browser: cannot make a temporary folder");
  const fs::path& file = made->path;
  const std::string program = programs.yt_dlp.empty() ? "yt-dlp" : programs.yt_dlp;
  const auto end =
      run({program, "--ignore-config", "--no-cache-dir", "--quiet", "--no-warnings", "--simulate",
           "--cookies-from-browser", browser, "--cookies", file.string(), "--", kNowhere});
  constexpr int kNotFound = 127;
  if (!end || (WIFEXITED(end->status) && WEXITSTATUS(end->status) == kNotFound))
    return fails(fmt::format(
        "--cookies-from-browser needs yt-dlp, and {} cannot be run. Without it, export the "
        "cookies of the browser to a file and use --cookies FILE",
        program));
  if (end->is_late) return fails("--cookies-from-browser: yt-dlp gave no answer within a minute");
  std::error_code error;
  if (!fs::exists(file, error))
    return refuse(fmt::format("--cookies-from-browser {}: {}", browser, last_line(end->errors)));
  if (!has_cookie(file))
    return fails(
        fmt::format("--cookies-from-browser {}: the browser has no cookies, or yt-dlp "
                    "cannot decrypt them",
                    browser));
  return cli::CookieFile{made, &made->path};
}

}  // namespace haul::app
