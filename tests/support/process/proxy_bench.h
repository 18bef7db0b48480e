#pragma once
// One server with TLS and without, and `haul get` that asks it through a proxy. Shows where a
// proxy's password stands afterwards.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "support/process/get_bench.h"
#include "support/server/fault_server.h"
#include "support/server/tls_proxy.h"

namespace haul::testing {

// Words that redaction does not know by a name such as "password" beside them.
inline constexpr const char* kProxyLogin = "me:quiet-1Word";
inline constexpr std::string_view kProxyPassword = "quiet-1Word";
inline constexpr const char* kWrongLogin = "me:other-1Word";
inline constexpr std::string_view kWrongPassword = "other-1Word";

struct ProxyBench {
  // Trusts the server's certificate, and traces every request on standard error and in the log.
  Told get(const Words& words, const char* retries = "0") {
    Words all{"-v", "--log", log().string(), "--retries", retries, "--cacert", tls.certificate()};
    all.insert(all.end(), words.begin(), words.end());
    return bench.get(all);
  }
  std::filesystem::path log() const { return bench.beside("log"); }

  // The places that a password, or kProxyLogin in base64, reached: "out, log". Empty if none.
  std::string places_of(std::string_view password, const Told& told) const {
    std::ostringstream logged;
    logged << std::ifstream{log()}.rdbuf();
    REQUIRE(logged.str().find("GET ") != std::string::npos);
    std::string sent;
    for (const LoggedRequest& request : server.log())
      for (const auto& [name, value] : request.headers) sent += value + "\n";
    const std::pair<const char*, std::string> places[] = {
        {"out", told.out},
        {"err", told.err},
        {"log", logged.str()},
        {"events", bench.ask("SELECT group_concat(payload_json) FROM contract_batch_events")},
        {"items", bench.ask("SELECT group_concat(coalesce(detail, '') || coalesce(evidence, '')) "
                            "FROM items")},
        {"server", sent},
    };
    std::string found;
    for (const auto& [place, text] : places)
      if (text.find(password) != std::string::npos ||
          text.find(base64_of(kProxyLogin)) != std::string::npos ||
          text.find(base64_of(kWrongLogin)) != std::string::npos)
        found += (found.empty() ? "" : ", ") + std::string{place};
    return found;
  }

  FaultServer server;
  TlsProxy tls{server.port()};
  GetBench bench;
};

// How many requests haul says that it made.
inline int requests_in(const Told& told) {
  constexpr const char* kRequest = "haul: GET ";
  int count = 0;
  for (std::size_t at = told.err.find(kRequest); at != std::string::npos;
       at = told.err.find(kRequest, at + 1))
    ++count;
  return count;
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The hint of a run in which one file failed, with what follows in the JSON.
inline std::string hint_in(const Told& told) {
  const std::string failures = told.summary()["failures"];
  const std::size_t at = failures.find("\"hint\":");
  return at == std::string::npos ? "" : failures.substr(at);
}

}  // namespace haul::testing
