// Starts a keeper (io/process/keeper.h), which runs the program, and reads its pipes on the poll
// loop.

#include "io/process/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/ensure.h"
#include "io/file/folder.h"
#include "io/process/lines.h"

namespace haul::io {
namespace {

constexpr int kBuryWithinMs = 1'000;
constexpr std::size_t kReadAtOnce = std::size_t{64} << 10U;

struct PipeEnds {
  Descriptor read;
  Descriptor write;
};

Result<PipeEnds> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return std::unexpected{file_fault(errno, "cannot make a pipe")};
  return PipeEnds{Descriptor{ends[0]}, Descriptor{ends[1]}};
}

Result<Descriptor> written_down(const KeepSpec& spec) {
  const std::string bytes = to_bytes(spec);
  Descriptor fd{::memfd_create("spec", MFD_CLOEXEC)};
  if (!fd || ::write(fd.get(), bytes.data(), bytes.size()) != std::ssize(bytes))
    return std::unexpected{file_fault(errno, "cannot write down what to run")};
  return fd;
}

struct Handed {
  int spec = -1;
  int life = -1;
  int out = -1;
  int err = -1;
};

// A copy with a high number. The keeper expects its descriptors at fixed low numbers, and dup2 onto
// one of those would replace a descriptor that is still needed.
Descriptor aside(const Descriptor& fd) {
  constexpr int kFrom = 10;
  return Descriptor{::fcntl(fd.get(), F_DUPFD_CLOEXEC, kFrom)};
}

// posix_spawn shares haul's memory until the exec, so it copies nothing of a large process.
Result<pid_t> spawn_keeper(const std::filesystem::path& keeper, const Handed& handed) {
  std::string word{kKeeperWord};
  std::string name = "haul";
  std::array<char*, 3> argv{name.data(), word.data(), nullptr};
  std::array<char*, 1> environment{nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t manner;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&manner);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, handed.spec, kSpecDescriptor);
  posix_spawn_file_actions_adddup2(&actions, handed.life, kLifeDescriptor);
  posix_spawn_file_actions_adddup2(&actions, handed.out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, handed.err, STDERR_FILENO);
  sigset_t none{};
  sigset_t all{};
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&manner, &none);
  posix_spawnattr_setsigdefault(&manner, &all);
  posix_spawnattr_setflags(&manner, static_cast<short>(POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
                                                       POSIX_SPAWN_SETSIGDEF));
  pid_t pid = -1;
  const int error =
      ::posix_spawn(&pid, keeper.c_str(), &actions, &manner, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&manner);
  if (error != 0) return std::unexpected{file_fault(error, keeper.string())};
  ensure(pid > 0, "a keeper that was started has a process id");
  return pid;
}

