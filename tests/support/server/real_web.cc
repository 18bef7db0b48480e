#include "support/server/real_web.h"

#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <filesystem>
#include <fstream>

#include "io/file/folder.h"
#include "support/server/free_port.h"

namespace haul::testing {
namespace {

constexpr const char* kHttp = R"(
  log_format asked '$server_addr $uri $status $remote_user $http_range';
  access_log {0}/access.log asked;
  default_type application/octet-stream;
  server {{
    listen 127.0.0.1:{1};
    listen 127.0.0.2:{1};
    {2}
    location /open/ {{ alias {0}/files/; }}
    location /login/ {{
      auth_basic members;
      auth_basic_user_file {0}/logins;
      alias {0}/files/;
    }}
    location /cookie/ {{
      if ($cookie_visit != yes) {{ return 403; }}
      alias {0}/files/;
    }}
  }}
)";

}  // namespace

bool has_ipv6() {
  const io::Descriptor socket{::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  const sockaddr_in6 any_port{.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  const auto* address = reinterpret_cast<const sockaddr*>(&any_port);
  return ::bind(socket.get(), address, sizeof any_port) == 0;
}

RealWeb::RealWeb() : port_{free_port()} {
  const std::string six = has_ipv6() ? fmt::format("listen [::1]:{};", port_) : "";
  std::filesystem::create_directory(folder_ / "files");
  std::filesystem::permissions(folder_.path(), std::filesystem::perms{0755});
  std::ofstream{folder_ / "logins"} << fmt::format("{}:{{PLAIN}}{}\n", kUser, kPassword);
  nginx_.emplace(folder_.path(), fmt::format(kHttp, folder_.path().string(), port_, six), port_);
}

void RealWeb::put(const std::string& name, std::string_view content) const {
  std::ofstream{folder_ / "files" / name, std::ios::binary} << content;
}

std::string RealWeb::url(std::string_view path, const std::string& host) const {
  return fmt::format("http://{}:{}{}", host, port_, path);
}

std::vector<std::string> RealWeb::log() const {
  std::vector<std::string> lines;
  std::ifstream file{folder_ / "access.log"};
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

}  // namespace haul::testing
