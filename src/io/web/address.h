#pragma once
// Which network addresses haul may connect to for a job. A host name proves nothing, because it may
// resolve to any address at any time. So haul checks the address that a socket is opened for.

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace haul::io {

// A block of addresses, IPv4 or IPv6.
class Network {
 public:
  // Reads "10.0.0.0/8", "fd00::/8" or a single address. Refuses bits set beyond the prefix length,
  // because they are usually a mistake.
  static Result<Network> parse(std::string_view text);

  // An IPv4 address may come as itself or mapped into IPv6.
  bool contains(const sockaddr& address) const;

  bool operator==(const Network&) const = default;

 private:
  std::array<std::uint8_t, 16> bytes_{};  // IPv4 in its mapped form: one comparison serves both.
  int bits_ = 0;
};

// True for an address on the public internet: not private, local, reserved or multicast. An IPv4
// address inside an IPv6 one is judged as that IPv4 address.
bool is_public(const sockaddr& address);

// Which addresses the downloads of a job may connect to.
struct Reach {
  bool private_too = false;
  std::vector<Network> allowed;  // Permitted besides the public addresses.

  bool permits(const sockaddr& address) const;
};

}  // namespace haul::io