int reaped(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return 128 + SIGKILL;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class Kept final : public Child {
 public:
  Kept(PollLoop& loop, const ChildCommand& command, ChildUser& user, pid_t pid)
      : loop_{loop},
        user_{user},
        pid_{pid},
        left_{command.output_bytes_max},
        lines_{Lines{command.line_bytes_max, command.mark},
               Lines{command.line_bytes_max, command.mark}} {}

  // False if its end cannot be watched; the caller then drops it, which kills it.
  bool follow(Descriptor life, Descriptor out, Descriptor err) {
    life_ = std::move(life);
    pipes_ = {std::move(out), std::move(err)};
    for (const Stream stream : {Stream::out, Stream::err}) {
      const int fd = pipe(stream).get();
      ::fcntl(fd, F_SETFL, O_NONBLOCK);
      loop_.watch(fd, {}, [this, stream](Ready) { read(stream); });
    }
    process_ = Descriptor{static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0))};
    if (!process_) return false;
    loop_.watch(process_.get(), {}, [this](Ready) { exited(); });
    return true;
  }

  // Waits a moment for the keeper's end, so that the caller can clear up after the program. If the
  // keeper takes longer than kBuryWithinMs, the loop reaps it when it exits.
  ~Kept() override {
    for (const Stream stream : {Stream::out, Stream::err}) shut(stream);
    if (code_) return;
    kill();
    if (!process_) {
      reaped(pid_);
      return;
    }
    loop_.forget(process_.get());
    pollfd ends{process_.get(), POLLIN, 0};
    if (::poll(&ends, 1, kBuryWithinMs) == 1) {
      reaped(pid_);
      return;
    }
    const int fd = process_.get();
    auto process = std::make_shared<Descriptor>(std::move(process_));
    loop_.watch(fd, {}, [&loop = loop_, process, pid = pid_](Ready) {
      reaped(pid);
      loop.forget(process->get());
    });
  }

  void kill() override { life_ = Descriptor{}; }
  int pid() const override { return pid_; }

 private:
  Descriptor& pipe(Stream stream) { return pipes_[static_cast<std::size_t>(stream)]; }
  Lines& lines(Stream stream) { return lines_[static_cast<std::size_t>(stream)]; }

  void shut(Stream stream) {
    if (!pipe(stream)) return;
    loop_.forget(pipe(stream).get());
    pipe(stream) = Descriptor{};
  }

  void read(Stream stream) {
    std::array<char, kReadAtOnce> bytes{};
    const ssize_t got = ::read(pipe(stream).get(), bytes.data(), bytes.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    const std::weak_ptr alive{alive_};
    if (got > 0) {
      left_ -= got;
      if (left_ < 0) {
        wrote_too_much_ = true;
        return kill();  // Later output is read and dropped.
      }
      for (const std::string& line : lines(stream).add({bytes.data(), static_cast<size_t>(got)})) {
        user_.on_line(stream, line);
        if (alive.expired()) return;
      }
      return;
    }
    const std::string rest = lines(stream).rest();
    shut(stream);
    if (!rest.empty()) user_.on_line(stream, rest);
    if (!alive.expired()) tell_end();
  }

  void exited() {
    code_ = reaped(pid_);
    loop_.forget(process_.get());
    process_ = Descriptor{};
    tell_end();
  }

  // The last lines may arrive after the keeper's exit, so both pipes must have closed, too.
  void tell_end() {
    if (!code_ || pipe(Stream::out) || pipe(Stream::err)) return;
    user_.on_end({.code = *code_, .wrote_too_much = wrote_too_much_});
  }

  PollLoop& loop_;
  ChildUser& user_;
  const pid_t pid_;
  std::int64_t left_;
  std::array<Lines, 2> lines_;
  Descriptor life_;
  std::array<Descriptor, 2> pipes_;
  Descriptor process_;
  std::optional<int> code_;
  bool wrote_too_much_ = false;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
};

}  // namespace

Result<std::unique_ptr<Child>> start_child(PollLoop& loop, const ChildCommand& command,
                                           ChildUser& user) {
  ensure(!command.spec.argv.empty() && !command.spec.sandbox.folder.empty(),
         "a child has a program to run and a folder to run in");
  auto spec = written_down(command.spec);
  if (!spec) return std::unexpected{spec.error()};
  auto life = make_pipe();
  if (!life) return std::unexpected{life.error()};
  auto out = make_pipe();
  if (!out) return std::unexpected{out.error()};
  auto err = make_pipe();
  if (!err) return std::unexpected{err.error()};
  const Descriptor handed[] = {aside(*spec), aside(life->read), aside(out->write),
                               aside(err->write)};
  if (!std::ranges::all_of(handed, [](const Descriptor& each) { return bool{each}; }))
    return std::unexpected{file_fault(errno, command.keeper.string())};
  const auto pid = spawn_keeper(command.keeper, {.spec = handed[0].get(),
                                                 .life = handed[1].get(),
                                                 .out = handed[2].get(),
                                                 .err = handed[3].get()});
  if (!pid) return std::unexpected{pid.error()};
  auto child = std::make_unique<Kept>(loop, command, user, *pid);
  if (!child->follow(std::move(life->write), std::move(out->read), std::move(err->read)))
    return std::unexpected{file_fault(errno, command.keeper.string())};
  return child;
}

}  // namespace haul::io
