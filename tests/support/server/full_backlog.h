#pragma once
// A listening socket whose queue of connections is full: the kernel drops every further SYN, so a
// client connects until it gives up.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/file/folder.h"

namespace haul::testing {

class FullBacklog {
 public:
  FullBacklog() : listener_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::bind(listener_.get(), reinterpret_cast<sockaddr*>(&here), sizeof here) != 0 ||
        ::listen(listener_.get(), 0) != 0)
      throw std::runtime_error{"cannot listen"};
    here = name_of(listener_);
    port_ = ntohs(here.sin_port);
    // The first one takes the only place.
    for (int i = 0; i < kConnects; ++i) {
      io::Descriptor& mine =
          mine_.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
      ::connect(mine.get(), reinterpret_cast<sockaddr*>(&here), sizeof here);
      my_ports_.insert(ntohs(name_of(mine).sin_port));
    }
  }

  std::uint16_t port() const { return port_; }

  // How many sockets of others wait for an answer to their SYN now.
  std::size_t connecting() const {
    constexpr int kSynSent = 2;
    std::ifstream table{"/proc/net/tcp"};
    std::string line;
    std::getline(table, line);  // The headings.
    std::size_t count = 0;
    while (std::getline(table, line)) {
      const Row row = row_of(line);
      if (row.state == kSynSent && row.to == port_ && !my_ports_.contains(row.from)) ++count;
    }
    return count;
  }

 private:
  static constexpr int kConnects = 16;

  struct Row {
    unsigned from = 0;
    unsigned to = 0;
    int state = 0;
  };
  // "0: 0100007F:C45E 0100007F:D1F9 02 …", all in hexadecimal.
  static Row row_of(const std::string& line) {
    std::istringstream words{line};
    std::string number;
    std::string from;
    std::string to;
    std::string state;
    words >> number >> from >> to >> state;
    const auto port_in = [](const std::string& address) {
      return static_cast<unsigned>(std::stoul(address.substr(address.find(':') + 1), nullptr, 16));
    };
    return {port_in(from), port_in(to), std::stoi(state, nullptr, 16)};
  }
  static sockaddr_in name_of(const io::Descriptor& socket) {
    sockaddr_in name{};
    socklen_t size = sizeof name;
    if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&name), &size) != 0)
      throw std::runtime_error{"a socket has no name"};
    return name;
  }

  io::Descriptor listener_;
  std::uint16_t port_ = 0;
  std::vector<io::Descriptor> mine_;
  std::set<unsigned> my_ports_;
};

}  // namespace haul::testing
