#include "support/server/nginx.h"

#include <fmt/core.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/api/raw_http.h"
#include "support/run/moment.h"

namespace haul::testing {
namespace {

// A single process, so that killing it leaves no worker behind.
constexpr const char* kConfig = R"(
daemon off;
master_process off;
pid {0}/pid;
error_log {0}/error.log;
events {{ worker_connections 256; }}
http {{
  client_body_temp_path {0}/body;
  proxy_temp_path {0}/proxy;
  fastcgi_temp_path {0}/fastcgi;
  uwsgi_temp_path {0}/uwsgi;
  scgi_temp_path {0}/scgi;
  {1}
}}
)";

bool answers(std::uint16_t port) {
  try {
    const RawConnection connection{"127.0.0.1", port};
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

std::vector<std::string> command(const std::filesystem::path& folder, std::string_view http) {
  const std::string config = (folder / "nginx.conf").string();
  std::ofstream{config} << fmt::format(kConfig, folder.string(), http);
  return bound({"/usr/sbin/nginx", "-p", folder.string(), "-e", (folder / "start.log").string(),
                "-c", config});
}

}  // namespace

void await_server(std::string_view program, std::uint16_t port) {
  if (!comes_true([port] { return answers(port); }))
    throw std::runtime_error{fmt::format("{} does not start", program)};
}

Nginx::Nginx(const std::filesystem::path& folder, std::string_view http, std::uint16_t port)
    : process_{command(folder, http)} {
  await_server("nginx", port);
}

}  // namespace haul::testing
