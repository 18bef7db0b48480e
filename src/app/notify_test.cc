#include "app/notify.h"

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>

#include "io/file/folder.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

// The service manager's end of the socket.
class Manager {
 public:
  // "@name" is a socket without a file.
  explicit Manager(const std::string& at)
      : fd_{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)} {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, at.data(), at.size());
    if (at.starts_with('@')) address.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + at.size());
    if (::bind(fd_.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0)
      throw std::runtime_error{"cannot bind"};
  }
  // Empty if nothing was received.
  std::string heard() const {
    std::array<char, 100> text{};
    const ssize_t size = ::recv(fd_.get(), text.data(), text.size(), 0);
    return size < 0 ? "" : std::string{text.data(), static_cast<std::size_t>(size)};
  }

 private:
  io::Descriptor fd_;
};

// An environment variable of this process while the object lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_{name} {
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

}  // namespace

TEST_CASE("systemd is told a state as one message, over a file's socket or one without a file") {
  const TempFolder folder;
  for (const std::string& at :
       {(folder / "notify").string(), fmt::format("@haul-notify-{}", ::getpid())}) {
    const Manager manager{at};
    const Variable socket{"NOTIFY_SOCKET", at};
    const app::Notify notify;
    notify.say("READY=1");
    CHECK(manager.heard() == "READY=1");
    notify.say("STOPPING=1");
    CHECK(manager.heard() == "STOPPING=1");
    CHECK(manager.heard().empty());
  }
}

TEST_CASE("systemd's watchdog is told twice in its time, and only where there is a socket") {
  const Variable within{"WATCHDOG_USEC", "30000000"};
  CHECK((app::Notify{}.watchdog_every() == Millis{0}));
  const Variable socket{"NOTIFY_SOCKET", "/nowhere/notify"};
  CHECK((app::Notify{}.watchdog_every() == Millis{15'000}));
  const Variable garbage{"WATCHDOG_USEC", "soon"};
  CHECK((app::Notify{}.watchdog_every() == Millis{0}));
}

TEST_CASE(
    "without systemd, or with an address that cannot be, nothing is said and nothing breaks") {
  app::Notify{}.say("READY=1");
  const Variable gone{"NOTIFY_SOCKET", "/nowhere/notify"};
  app::Notify{}.say("READY=1");
  const Variable too_long{"NOTIFY_SOCKET", "/" + std::string(200, 'x')};
  CHECK((app::Notify{}.watchdog_every() == Millis{0}));
  app::Notify{}.say("READY=1");
}

}  // namespace haul::testing
