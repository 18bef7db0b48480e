#include "support/server/tls_proxy.h"

#include <fmt/core.h>

#include <filesystem>
#include <stdexcept>
#include <vector>

#include "support/process/process.h"
#include "support/server/free_port.h"

namespace haul::testing {
namespace {

constexpr const char* kHttp = R"(
  access_log off;
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
)";

using Words = std::vector<std::string>;

void openssl(Words words) {
  words.insert(words.begin(), "openssl");
  const Finished made = run_program(words);
  if (made.code != 0) throw std::runtime_error{"openssl makes no certificate: " + made.err};
}

// With a new key.
Words request(const std::string& subject, const std::string& extension, const std::string& key) {
  return {"req",     "-newkey", "ec",    "-pkeyopt", "ec_paramgen_curve:prime256v1",
          "-nodes",  "-subj",   subject, "-addext",  extension,
          "-keyout", key};
}

Words operator+(Words one, const Words& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

void make_certificates(const TempFolder& folder, const std::string& name, Signer signer) {
  const auto file = [&folder](const char* its) { return (folder / its).string(); };
  const std::string trusted = file("trusted.pem");
  const Words own = request("/CN=haul test", "subjectAltName=" + name, file("key.pem"));
  if (signer == Signer::itself) {
    openssl(own + Words{"-x509", "-days", "2", "-out", trusted});
    std::filesystem::copy_file(trusted, file("cert.pem"));
    return;
  }
  openssl(request("/CN=haul authority", "keyUsage=critical,keyCertSign", file("ca.key")) +
          Words{"-x509", "-days", "2", "-out", trusted});
  openssl(own + Words{"-out", file("request.pem")});
  openssl({"x509", "-req", "-in", file("request.pem"), "-CA", trusted, "-CAkey", file("ca.key"),
           "-CAcreateserial", "-days", "2", "-copy_extensions", "copy", "-out", file("cert.pem")});
}

}  // namespace

TlsProxy::TlsProxy(std::uint16_t port, const std::string& name, Signer signer)
    : port_{free_port()} {
  make_certificates(folder_, name, signer);
  nginx_.emplace(folder_.path(), fmt::format(kHttp, folder_.path().string(), port_, port), port_);
}

std::string TlsProxy::url(std::string_view path_and_query) const {
  return fmt::format("https://127.0.0.1:{}{}", port_, path_and_query);
}

}  // namespace haul::testing
