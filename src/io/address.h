#pragma once
// Which addresses of the net haul may connect to for somebody else. A name proves nothing, it may
// resolve to anything at any time: what is judged is the address a socket is opened for.

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace haul {

// A block of addresses, IPv4 or IPv6.
class Network {
 public:
  // "10.0.0.0/8", "fd00::/8" or one address. Refused: bits set beyond the length, which is a
  // mistake more often than a wish.
  static Result<Network> parse(std::string_view text);

  // An IPv4 address may come as itself or mapped into IPv6.
  bool contains(const sockaddr& address) const;

  bool operator==(const Network&) const = default;

 private:
  std::array<std::uint8_t, 16> bytes_{};  // IPv4 is kept as its mapped form, so one compare does.
  int bits_ = 0;
};

// Whether anybody on the internet could mean this address: not private, local, reserved or
// multicast, also not through the IPv4 address inside an IPv6 one.
bool is_public(const sockaddr& address);

// Where the downloads of a job may go.
struct Reach {
  bool private_too = false;
  std::vector<Network> allowed;  // These besides.

  bool permits(const sockaddr& address) const;
};

}  // namespace haul
