// The commands of docs/recipes/get.md do what the page says: each row of its table runs.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>

#include "support/io/meta4.h"
#include "support/process/get_bench.h"
#include "support/server/fault_server.h"
#include "support/server/forward_proxy.h"
#include "support/server/tls_proxy.h"

using namespace haul;
using namespace haul::testing;

namespace {

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
    text.replace(at, from.size(), to), at += to.size();
}

// The commands in the right column of the table.
Words commands() {
  constexpr std::string_view kBefore = "| `haul get ";
  std::ifstream page{HAUL_SOURCE_DIR "/docs/recipes/get.md"};
  Words found;
  for (std::string line; std::getline(page, line);) {
    const std::size_t at = line.rfind(kBefore);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + kBefore.size();
    found.push_back(line.substr(begin, line.rfind("` |") - begin));
  }
  return found;
}

}  // namespace

TEST_CASE("get: each command in the table for users of curl, wget and aria2 works") {
  const FaultServer server;
  const FaultServer six{"::1"};
  const TlsProxy tls{server.port()};
  const ForwardProxy proxy;
  const GetBench bench;
  const std::filesystem::path here = bench.beside("here");
  std::filesystem::create_directory(here);
  std::ofstream{here / "list.txt"} << server.url("/f/listed") << "\n";
  std::ofstream{here / "cookies.txt"} << "# Netscape HTTP Cookie File\n";
  std::ofstream{here / "SHA256SUMS"} << FaultServer::content_sha256("i6", 1'024) << "  i6\n";
  std::ofstream{bench.beside(".netrc")} << "machine 127.0.0.1 login u password p\n";
  std::ofstream{here / "files.meta4"} << meta4({{.name = "o6",
                                                 .content = FaultServer::content("o6", 1'024),
                                                 .urls = {server.url("/f/o6")}}});
  const Words all = commands();
  REQUIRE(all.size() == 42);

  for (std::string command : all) {
    replace_all(command, "https://example.org", server.url("/f"));
    replace_all(command, "https://six.example", six.url("/f"));
    replace_all(command, "https://self-signed.example", tls.url("/f"));
    replace_all(command, "http://proxy.example:3128", proxy.url());
    replace_all(command, "ca.pem", tls.certificate());
    const Finished told =
        run_program({"env", "-C", here.string(), "HOME=" + bench.beside("").string(),
                     "XDG_STATE_HOME=" + bench.beside("state").string(), "sh", "-c",
                     fmt::format("exec {} get --engine http --delay 0 {}", HAUL_BINARY, command)});
    CAPTURE(command);
    CAPTURE(told.err);
    CHECK(told.code == 0);
  }
}
