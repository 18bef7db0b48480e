#include "support/server/free_port.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <fstream>
#include <random>
#include <stdexcept>

#include "io/file/folder.h"

namespace haul::testing {
namespace {

constexpr std::uint16_t kLowest = 10'000;  // Below are ports that services are known by.

// The first port that the system gives away itself.
std::uint16_t given_from() {
  std::uint16_t first = 0;
  std::ifstream{"/proc/sys/net/ipv4/ip_local_port_range"} >> first;
  return first > kLowest ? first : 32'768;
}

bool is_free(std::uint16_t port) {
  const io::Descriptor socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace

// Random, because test programs run beside each other and would try the same ports in order.
std::uint16_t free_port() {
  static const std::uint16_t end = given_from();
  std::random_device random;
  for (int tries = 0; tries < 1'000; ++tries) {
    const auto port = static_cast<std::uint16_t>(kLowest + random() % (end - kLowest));
    if (is_free(port)) return port;
  }
  throw std::runtime_error{"no free port"};
}

}  // namespace haul::testing
