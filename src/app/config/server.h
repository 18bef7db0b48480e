#pragma once
// [server]: where haul listens, and whom it answers.

#include <string>
#include <vector>

#include "app/config/key.h"
#include "app/listen.h"
#include "io/web/address.h"

namespace haul::app {

ConfigArea server_area();

struct ServerConfig {
  Listen listen;
  std::vector<std::string> allowed_hosts;  // Besides addresses and localhost.
  std::vector<io::Network> trusted_proxies;
};
Result<ServerConfig> server_config(const Config& config);

}  // namespace haul::app
