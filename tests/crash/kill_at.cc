// haul_kill_at NUMBER COMMAND…: runs a program with all its threads, and kills it as it enters the
// NUMBERth system call that changes the disk or sends something. That call is not made. Counts from
// SIGUSR1 on, so that a test can prepare the program first. Passes SIGTERM on. Prints the call when
// the program is gone. The program's own children are not followed.

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

// glibc declares it as __ptrace_syscall_info, and the kernel's header cannot be included beside it.
using SyscallInfo = __ptrace_syscall_info;

namespace {

volatile std::sig_atomic_t counts = 0;
volatile std::sig_atomic_t terminates = 0;

void see_signal(int number) {
  if (number == SIGUSR1)
    counts = 1;
  else
    terminates = 1;
}

enum class Kind : std::uint8_t { always, writes, sends, opens, opens_by_struct };

struct CountedCall {
  std::uint64_t number;
  const char* name;
  Kind kind = Kind::always;
};

constexpr CountedCall kCounted[] = {
    {SYS_write, "write", Kind::writes},
    {SYS_writev, "writev", Kind::writes},
    {SYS_pwrite64, "pwrite64", Kind::writes},
    {SYS_pwritev, "pwritev", Kind::writes},
    {SYS_sendto, "sendto", Kind::sends},
    {SYS_sendmsg, "sendmsg", Kind::sends},
    {SYS_openat, "openat", Kind::opens},
    {SYS_openat2, "openat2", Kind::opens_by_struct},
    {SYS_fsync, "fsync"},
    {SYS_fdatasync, "fdatasync"},
    {SYS_syncfs, "syncfs"},
    {SYS_sync_file_range, "sync_file_range"},
    {SYS_ftruncate, "ftruncate"},
    {SYS_fallocate, "fallocate"},
    {SYS_copy_file_range, "copy_file_range"},
    {SYS_sendfile, "sendfile"},
    {SYS_fchmod, "fchmod"},
    {SYS_fchmodat, "fchmodat"},
    {SYS_linkat, "linkat"},
    {SYS_unlinkat, "unlinkat"},
    {SYS_mkdirat, "mkdirat"},
    {SYS_renameat, "renameat"},
    {SYS_renameat2, "renameat2"},
    {SYS_utimensat, "utimensat"},
#ifdef SYS_unlink  // Newer processors have only the forms above.
    {SYS_unlink, "unlink"},
    {SYS_mkdir, "mkdir"},
    {SYS_rmdir, "rmdir"},
    {SYS_rename, "rename"},
    {SYS_link, "link"},
    {SYS_chmod, "chmod"},
#endif
};

// Where a descriptor of the program leads: "/data/haul.db-wal" or "socket:[123]".
std::string target_of(pid_t thread, std::uint64_t descriptor) {
  std::error_code ignored;
  return std::filesystem::read_symlink(fmt::format("/proc/{}/fd/{}", thread, descriptor), ignored)
      .string();
}

bool creates(std::uint64_t flags) {
  return (flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

// The flags of openat2 are the first member of its struct.
std::uint64_t read_flags(pid_t thread, std::uint64_t address) {
  std::uint64_t flags = 0;
  iovec here{&flags, sizeof flags};
  iovec there{reinterpret_cast<void*>(address), sizeof flags};
  return ::process_vm_readv(thread, &here, 1, &there, 1, 0) == sizeof flags ? flags : 0;
}

// The call's name and object, if it counts.
std::optional<std::string> counted(pid_t thread, const SyscallInfo& info) {
  for (const CountedCall& call : kCounted) {
    if (call.number != info.entry.nr) continue;
    const auto& args = info.entry.args;
    const std::string target = target_of(thread, args[0]);
    const bool is_for_others = args[0] == STDOUT_FILENO || args[0] == STDERR_FILENO;
    if (call.kind == Kind::writes && (is_for_others || !target.starts_with('/')))
      return std::nullopt;
    if (call.kind == Kind::sends && !target.starts_with("socket:")) return std::nullopt;
    if (call.kind == Kind::opens && !creates(args[2])) return std::nullopt;
    if (call.kind == Kind::opens_by_struct && !creates(read_flags(thread, args[2])))
      return std::nullopt;
    return fmt::format("{} {}", call.name, target);
  }
  return std::nullopt;
}

[[noreturn]] void fail(const char* what) {
  fmt::print(stderr, "haul_kill_at: cannot {}: error {}\n", what, errno);
  std::exit(3);
}

void restart(pid_t thread, int signal) {
  ::ptrace(PTRACE_SYSCALL, thread, nullptr, reinterpret_cast<void*>(std::intptr_t{signal}));
}

// Starts the program, stopped and traced before its first instruction.
pid_t start(char** command) {
  std::array<int, 2> gate{};
  if (::pipe2(gate.data(), O_CLOEXEC) != 0) fail("make a pipe");
  const pid_t child = ::fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    char ignored = 0;
    ::close(gate[1]);
    while (::read(gate[0], &ignored, 1) < 0 && errno == EINTR) {
    }
    ::execvp(command[0], command);
    std::_Exit(127);
  }
  constexpr std::intptr_t kOptions =
      PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC;
  if (::ptrace(PTRACE_SEIZE, child, nullptr, reinterpret_cast<void*>(kOptions)) != 0)
    fail("trace the program");
  if (::ptrace(PTRACE_INTERRUPT, child, nullptr, nullptr) != 0) fail("stop the program");
  ::close(gate[0]);
  ::close(gate[1]);  // The child goes on to its exec.
  return child;
}

class Killer {
 public:
  Killer(pid_t child, int number) : child_{child}, number_{number} {}

  // Until the program is gone. Returns its exit code, or 0 after a kill.
  int run() {
    for (;;) {
      int status = 0;
      const pid_t thread = ::waitpid(-1, &status, __WALL);
      if (terminates) {
        terminates = 0;
        ::kill(child_, SIGTERM);
      }
      if (thread < 0 && errno == EINTR) continue;
      if (thread < 0) return 3;
      if (!WIFSTOPPED(status)) {
        if (thread == child_) return end(status);
        continue;
      }
      see_stop(thread, status);
    }
  }

 private:
  void see_stop(pid_t thread, int status) {
    const int signal = WSTOPSIG(status);
    if (signal == (SIGTRAP | 0x80)) {
      if (counts && killed_at_.empty()) see_call(thread);
      return restart(thread, 0);
    }
    const bool is_event = (status >> 16) != 0;
    restart(thread, is_event ? 0 : signal);
  }

  void see_call(pid_t thread) {
    SyscallInfo info{};
    if (::ptrace(PTRACE_GET_SYSCALL_INFO, thread, reinterpret_cast<void*>(sizeof info), &info) <= 0)
      return;
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY) return;
    const auto call = counted(thread, info);
    if (!call || ++count_ != number_) return;
    killed_at_ = *call;
    ::kill(child_, SIGKILL);
  }

  int end(int status) const {
    if (!killed_at_.empty()) {
      fmt::print("killed at call {}: {}\n", number_, killed_at_);
      return 0;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  const pid_t child_;
  const int number_;
  int count_ = 0;
  std::string killed_at_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  struct sigaction action{};
  action.sa_handler = see_signal;  // Without SA_RESTART: waitpid returns.
  ::sigaction(SIGUSR1, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  return Killer{start(argv + 2), std::atoi(argv[1])}.run();
}
