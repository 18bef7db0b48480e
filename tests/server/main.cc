// The fault server: haul_fault_server [--bind ADDRESS] [--log FILE] [--root FOLDER]. Prints "port
// N" and serves until its standard input ends or has any data, or until a SIGTERM.

#include <fmt/core.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <system_error>

#include "server/server.h"

namespace {

using namespace haul::server;

// A descriptor that becomes readable after a SIGTERM.
int terminate_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  const int number = ::signalfd(-1, &signals, SFD_CLOEXEC);
  if (number < 0) throw std::system_error{errno, std::generic_category(), "signalfd"};
  return number;
}

int serve(const std::string& address, const std::string& log_path, const std::string& root) {
  const Socket terminate{terminate_signal()};  // Not a socket, but closed the same way.
  Log log{log_path};
  Listener listener = listen_on(address);
  fmt::print("port {}\n", listener.port);
  std::fflush(stdout);
  Server{std::move(listener), log, root}.run({STDIN_FILENO, terminate.number()});
  return 0;
}

}  // namespace

int main(int count, char** words) {
  std::string address = "127.0.0.1";
  std::string log_path;
  std::string root;
  for (int i = 1; i < count; i += 2) {
    const std::string_view option = words[i];
    if (i + 1 == count || (option != "--bind" && option != "--log" && option != "--root")) {
      fmt::print(stderr,
                 "usage: haul_fault_server [--bind ADDRESS] [--log FILE] [--root FOLDER]\n");
      return 2;
    }
    (option == "--bind" ? address : option == "--log" ? log_path : root) = words[i + 1];
  }
  try {
    return serve(address, log_path, root);
  } catch (const std::exception& why) {
    fmt::print(stderr, "haul_fault_server: {}\n", why.what());
    return 1;
  }
}
