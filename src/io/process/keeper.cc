// Runs in the keeper process: forks the program, waits for its end or haul's, kills what is left.

#include "io/process/keeper.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <optional>

#include "base/ensure.h"
#include "io/file/folder.h"

namespace haul::io {
namespace {

constexpr int kRoundsMax = 2'000;  // Rounds of killing what is left.
constexpr int kRoundMs = 5;        // The pause after each round.
constexpr int kCountMs = 250;      // The pause between two counts of root's processes.

void add(std::string& bytes, std::string_view text) {
  bytes += text;
  bytes += '\0';
}

void add_all(std::string& bytes, const std::vector<std::string>& texts) {
  add(bytes, std::to_string(texts.size()));
  for (const std::string& text : texts) add(bytes, text);
}

class Reading {
 public:
  explicit Reading(std::string_view bytes) : left_{bytes} {}
  std::string text() {
    const std::size_t end = left_.find('\0');
    std::string found{left_.substr(0, end)};
    left_.remove_prefix(end == std::string_view::npos ? left_.size() : end + 1);
    return found;
  }
  std::uint64_t number() {
    const std::string digits = text();
    std::uint64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> found;
    for (std::uint64_t left = number(); left > 0 && !left_.empty(); --left) found.push_back(text());
    return found;
  }

