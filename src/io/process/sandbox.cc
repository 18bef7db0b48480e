// Uses Landlock for files and TCP, seccomp for other sockets, resource limits, no_new_privs, and
// drops all capabilities.

#include "io/process/sandbox.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstddef>

#include "io/file/folder.h"

namespace haul::io {
namespace {

constexpr rlim_t kFilesMax = 1'024;

// Landlock definitions that Debian 12's header lacks, from the kernel's documentation.
struct Ruleset {
  std::uint64_t fs = 0;
  std::uint64_t net = 0;
  std::uint64_t scoped = 0;
};
struct PortRule {
  std::uint64_t allowed = 0;
  std::uint64_t port = 0;
};
constexpr std::uint64_t kTruncate = 1ULL << 14U;
constexpr std::uint64_t kDeviceControl = 1ULL << 15U;
constexpr std::uint64_t kBindTcp = 1ULL << 0U;
constexpr std::uint64_t kConnectTcp = 1ULL << 1U;
constexpr std::uint64_t kScopeAll = 3;  // Abstract sockets and signals: only inside the sandbox.
constexpr int kRulePort = 2;

constexpr std::uint64_t kRead =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kOfFiles = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                                   LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate | kDeviceControl;

// What an interpreter, its libraries, TLS and ffmpeg read. No home folders, no /etc/shadow.
constexpr const char* kReadable[] = {
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/nix/store",
    "/etc/ssl",
    "/etc/pki",
    "/etc/ca-certificates",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/mime.types",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/nsswitch.conf",
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/gai.conf",
    "/etc/resolv.conf",
    "/etc/passwd",
    "/etc/group",
    "/proc",
    "/sys/devices/system/cpu",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
};

std::uint64_t file_rights(int version) {
  std::uint64_t rights = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1U) - 1;  // All rights of version 1.
  if (version >= 2) rights |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) rights |= kTruncate;
  if (version >= 5) rights |= kDeviceControl;
  return rights;
}

// A missing path needs no rule.
void allow_path(int ruleset, const char* path, std::uint64_t rights) {
  const Descriptor fd{::open(path, O_PATH | O_CLOEXEC)};
  if (!fd) return;
  struct stat seen{};
  if (::fstat(fd.get(), &seen) != 0) return;
  if (!S_ISDIR(seen.st_mode)) rights &= kOfFiles;
  const landlock_path_beneath_attr rule{.allowed_access = rights, .parent_fd = fd.get()};
  ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

bool enter_landlock(const Sandbox& sandbox) {
  const int version = landlock_version();
  if (version == 0) return true;
  Ruleset rules{.fs = file_rights(version)};
  std::size_t size = sizeof rules.fs;
  if (version >= 4) {
    rules.net = kBindTcp | kConnectTcp;
    size = sizeof rules.fs + sizeof rules.net;
  }
  if (version >= 6) {
    rules.scoped = kScopeAll;
    size = sizeof rules;
  }
  const Descriptor ruleset{
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, size, 0))};
  if (!ruleset) return false;
  allow_path(ruleset.get(), sandbox.folder.c_str(), rules.fs);
  for (const char* path : kReadable) allow_path(ruleset.get(), path, kRead);
  for (const std::string& path : sandbox.readable) allow_path(ruleset.get(), path.c_str(), kRead);
  allow_path(ruleset.get(), "/dev/null",
             LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                 (version >= 3 ? kTruncate : 0));
  if (version >= 4 && sandbox.port != 0) {
    const PortRule rule{.allowed = kConnectTcp, .port = sandbox.port};
    ::syscall(SYS_landlock_add_rule, ruleset.get(), kRulePort, &rule, 0);
  }
  return ::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) == 0;
}

