#include "app/config/server.h"

#include "app/config/config.h"
#include "app/config/value.h"
#include "base/hostname.h"

namespace haul::app {
namespace {

std::string wrong_with_listen(const std::string& text) {
  if (listen_at(text)) return {};
  return in_quotes(text) + " is not an address and a port (expected e.g. 127.0.0.1:4285)";
}

std::string wrong_with_host(const std::string& text) {
  if (canonical_host(text)) return {};
  return in_quotes(text) + " is not a host name (expected e.g. haul.example)";
}

constexpr std::string_view kProxies = "server.trusted_proxies";

constexpr ConfigKey kKeys[] = {
    {.name = "server.listen",
     .kind = ConfigKind::text,
     .default_value = "127.0.0.1:4285",
     .about = "Address and port of the page and the API",
     .check = wrong_with_listen},
    {.name = "server.allowed_hosts",
     .kind = ConfigKind::list,
     .default_value = "",
     .about = "Host names that clients may use, besides localhost and IP addresses",
     .check = wrong_with_host},
    {.name = kProxies,
     .kind = ConfigKind::list,
     .default_value = "",
     .about = "Proxies whose X-Forwarded-For or Forwarded header says where a request comes from: "
              "10.0.0.0/8",
     .check = wrong_with_network},
};

}  // namespace

ConfigArea server_area() { return {.keys = kKeys}; }

Result<ServerConfig> server_config(const Config& config) {
  const auto listen = listen_at(config.text("server.listen"));
  if (!listen) return std::unexpected{listen.error()};
  const auto proxies = networks_in(kProxies, config.list(kProxies));
  if (!proxies) return std::unexpected{proxies.error()};
  return ServerConfig{.listen = *listen,
                      .allowed_hosts = config.list("server.allowed_hosts"),
                      .trusted_proxies = *proxies};
}

}  // namespace haul::app
