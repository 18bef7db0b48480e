#include "support/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace haul::testing {
namespace {

[[noreturn]] void fail(const std::string& what, int error) {
  throw std::runtime_error{what + ": " + std::strerror(error)};
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_{number} {
    if (number_ < 0) fail("cannot open", errno);
  }
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// Standard input is empty; -1 leaves a stream where the test has it.
pid_t spawn(const std::vector<std::string>& argv, int out, int err) {
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (out >= 0) posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  if (err >= 0) posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, words.front(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail("cannot start " + argv.front(), error);
  return pid;
}

int reap(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) fail("cannot wait for a child", errno);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::string read_from_start(int descriptor) {
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t size = 0;
       (size = ::pread(descriptor, part.data(), part.size(), static_cast<off_t>(text.size()))) > 0;)
    text.append(part.data(), static_cast<std::size_t>(size));
  return text;
}

}  // namespace

Finished run_program(const std::vector<std::string>& argv) {
  const Descriptor out{::memfd_create("out", MFD_CLOEXEC)};
  const Descriptor err{::memfd_create("err", MFD_CLOEXEC)};
  Finished finished;
  finished.code = reap(spawn(argv, out.number(), err.number()));
  finished.out = read_from_start(out.number());
  finished.err = read_from_start(err.number());
  return finished;
}

Child::Child(const std::vector<std::string>& argv) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot make a pipe", errno);
  output_ = ends[0];
  const Descriptor written{ends[1]};
  pid_ = spawn(argv, written.number(), -1);
  running_ = true;
}

Child::~Child() {
  if (running_) kill();
  ::close(output_);
}

std::optional<std::string> Child::line() {
  std::array<char, 4096> part{};
  for (;;) {
    if (const std::size_t end = unread_.find('\n'); end != std::string::npos) {
      std::string found = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return found;
    }
    const ssize_t size = ::read(output_, part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return std::nullopt;
    unread_.append(part.data(), static_cast<std::size_t>(size));
  }
}

int Child::kill() {
  if (!std::exchange(running_, false)) return 0;
  ::kill(pid_, SIGKILL);
  return reap(pid_);
}

}  // namespace haul::testing
