#include "support/process/trace.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "support/io/temp_folder.h"
#include "support/process/process.h"
#include "support/run/skip.h"

namespace haul::testing {
namespace {

// Calls that take a path or a descriptor and change nothing on a disk.
constexpr std::string_view kHarmless[] = {
    "access",     "chdir",    "close",         "close_range",  "connect",     "dup",
    "dup2",       "dup3",     "epoll_create1", "epoll_ctl",    "epoll_pwait", "epoll_wait",
    "eventfd2",   "execve",   "execveat",      "faccessat",    "faccessat2",  "fadvise64",
    "fchdir",     "fcntl",    "fgetxattr",     "flistxattr",   "flock",       "fstat",
    "fstatfs",    "getcwd",   "getdents",      "getdents64",   "getxattr",    "lgetxattr",
    "listxattr",  "lseek",    "lstat",         "memfd_create", "mmap",        "newfstatat",
    "pidfd_open", "pipe",     "pipe2",         "poll",         "ppoll",       "pread64",
    "preadv",     "pselect6", "read",          "readahead",    "readlink",    "readlinkat",
    "readv",      "recvfrom", "recvmsg",       "select",       "sendmsg",     "sendto",
    "signalfd4",  "socket",   "stat",          "statfs",       "statx",       "timerfd_create"};

constexpr std::string_view kChanging[] = {
    "chmod",    "chown",       "copy_file_range", "creat",     "fallocate",    "fchmod",
    "fchmodat", "fchown",      "fchownat",        "fdatasync", "fremovexattr", "fsetxattr",
    "fsync",    "ftruncate",   "futimesat",       "lchown",    "link",         "linkat",
    "mkdir",    "mkdirat",     "mknod",           "mknodat",   "pwrite64",     "pwritev",
    "pwritev2", "removexattr", "rename",          "renameat",  "renameat2",    "rmdir",
    "sendfile", "setxattr",    "splice",          "symlink",   "symlinkat",    "sync_file_range",
    "syncfs",   "truncate",    "unlink",          "unlinkat",  "utime",        "utimensat",
    "utimes",   "write",       "writev"};

bool has(const std::string& line, std::string_view text) {
  return line.find(text) != std::string::npos;
}

// Whether a call changes the disk. No value if this is not known of its name.
std::optional<bool> changes_disk(const std::string& name, const std::string& line) {
  if (name == "open" || name == "openat" || name == "openat2")
    return has(line, "O_CREAT") || has(line, "O_TRUNC") || has(line, "O_TMPFILE");
  if (name == "ioctl") return has(line, "CLONE");
  const bool is_for_others = has(line, "write(1<") || has(line, "write(2<") || has(line, "<pipe:[");
  if (name == "write" && is_for_others) return false;  // A sanitizer, too, writes to pipes.
  if (std::ranges::find(kChanging, name) != std::end(kChanging)) return true;
  if (std::ranges::find(kHarmless, name) != std::end(kHarmless)) return false;
  return std::nullopt;
}

struct TracedLine {
  std::string thread;
  std::string name;  // Empty if the line is not the beginning of a call.
};

// A line is "123  fsync(4) = 0", "123  <... fsync resumed>) = 0" or "123  +++ exited with 0 +++".
TracedLine read_line(const std::string& line) {
  const std::size_t space = line.find(' ');
  const std::size_t begin = line.find_first_not_of(' ', space);
  if (begin == std::string::npos) return {};
  const std::size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789", begin);
  TracedLine read{.thread = line.substr(0, space), .name = {}};
  if (end != std::string::npos && line[end] == '(') read.name = line.substr(begin, end - begin);
  return read;
}

std::vector<std::string> traced(const std::vector<std::string>& how,
                                const std::vector<std::string>& command) {
  // A sanitizer's search for leaks traces the process itself, which strace prevents.
  std::vector<std::string> words{"strace", "-f", "-qqq", "-E", "ASAN_OPTIONS=detect_leaks=0"};
  words.insert(words.end(), how.begin(), how.end());
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

}  // namespace

bool can_trace() {
  if (run_program({"strace", "-o", "/dev/null", "-e", "trace=none", "true"}).code == 0) return true;
  skip("strace cannot trace here");
  return false;
}

std::vector<DiskCall> disk_calls(const std::vector<std::string>& command,
                                 const std::string& begin) {
  const TempFolder folder;
  const std::string log = (folder / "calls").string();
  const Finished ran = run_program(traced({"-y", "-o", log, "-e", "trace=%file,%desc"}, command));
  if (ran.code != 0)
    throw std::runtime_error{
        fmt::format("{} ended with {}: {}", command.front(), ran.code, ran.out + ran.err)};
  std::vector<DiskCall> calls;
  std::map<std::string, int> counts;
  std::string first_thread;
  bool has_begun = false;
  std::ifstream lines{log};
  for (std::string line; std::getline(lines, line);) {
    const TracedLine read = read_line(line);
    if (first_thread.empty()) first_thread = read.thread;
    if (read.name.empty()) continue;
    const auto changes = changes_disk(read.name, line);
    if (!changes) throw std::runtime_error{"does this call change the disk? " + line};
    if (read.thread != first_thread) {
      if (*changes) throw std::runtime_error{"another thread changes the disk: " + line};
      continue;
    }
    const int number = ++counts[read.name];
    if (has_begun && *changes) calls.push_back({read.name, number, line});
    has_begun = has_begun || has(line, begin);
  }
  return calls;
}

// Without --seccomp-bpf: with it, strace 6.1 delivers no signal.
bool is_killed_at(const std::vector<std::string>& command, const DiskCall& call) {
  const std::vector<std::string> how{
      "-o", "/dev/null",
      "-e", "trace=" + call.name,
      "-e", fmt::format("inject={}:signal=KILL:when={}", call.name, call.number)};
  return run_program(traced(how, command)).code == -SIGKILL;
}

}  // namespace haul::testing
