#include "app/program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "io/file/folder.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): unistd.h has it for GNU only.

namespace haul::app {
namespace {

constexpr int kTurnMs = 100;
constexpr int kTurnsMax = 30;
constexpr std::size_t kLineMax = 200;

class Actions {
 public:
  explicit Actions(int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  ~Actions() { posix_spawn_file_actions_destroy(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

std::string read_line(int descriptor) {
  std::string text;
  for (int turns = 0; turns < kTurnsMax && text.size() < kLineMax;) {
    pollfd ready{.fd = descriptor, .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, kTurnMs) == 0) {
      ++turns;
      continue;
    }
    std::array<char, 256> bytes{};
    const ssize_t size = ::read(descriptor, bytes.data(), bytes.size());
    if (size <= 0) break;
    text.append(bytes.data(), static_cast<std::size_t>(size));
    if (text.find('\n') != std::string::npos) break;
  }
  return text.substr(0, std::min(text.find('\n'), kLineMax));
}

}  // namespace

std::optional<std::string> first_line_of(const ProgramInput& program) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  const io::Descriptor reading{ends[0]};
  io::Descriptor writing{ends[1]};
  std::string name = program.name;
  std::string word = program.word;
  std::array<char*, 3> words{name.data(), word.data(), nullptr};
  pid_t pid = 0;
  const Actions actions{writing.get()};
  if (::posix_spawnp(&pid, name.c_str(), actions.get(), nullptr, words.data(), environ) != 0)
    return std::nullopt;
  writing = io::Descriptor{};
  std::string line = read_line(reading.get());
  ::kill(pid, SIGKILL);  // It has printed the line, or never will.
  ::waitpid(pid, nullptr, 0);
  return line;
}

}  // namespace haul::app
