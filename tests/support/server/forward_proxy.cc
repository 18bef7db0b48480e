#include "support/server/forward_proxy.h"

#include <fmt/core.h>

#include <fstream>
#include <iterator>

#include "base/hash.h"
#include "support/server/free_port.h"

namespace haul::testing {
namespace {

constexpr const char* kHttp = R"(
  log_format asked '$request $status $sent_http_content_encoding';
  access_log {0}/access.log asked;
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
)";

}  // namespace

ForwardProxy::ForwardProxy(const std::string& login) : port_{free_port()} {
  const std::string check =
      login.empty()
          ? ""
          : fmt::format("if ($http_proxy_authorization != \"Basic {}\") {{ return 407; }}",
                        base64_of(login));
  nginx_.emplace(folder_.path(), fmt::format(kHttp, folder_.path().string(), port_, check), port_);
}

std::string ForwardProxy::url(const std::string& login) const {
  return fmt::format("http://{}{}127.0.0.1:{}", login, login.empty() ? "" : "@", port_);
}

std::string ForwardProxy::log() const {
  std::ifstream file{folder_ / "access.log"};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace haul::testing
