#include "support/server/tls_proxy.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <fstream>
#include <stdexcept>

#include "io/file/folder.h"
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
  access_log off;
  client_body_temp_path {0}/body;
  proxy_temp_path {0}/proxy;
  fastcgi_temp_path {0}/fastcgi;
  uwsgi_temp_path {0}/uwsgi;
  scgi_temp_path {0}/scgi;
  server {{
    listen 127.0.0.1:{1} ssl;
    ssl_certificate {0}/cert.pem;
    ssl_certificate_key {0}/key.pem;
    location / {{
      proxy_pass http://127.0.0.1:{2};
      proxy_http_version 1.1;
      proxy_buffering off;
      proxy_redirect off;
    }}
  }}
}}
)";

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

bool answers(std::uint16_t port) {
  const io::Descriptor socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  const sockaddr_in address = loopback(port);
  return ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

void make_certificate(const TempFolder& folder, const std::string& name) {
  const Finished made = run_program(
      {"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
       "-nodes", "-days", "2", "-subj", "/CN=haul test", "-addext", "subjectAltName=" + name,
       "-keyout", (folder / "key.pem").string(), "-out", (folder / "cert.pem").string()});
  if (made.code != 0) throw std::runtime_error{"openssl makes no certificate: " + made.err};
}

}  // namespace

TlsProxy::TlsProxy(std::uint16_t port, const std::string& name) : port_{free_port()} {
  make_certificate(folder_, name);
  const std::string config = (folder_ / "nginx.conf").string();
  std::ofstream{config} << fmt::format(kConfig, folder_.path().string(), port_, port);
  nginx_.emplace(std::vector<std::string>{"setpriv", "--pdeathsig", "KILL", "/usr/sbin/nginx", "-p",
                                          folder_.path().string(), "-e",
                                          (folder_ / "start.log").string(), "-c", config});
  for (int tries = 0; !answers(port_); ++tries) {
    if (tries == 1'000) throw std::runtime_error{"nginx does not start"};
    let_pass(10ms);
  }
}

std::string TlsProxy::url(std::string_view path_and_query) const {
  return fmt::format("https://127.0.0.1:{}{}", port_, path_and_query);
}

}  // namespace haul::testing
