// `haul verify`: a downloaded file is read again and compared with its receipt.

#include <doctest/doctest.h>

#include <filesystem>

#include "support/process/get_bench.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;

namespace {

struct Fetched {
  FaultServer server;
  GetBench bench;

  explicit Fetched(const Words& options = {}) {
    Words words = options;
    words.push_back(server.url("/f/a?size=5000"));
    REQUIRE(bench.get(words).code == 0);
  }
  Told verify(const std::string& name) { return verify_all({name}); }
  Told verify_all(const Words& names) {
    Words command = bench.command({});
    // The same program and environment, another command.
    for (std::size_t i = 0; i < command.size(); ++i)
      if (command[i] == "get") {
        command.resize(i);
        break;
      }
    command.insert(command.end(), {"verify", "--json"});
    for (const std::string& name : names) command.push_back((bench.folder() / name).string());
    return told(run_program(command));
  }
  std::string verdict(const std::string& name) {
    const Told answer = verify(name);
    return answer.lines.empty() ? "" : Fields{answer.lines.front()}["verdict"];
  }
};

}  // namespace

TEST_CASE("a file with a recorded hash is proven, and a flipped byte changes that") {
  Fetched f{{"--hash", "sha256"}};
  CHECK(f.verify("a").code == 0);
  CHECK(f.verdict("a") == "proven");

  const auto at = std::filesystem::last_write_time(f.bench.folder() / "a");
  std::string content = f.bench.content("a");
  content[77] = static_cast<char>(content[77] ^ 1);
  f.bench.put("a", content);
  std::filesystem::last_write_time(f.bench.folder() / "a", at);

  CHECK(f.verify("a").code == 1);
  CHECK(f.verdict("a") == "changed");
}

TEST_CASE(
    "without a hash a file is unchanged at best; truncated, replaced and deleted ones are "
    "found out") {
  Fetched f;
  CHECK(f.verify("a").code == 1);
  CHECK(f.verdict("a") == "unchanged");
  CHECK(f.verify("a").out.find("only size and time") != std::string::npos);

  f.bench.put("a", "shorter");
  CHECK(f.verdict("a") == "changed");
  f.bench.put("a", FaultServer::content("other", 5'000));
  CHECK(f.verdict("a") == "changed");
  std::filesystem::remove(f.bench.folder() / "a");
  CHECK(f.verdict("a") == "gone");
  CHECK(f.verify("never").err.find("no receipt") != std::string::npos);
}

TEST_CASE("several files are verified at once, and one that is not proven decides the exit code") {
  Fetched f{{"--hash", "sha256"}};
  REQUIRE(f.bench.get({"--hash", "sha256", f.server.url("/f/b?size=9")}).code == 0);
  CHECK(f.verify_all({"a", "b"}).code == 0);
  CHECK(f.verify_all({"a", "b"}).lines.size() == 2);
  CHECK(f.verify_all({"a", "never", "b"}).code == 1);
  CHECK(f.verify_all({"a", "never", "b"}).lines.size() == 2);
}
