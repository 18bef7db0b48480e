#include "support/server/forward_proxy.h"

#include <fmt/core.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "base/hash.h"
#include "support/run/moment.h"
#include "support/server/free_port.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

// A single process, so that killing it leaves no worker behind.
constexpr const char* kConfig = R"(
daemon off;
master_process off;
pid {0}/pid;
error_log {0}/error.log;
events {{}}
http {{
  log_format asked '$request $status $sent_http_content_encoding';
  access_log {0}/access.log asked;
  client_body_temp_path {0}/body;
  proxy_temp_path {0}/proxy;
  fastcgi_temp_path {0}/fastcgi;
  uwsgi_temp_path {0}/uwsgi;
  scgi_temp_path {0}/scgi;
  gzip on;
  gzip_proxied any;
  gzip_types *;
  gzip_min_length 1;
  server {{
    listen 127.0.0.1:{1};
    location / {{
      {2}
      proxy_pass http://$http_host$request_uri;
      proxy_http_version 1.1;
      proxy_buffering off;
      proxy_redirect off;
    }}
  }}
}}
)";

}  // namespace

ForwardProxy::ForwardProxy(const std::string& login) : port_{free_port()} {
  const std::string check =
      login.empty()
          ? ""
          : fmt::format("if ($http_proxy_authorization != \"Basic {}\") {{ return 407; }}",
                        base64_of(login));
  const std::string config = (folder_ / "nginx.conf").string();
  std::ofstream{config} << fmt::format(kConfig, folder_.path().string(), port_, check);
  nginx_.emplace(std::vector<std::string>{"setpriv", "--pdeathsig", "KILL", "/usr/sbin/nginx", "-p",
                                          folder_.path().string(), "-e",
                                          (folder_ / "start.log").string(), "-c", config});
  for (int tries = 0; !std::filesystem::exists(folder_ / "pid"); ++tries) {
    if (tries == 1'000) throw std::runtime_error{"nginx does not start"};
    let_pass(10ms);
  }
}

std::string ForwardProxy::url(const std::string& login) const {
  return fmt::format("http://{}{}127.0.0.1:{}", login, login.empty() ? "" : "@", port_);
}

std::string ForwardProxy::log() const {
  std::ifstream file{folder_ / "access.log"};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace haul::testing
