#include "support/process/process.h"

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

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot make a pipe", errno);
  return {ends[0], ends[1]};
}

struct Streams {
  int in = -1;  // -1: /dev/null.
  int out = -1;
  int err = -1;  // -1: the test's own.
};

pid_t spawn(const std::vector<std::string>& argv, const Streams& streams) {
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (streams.in >= 0)
    posix_spawn_file_actions_adddup2(&actions, streams.in, STDIN_FILENO);
  else
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, streams.out, STDOUT_FILENO);
  if (streams.err >= 0) posix_spawn_file_actions_adddup2(&actions, streams.err, STDERR_FILENO);
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, words.front(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail("cannot start " + argv.front(), error);
  return pid;
}

int stderr_of_children = -1;

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
  finished.code = reap(spawn(argv, {.out = out.number(), .err = err.number()}));
  finished.out = read_from_start(out.number());
  finished.err = read_from_start(err.number());
  return finished;
}

std::vector<std::string> bound(std::vector<std::string> command) {
  command.insert(command.begin(), {"setpriv", "--pdeathsig", "KILL"});
  return command;
}

void set_stderr_of_children(int descriptor) { stderr_of_children = descriptor; }

std::string read_stderr_of_children() { return read_from_start(stderr_of_children); }

bool has_logged(std::string_view words) {
  return read_stderr_of_children().find(words) != std::string::npos;
}

Child::Child(const std::vector<std::string>& argv, Input input) {
  const Pipe told = make_pipe();
  output_ = told.read;
  const Descriptor out{told.write};
  if (input == Input::empty) {
    pid_ = spawn(argv, {.out = out.number(), .err = stderr_of_children});
  } else {
    const Pipe given = make_pipe();
    input_ = given.write;
    const Descriptor in{given.read};
    pid_ = spawn(argv, {.in = in.number(), .out = out.number(), .err = stderr_of_children});
  }
  running_ = true;
}

Child::~Child() {
  if (running_) kill();
  ::close(output_);
  if (input_ >= 0) ::close(input_);
}

bool Child::read_more() {
  std::array<char, 4096> part{};
  ssize_t size = 0;
  do size = ::read(output_, part.data(), part.size());
  while (size < 0 && errno == EINTR);
  if (size > 0) unread_.append(part.data(), static_cast<std::size_t>(size));
  return size > 0;
}

std::optional<std::string> Child::line() {
  for (;;) {
    if (const std::size_t end = unread_.find('\n'); end != std::string::npos) {
      std::string found = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return found;
    }
    if (!read_more()) return std::nullopt;
  }
}

int Child::wait() {
  while (read_more()) {
  }
  if (std::exchange(running_, false)) ended_ = reap(pid_);
  return ended_;
}

bool Child::has_ended() const {
  siginfo_t seen{};
  return !running_ ||
         (::waitid(P_PID, static_cast<id_t>(pid_), &seen, WEXITED | WNOHANG | WNOWAIT) == 0 &&
          seen.si_pid == pid_);
}

void Child::signal(int number) const {
  if (running_) ::kill(pid_, number);
}

int Child::kill() {
  if (!std::exchange(running_, false)) return ended_;
  ::kill(pid_, SIGKILL);
  return ended_ = reap(pid_);
}

}  // namespace haul::testing
