// What a confined process can still do. Each test confines a process of its own.

#include "io/process/sandbox.h"

#include <doctest/doctest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "support/io/temp_folder.h"
#include "support/run/skip.h"

namespace haul::testing {
namespace {

// Runs the function in a child process and returns its result.
std::string in_a_process(const std::function<std::string()>& what) {
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const std::string said = what();
    ::_exit(::write(pipe[1], said.data(), said.size()) == std::ssize(said) ? 0 : 1);
  }
  ::close(pipe[1]);
  std::array<char, 1'000> said{};
  const ssize_t size = ::read(pipe[0], said.data(), said.size());
  ::close(pipe[0]);
  ::waitpid(child, nullptr, 0);
  return {said.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

std::string yes(bool could) { return could ? "yes" : "no"; }

// Makes Landlock's system call answer as in a kernel that was built without it.
void take_landlock_away() {
  std::array<sock_filter, 4> filter{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog program{.len = static_cast<unsigned short>(filter.size()),
                           .filter = filter.data()};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

// Whether the kernel was asked at all: what it answers then is no matter of the sandbox.
bool is_let_through(ssize_t result) { return result >= 0 || errno != EACCES; }

// The first send of TCP Fast Open connects.
ssize_t send_at_once() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(9);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::sendto(fd, "x", 1, MSG_FASTOPEN, reinterpret_cast<sockaddr*>(&to), sizeof to);
}

std::string sockets_left() {
  std::array<int, 2> pair{};
  std::string left = "tcp " + yes(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) >= 0);
  left += ", tcp6 " + yes(::socket(AF_INET6, SOCK_STREAM, 0) >= 0 || errno == EAFNOSUPPORT);
  left += ", mptcp " + yes(is_let_through(::socket(AF_INET, SOCK_STREAM, IPPROTO_MPTCP)));
  left += ", sctp " + yes(is_let_through(::socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP)));
  left += ", fast open " + yes(is_let_through(send_at_once()));
  left += ", unix " + yes(::socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
  left += ", unix datagrams " + yes(::socket(AF_UNIX, SOCK_DGRAM, 0) >= 0);
  left += ", udp " + yes(::socket(AF_INET, SOCK_DGRAM, 0) >= 0);
  left += ", pair " + yes(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()) == 0);
  left += ", pair of datagrams " + yes(::socketpair(AF_UNIX, SOCK_DGRAM, 0, pair.data()) == 0);
  const long ring = ::syscall(SYS_io_uring_setup, 1, nullptr);
  left += ", io_uring " + yes(ring >= 0 || errno != ENOSYS);
#if defined(__x86_64__)
  constexpr long kX32 = 0x40000000;
  left += ", x32 " + yes(::syscall(kX32 + SYS_socket, AF_UNIX, SOCK_STREAM, 0) >= 0);
#else
  left += ", x32 no";
#endif
  return left;
}

constexpr const char* kLeft =
    "tcp yes, tcp6 yes, mptcp no, sctp no, fast open no, unix no, unix datagrams no, udp no, pair "
    "yes, pair of datagrams no, "
    "io_uring no, x32 no";

std::string limit_of(__rlimit_resource what) {
  rlimit limit{};
  ::getrlimit(what, &limit);
  return limit.rlim_max == RLIM_INFINITY ? "none" : std::to_string(limit.rlim_max);
}

// Starts processes until the kernel refuses one, then ends them. Returns "refused after 3", or "not
// refused" if `most` could be started.
std::string start_processes(std::size_t most) {
  std::vector<pid_t> started;
  bool is_refused = false;
  while (!is_refused && started.size() < most) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::pause();
      ::_exit(0);
    }
    is_refused = pid < 0;
    if (pid > 0) started.push_back(pid);
  }
  for (const pid_t pid : started) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  return is_refused ? "refused after " + std::to_string(started.size()) : "not refused";
}

}  // namespace

TEST_CASE("F38: of sockets TCP is left: no session bus, no docker.sock, no way round by io_uring") {
  const TempFolder folder;
  const io::Sandbox sandbox{.folder = folder.path(), .readable = {}};

  CHECK(in_a_process([&] { return io::enter_sandbox(sandbox) ? sockets_left() : "not entered"; }) ==
        kLeft);
}

TEST_CASE("F38: without Landlock the other walls stand, and a required one keeps programs out") {
  const TempFolder folder;
  io::Sandbox sandbox{.folder = folder.path(), .readable = {}};
  const auto without = [&] {
    take_landlock_away();
    if (io::landlock_version() != 0) return std::string{"Landlock is still there"};
    return io::enter_sandbox(sandbox) ? sockets_left() : "not entered";
  };

  CHECK(in_a_process(without) == kLeft);
  sandbox.confine = io::Confine::require;
  CHECK(in_a_process(without) == "not entered");
}

TEST_CASE("F14: processes, CPU time, memory and the size of a file are limited") {
  const TempFolder folder;
  const io::Sandbox sandbox{.folder = folder.path(),
                            .readable = {},
                            .file_bytes_max = 1'000'000,
                            .memory_bytes_max = std::uint64_t{1} << 45U,
                            .cpu_seconds_max = 60,
                            .tasks_max = 100};
  const std::string limits = in_a_process([&] {
    if (!io::enter_sandbox(sandbox)) return std::string{"not entered"};
    return limit_of(RLIMIT_FSIZE) + " " + limit_of(RLIMIT_CPU) + " " + limit_of(RLIMIT_AS) + " " +
           limit_of(RLIMIT_CORE);
  });
  CHECK(limits == "1000000 60 35184372088832 0");

  const std::string tasks = in_a_process(
      [&] { return io::enter_sandbox(sandbox) ? limit_of(RLIMIT_NPROC) : "not entered"; });
  REQUIRE(tasks.find_first_not_of("0123456789") == std::string::npos);
  CHECK(std::stoul(tasks) > 100);  // At least this process runs already.
  CHECK(std::stoul(tasks) < 1'000'000);
}

TEST_CASE("F14: a program that starts more processes than it may is refused the next one") {
  const TempFolder folder;
  const io::Sandbox sandbox{.folder = folder.path(), .readable = {}, .tasks_max = 50};
  const std::string outcome = in_a_process([&] {
    // The kernel does not limit root, so the test takes the id of a user that has no processes.
    const uid_t unused = 1'000'000 + static_cast<uid_t>(::getpid());
    if (::getuid() == 0 && ::setresuid(unused, unused, unused) != 0)
      return std::string{"still root"};
    return io::enter_sandbox(sandbox) ? start_processes(1'000) : "not entered";
  });
  if (outcome == "still root")
    return skip("the kernel does not limit root's processes, and root cannot become another user");

  REQUIRE(outcome.starts_with("refused after "));
  const int started = std::stoi(outcome.substr(std::string_view{"refused after "}.size()));
  // A user with other processes may start as many more as of these have ended meanwhile.
  if (::getuid() != 0) return;
#if defined(__SANITIZE_THREAD__)
  CHECK((started > 20 && started <= 50));  // Each process has a second thread.
#else
  CHECK(started == 50);
#endif
}

TEST_CASE("F38: what a kernel cannot keep programs from is said by the version of its Landlock") {
  REQUIRE(io::sandbox_gap(0));
  CHECK(io::sandbox_gap(0)->code == "sandbox_missing");
  REQUIRE(io::sandbox_gap(3));
  CHECK(io::sandbox_gap(3)->code == "sandbox_partial");
  CHECK_FALSE(io::sandbox_gap(4));
}

}  // namespace haul::testing
