#include "support/server/real_proxy.h"

#include <fmt/core.h>

#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "support/server/free_port.h"
#include "support/server/nginx.h"

namespace haul::testing {
namespace {

constexpr const char* kConfig = R"(Port {0}
Listen 127.0.0.1
Allow 127.0.0.1
ConnectPort {1}
LogFile "{2}/log"
LogLevel Info
{3}
)";

// "BasicAuth user password" for "user:password".
std::string login_line(const std::string& login) {
  if (login.empty()) return {};
  const std::size_t colon = login.find(':');
  return fmt::format("BasicAuth {} {}", login.substr(0, colon), login.substr(colon + 1));
}

std::string port_of(const TlsProxy& target) {
  const std::string url = target.url("");
  return url.substr(url.rfind(':') + 1);
}

std::string url_of(const std::string& scheme, const std::string& login, std::uint16_t port) {
  return fmt::format("{}://{}{}127.0.0.1:{}", scheme, login, login.empty() ? "" : "@", port);
}

}  // namespace

Tinyproxy::Tinyproxy(const TlsProxy& target, const std::string& login) : port_{free_port()} {
  const std::string config = (folder_ / "tinyproxy.conf").string();
  std::ofstream{config} << fmt::format(kConfig, port_, port_of(target), folder_.path().string(),
                                       login_line(login));
  // -d: in the foreground. Its threads are no processes, so nothing outlives it.
  process_.emplace(bound({"/usr/bin/tinyproxy", "-d", "-c", config}));
  await_server("tinyproxy", port_);
}

std::string Tinyproxy::url(const std::string& login) const { return url_of("http", login, port_); }

// A line: "CONNECT   Nov 19 01:59:11.040 [28858]: Request (file descriptor 5): GET http://…".
int Tinyproxy::requests(const std::string& beginning) const {
  std::istringstream lines{log()};
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t head = line.find("Request (file descriptor ");
    if (head == std::string::npos) continue;
    const std::size_t request = line.find("): ", head) + 3;
    if (std::string_view{line}.substr(request).starts_with(beginning)) ++count;
  }
  return count;
}

std::string Tinyproxy::log() const {
  std::ostringstream all;
  all << std::ifstream{folder_ / "log"}.rdbuf();
  return all.str();
}

Microsocks::Microsocks(const std::string& login) : port_{free_port()} {
  std::vector<std::string> command{"/usr/bin/microsocks", "-i", "127.0.0.1", "-p",
                                   std::to_string(port_)};
  if (!login.empty()) {
    const std::size_t colon = login.find(':');
    command.insert(command.end(), {"-u", login.substr(0, colon), "-P", login.substr(colon + 1)});
  }
  process_.emplace(bound(command));
  await_server("microsocks", port_);
}

std::string Microsocks::url(const std::string& scheme, const std::string& login) const {
  return url_of(scheme, login, port_);
}

// Its only log is its standard error.
bool Microsocks::has_connected_to(const std::string& host_and_port) {
  return has_logged(fmt::format("connected to {}\n", host_and_port));
}

}  // namespace haul::testing
