#pragma once
// Serves every connection in one loop on one thread. So the log's order is the real one: the end of
// an answer is logged before the server reads anything a client sent because of it.

#include <cstdint>
#include <vector>

#include "server/behaviour.h"
#include "server/connection.h"
#include "server/log.h"
#include "server/sockets.h"

namespace haul::server {

class Server {
 public:
  Server(Listener listener, Log& log, std::string root)
      : listener_{std::move(listener)}, log_{&log}, behaviour_{std::move(root)} {}

  // Serves until one of these descriptors is readable.
  void run(const std::vector<int>& stops);

 private:
  enum class Woken : std::uint8_t { serve, stop };

  Woken wait(const std::vector<int>& stops) const;
  void accept();
  void hear();
  void begin();

  Listener listener_;
  Log* log_;
  Behaviour behaviour_;
  std::vector<Connection> connections_;
  std::uint64_t number_ = 0;  // The number of the last request.
};

}  // namespace haul::server
