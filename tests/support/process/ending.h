#pragma once
// How a process ends that breaks a guarantee of haul, and what it says.

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <functional>
#include <string>

namespace haul::testing {

struct Ending {
  int signal = 0;  // Zero: it ended by itself.
  std::string text;
};

// Runs it in a child process, because it may end the process.
inline Ending ending_of(const std::function<void()>& work) {
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(pipe[1], STDERR_FILENO);
    std::signal(SIGABRT, SIG_DFL);
    work();
    ::_exit(0);
  }
  ::close(pipe[1]);
  Ending ending;
  std::array<char, 256> bytes{};
  for (ssize_t n = 0; (n = ::read(pipe[0], bytes.data(), bytes.size())) > 0;)
    ending.text.append(bytes.data(), static_cast<std::size_t>(n));
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  return ending;
}

}  // namespace haul::testing