// Landlock knows TCP only, and not the sockets of this machine: session bus, docker.sock. Of
// sockets TCP is left, of pairs those that cannot be turned to another process. Landlock sees
// neither MPTCP, nor SCTP, nor a connection that a first send opens (TCP Fast Open), nor io_uring.
bool forbid_other_sockets() {
#if defined(__x86_64__)
  constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
  return true;
#endif
  constexpr std::uint32_t kTypeBits = 0xf;
  constexpr std::uint32_t kOtherCalls = 0x40000000;  // The same calls by the numbers of x32.
  const auto load = [](std::size_t offset) {
    return sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)};
  };
  const auto argument = [load](std::size_t n) {
    return load(offsetof(seccomp_data, args) + 8 * n);
  };
  const auto answer = [](std::uint32_t what) { return sock_filter{BPF_RET, 0, 0, what}; };
  // `line` is its own number, `yes` and `no` are those of the lines it goes on with.
  const auto jump = [](int line, std::uint16_t test, std::uint32_t value, int yes, int no) {
    return sock_filter{static_cast<std::uint16_t>(BPF_JMP | BPF_K | test),
                       static_cast<std::uint8_t>(yes - line - 1),
                       static_cast<std::uint8_t>(no - line - 1), value};
  };
  enum : std::uint8_t { flags = 10, flags_of_many = 12, domain = 14, type = 17 };
  enum : std::uint8_t { allow = 23, refuse = 24, unknown = 25 };
  std::array<sock_filter, unknown + 1> filter{{
      load(offsetof(seccomp_data, arch)),
      jump(1, BPF_JEQ, kArchitecture, 2, refuse),
      load(offsetof(seccomp_data, nr)),
      jump(3, BPF_JGE, kOtherCalls, refuse, 4),
      jump(4, BPF_JEQ, SYS_io_uring_setup, unknown, 5),
      jump(5, BPF_JEQ, SYS_socketpair, type, 6),
      jump(6, BPF_JEQ, SYS_socket, domain, 7),
      jump(7, BPF_JEQ, SYS_sendto, flags_of_many, 8),
      jump(8, BPF_JEQ, SYS_sendmmsg, flags_of_many, 9),
      jump(9, BPF_JEQ, SYS_sendmsg, flags, allow),
      argument(2),  // Of sendmsg.
      jump(11, BPF_JSET, MSG_FASTOPEN, refuse, allow),
      argument(3),  // Of sendto and sendmmsg.
      jump(13, BPF_JSET, MSG_FASTOPEN, refuse, allow),
      argument(0),
      jump(15, BPF_JEQ, AF_INET, type, 16),
      jump(16, BPF_JEQ, AF_INET6, type, refuse),
      argument(1),
      {BPF_ALU | BPF_AND | BPF_K, 0, 0, kTypeBits},
      jump(19, BPF_JEQ, SOCK_STREAM, 20, refuse),
      argument(2),  // The protocol.
      jump(21, BPF_JEQ, 0, allow, 22),
      jump(22, BPF_JEQ, IPPROTO_TCP, allow, refuse),
      answer(SECCOMP_RET_ALLOW),
      answer(SECCOMP_RET_ERRNO | EACCES),
      answer(SECCOMP_RET_ERRNO | ENOSYS),
  }};
  const sock_fprog program{.len = static_cast<unsigned short>(filter.size()),
                           .filter = filter.data()};
  // A kernel without seccomp filters answers EINVAL. There the program runs without this one.
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 || errno == EINVAL;
}

void limit(int what, rlim_t most) {
  rlimit now{};
  if (::getrlimit(static_cast<__rlimit_resource>(what), &now) != 0) return;
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most) most = now.rlim_max;
  const rlimit limit{most, most};
  ::setrlimit(static_cast<__rlimit_resource>(what), &limit);
}

// The kernel counts all tasks of a user together, so the limit is these plus tasks_max. The link
// count of /proc/PID/task is the number of threads plus two.
rlim_t tasks_of_this_user() {
  DIR* list = ::opendir("/proc");
  if (list == nullptr) return 0;
  rlim_t tasks = 0;
  while (const dirent* entry = ::readdir(list)) {  // NOLINT(concurrency-mt-unsafe)
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    struct stat seen{};
    const std::string threads = "/proc/" + std::string{entry->d_name} + "/task";
    if (::stat(threads.c_str(), &seen) == 0 && seen.st_uid == ::getuid())
      tasks += seen.st_nlink > 2 ? seen.st_nlink - 2 : 1;
  }
  ::closedir(list);
  return tasks;
}

// Drops root's capabilities, if haul runs as root. An exec cannot regain them (no_new_privs).
void drop_capabilities() {
  __user_cap_header_struct head{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, 2> none{};
  ::syscall(SYS_capset, &head, none.data());
}

}  // namespace

int landlock_version() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

std::optional<SandboxGap> sandbox_gap(int landlock) {
  constexpr int kKnowsTcp = 4;
  if (landlock == 0)
    return SandboxGap{"sandbox_missing",
                      "this kernel has no Landlock: yt-dlp and gallery-dl run with access to every "
                      "file of haul's user and to the whole network"};
  if (landlock < kKnowsTcp)
    return SandboxGap{"sandbox_partial",
                      "this kernel's Landlock cannot limit TCP (Linux 6.7 can): yt-dlp and "
                      "gallery-dl can connect past haul's proxy"};
  return std::nullopt;
}

bool enter_sandbox(const Sandbox& sandbox) {
  if (sandbox.confine == Confine::require && landlock_version() == 0) return false;
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, kFilesMax);
  if (sandbox.file_bytes_max > 0) limit(RLIMIT_FSIZE, sandbox.file_bytes_max);
  if (sandbox.cpu_seconds_max > 0) limit(RLIMIT_CPU, sandbox.cpu_seconds_max);
  const rlim_t tasks = sandbox.tasks_max > 0 ? tasks_of_this_user() : 0;
  if (tasks > 0) limit(RLIMIT_NPROC, tasks + sandbox.tasks_max);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  drop_capabilities();
  if (!enter_landlock(sandbox) || !forbid_other_sockets()) return false;
  // Last: this process may already have more than the program may, and could then allocate nothing.
  if (sandbox.memory_bytes_max > 0) limit(RLIMIT_AS, sandbox.memory_bytes_max);
  return true;
}

}  // namespace haul::io
