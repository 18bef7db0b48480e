#include "app/listen.h"

#include <fmt/core.h>

#include <algorithm>

namespace haul::app {

Result<Listen> listen_at(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const std::string port = colon == std::string::npos ? "" : text.substr(colon + 1);
  std::string address = text.substr(0, std::min(colon, text.size()));
  if (address.starts_with('[') && address.ends_with(']'))
    address = address.substr(1, address.size() - 2);
  const bool digits = !port.empty() && port.size() <= 5 &&
                      port.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || std::stoi(port) > 65'535 || address.empty())
    return std::unexpected{
        Fault{FaultKind::rejected, "bad_config",
              "server.listen: expected an address and a port such as 127.0.0.1:4285"}};
  return Listen{address, static_cast<std::uint16_t>(std::stoi(port))};
}

std::string shown_address(const Listen& at, std::uint16_t port) {
  const bool anywhere = at.address == "0.0.0.0" || at.address == "::";
  const std::string host = anywhere ? "localhost" : at.address;
  return host.find(':') == std::string::npos ? fmt::format("http://{}:{}/", host, port)
                                             : fmt::format("http://[{}]:{}/", host, port);
}

}  // namespace haul::app
