#pragma once
// Several clients as one: an order goes to the client that its request names.

#include <memory>
#include <string>
#include <vector>

#include "seam/engine.h"

namespace haul::choose {

struct NamedClient {
  std::string name;  // As requests name it: "qbittorrent".
  RemoteEngine& client;
};

// The first one gets the orders whose requests name none. The clients outlive the result. An order
// that names another client fails with `unknown_engine` (permanent).
std::unique_ptr<RemoteEngine> make_choosing_client(std::vector<NamedClient> clients);

}  // namespace haul::choose