 private:
  std::string_view left_;
};

std::string all_of(int fd) {
  std::string bytes;
  std::array<char, 4'096> part{};
  for (ssize_t got = 0;
       (got = ::pread(fd, part.data(), part.size(), static_cast<off_t>(bytes.size()))) > 0;)
    bytes.append(part.data(), static_cast<std::size_t>(got));
  return bytes;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> found;
  for (const std::string& text : texts)
    found.push_back(const_cast<char*>(text.c_str()));  // NOLINT: exec's own type.
  found.push_back(nullptr);
  return found;
}

[[noreturn]] void become(const KeepSpec& spec, pid_t keeper) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // In case the keeper itself is killed.
  if (::getppid() != keeper) ::_exit(kCannotRun);
  ::setpgid(0, 0);
  sigset_t none{};
  sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  ::close(kSpecDescriptor);
  ::close(kLifeDescriptor);
  const std::vector<char*> argv = pointers(spec.argv);
  const std::vector<char*> environment = pointers(spec.environment);
  if (::chdir(spec.sandbox.folder.c_str()) != 0 || !enter_sandbox(spec.sandbox))
    ::_exit(kCannotRun);
  ::execve(argv.front(), argv.data(), environment.data());
  ::_exit(errno == ENOENT ? kNotFound : kCannotRun);
}

// The children of a task, named by its folder in /proc. The keeper's own are the program, and
// orphans that the keeper has adopted as subreaper.
std::vector<pid_t> children(const std::string& task = "/proc/thread-self") {
  const Descriptor list{::open((task + "/children").c_str(), O_RDONLY | O_CLOEXEC)};
  const std::string text = list ? all_of(list.get()) : "";
  std::vector<pid_t> found;
  for (const char* at = text.data(); at < text.data() + text.size();) {
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(at, text.data() + text.size(), pid);
    if (error == std::errc{}) found.push_back(pid);
    at = end + 1;
  }
  return found;
}

// Processes and threads below the keeper. Stops counting above `most`.
std::uint64_t tasks_below(std::uint64_t most) {
  std::uint64_t tasks = 0;
  for (std::vector<pid_t> left = children(); !left.empty() && tasks <= most;) {
    const std::string threads = "/proc/" + std::to_string(left.back()) + "/task";
    left.pop_back();
    std::error_code error;
    for (std::filesystem::directory_iterator at{threads, error}, end; !error && at != end;
         at.increment(error)) {
      ++tasks;
      const std::vector<pid_t> more = children(at->path());
      left.insert(left.end(), more.begin(), more.end());
    }
  }
  return tasks;
}

// Reaps every child that has ended. `ended` gets the program's own exit code, which haul is told.
void reap(pid_t program, std::optional<int>& ended) {
  int status = 0;
  for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;)
    if (pid == program) ended = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// A process becomes the keeper's child when its parent dies, so that repeated rounds kill them all.
void end_all(pid_t program, std::optional<int>& ended) {
  ensure(program > 1, "a keeper ends its own program and no other process");
  if (!ended) ::kill(-program, SIGKILL);  // A reaped program's pid may be reused.
  for (int round = 0; round < kRoundsMax; ++round) {
    const std::vector<pid_t> left = children();
    for (const pid_t pid : left) ::kill(pid, SIGKILL);
    reap(program, ended);
    if (left.empty() && ::waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD) return;
    ::poll(nullptr, 0, kRoundMs);
  }
}

// The kernel does not limit root's processes (RLIMIT_NPROC), so for root the keeper counts them and
// ends a program that has more than tasks_max; zero for no limit.
int watch(pid_t program, int signals, std::uint64_t tasks_max) {
  std::optional<int> ended;
  std::array<pollfd, 2> watched{{{kLifeDescriptor, POLLIN, 0}, {signals, POLLIN, 0}}};
  for (;;) {
    ::poll(watched.data(), watched.size(), tasks_max > 0 ? kCountMs : -1);
    signalfd_siginfo seen{};
    while (::read(signals, &seen, sizeof seen) == sizeof seen) {
    }
    reap(program, ended);
    const bool unwanted = (watched[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0;
    const bool has_too_many = tasks_max > 0 && tasks_below(tasks_max) > tasks_max;
    if (ended || unwanted || has_too_many) break;
  }
  end_all(program, ended);
  return ended.value_or(128 + SIGKILL);
}

}  // namespace

std::string to_bytes(const KeepSpec& spec) {
  std::string bytes;
  add_all(bytes, spec.argv);
  add_all(bytes, spec.environment);
  add(bytes, spec.sandbox.folder);
  add_all(bytes, spec.sandbox.readable);
  add(bytes, std::to_string(spec.sandbox.port));
  add(bytes, std::to_string(spec.sandbox.file_bytes_max));
  add(bytes, std::to_string(spec.sandbox.memory_bytes_max));
  add(bytes, std::to_string(spec.sandbox.cpu_seconds_max));
  add(bytes, std::to_string(spec.sandbox.tasks_max));
  add(bytes, spec.sandbox.confine == Confine::require ? "1" : "0");
  return bytes;
}

KeepSpec keep_spec(std::string_view bytes) {
  Reading from{bytes};
  KeepSpec spec;
  spec.argv = from.texts();
  spec.environment = from.texts();
  spec.sandbox.folder = from.text();
  spec.sandbox.readable = from.texts();
  spec.sandbox.port = static_cast<std::uint16_t>(from.number());
  spec.sandbox.file_bytes_max = from.number();
  spec.sandbox.memory_bytes_max = from.number();
  spec.sandbox.cpu_seconds_max = from.number();
  spec.sandbox.tasks_max = from.number();
  spec.sandbox.confine = from.number() == 1 ? Confine::require : Confine::prefer;
  return spec;
}

int keep() {
  ::syscall(SYS_close_range, kLifeDescriptor + 1, ~0U, 0);
  sigset_t all{};
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, nullptr);  // No signal may stop a keeper.
  sigset_t ended{};
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  const Descriptor signals{::signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK)};
  const KeepSpec spec = keep_spec(all_of(kSpecDescriptor));
  if (!signals || spec.argv.empty()) return kCannotRun;
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t keeper = ::getpid();
  const pid_t program = ::fork();
  if (program < 0) return kCannotRun;
  if (program == 0) become(spec, keeper);
  ::close(STDOUT_FILENO);  // So that the pipes end with the program.
  ::close(STDERR_FILENO);
  return watch(program, signals.get(), ::getuid() == 0 ? spec.sandbox.tasks_max : 0);
}

}  // namespace haul::io
