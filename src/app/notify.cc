#include "app/notify.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "base/environment.h"
#include "io/file/folder.h"

namespace haul::app {

Notify::Notify() : socket_{environment("NOTIFY_SOCKET")} {
  if (socket_.size() >= sizeof(sockaddr_un::sun_path)) socket_.clear();
  const std::string micros = environment("WATCHDOG_USEC");
  if (!socket_.empty() && !micros.empty())
    every_ = Millis{std::strtoll(micros.c_str(), nullptr, 10) / 2'000};  // Twice per interval.
}

void Notify::say(std::string_view state) const {
  if (socket_.empty()) return;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';  // An abstract name, not a file.
  const io::Descriptor fd{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  if (!fd) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  ::sendto(fd.get(), state.data(), state.size(), MSG_NOSIGNAL,
           reinterpret_cast<const sockaddr*>(&address), size);
}

}  // namespace haul::app
