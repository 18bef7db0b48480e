// `haul verify`: the files of a daemon's job are read again and compared with their receipts.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>
#include <fstream>

#include "support/process/daemon.h"
#include "support/server/fault_server.h"

using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kSize = 5'000;

// A daemon with a batch of one file, a.bin.
struct LandedFile {
  FaultServer server;
  Daemon daemon;
  fs::path path = daemon.downloads() / "a.bin";
  std::string content = FaultServer::content("a.bin", kSize);
  std::string id;

  explicit LandedFile(const std::string& more_of_request = R"(,"hash":"sha256")") {
    const RawReply added = daemon.post(
        "/api/v1/jobs",
        fmt::format(R"({{"lifecycle":"batch","request":{{"url":"{}"{}}}}})",
                    server.url(fmt::format("/f/a.bin?size={}", kSize)), more_of_request));
    id = member_of(added.body(), "id");
    REQUIRE(daemon.comes_to(id, "COMPLETED"));
    REQUIRE(fs::file_size(path) == kSize);
  }
  Finished verify(const std::string& what) const {
    return run_program({HAUL_BINARY, "verify", what, "--url",
                        fmt::format("http://127.0.0.1:{}", daemon.port()), "--data",
                        daemon.data().string()});
  }
  // The exit code and the word of the only file: "0 proven".
  std::string verdict(const std::string& what) const {
    const Finished answer = verify(what);
    return fmt::format("{} {}", answer.code, answer.out.substr(0, answer.out.find(' ')));
  }
  // Writes other bytes and gives the file its old time back, so that only the bytes can tell.
  void put(const std::string& bytes) const {
    const auto at = fs::last_write_time(path);
    std::ofstream{path, std::ios::binary | std::ios::trunc} << bytes;
    fs::last_write_time(path, at);
  }
};

}  // namespace

TEST_CASE("verify: the file of a job is proven by its hash, as a job and as a path") {
  const LandedFile f;

  const Finished by_job = f.verify(f.id);
  CHECK(by_job.code == 0);
  CHECK(by_job.out == fmt::format("proven  {} (sha256)\n", f.path.string()));
  const Finished by_path = f.verify(f.path.string());
  CHECK(by_path.code == 0);
  CHECK(by_path.out == by_job.out);
}

TEST_CASE("verify: a flipped byte, a cut, another file and none are found out, each with 1") {
  const LandedFile f;
  std::string flipped = f.content;
  flipped[77] = static_cast<char>(flipped[77] ^ 1);

  f.put(flipped);
  CHECK(f.verdict(f.id) == "1 changed");
  CHECK(f.verdict(f.path.string()) == "1 changed");
  f.put(f.content.substr(0, kSize - 1));
  CHECK(f.verdict(f.id) == "1 changed");
  CHECK(f.verify(f.id).out.find("4999 bytes, but 5000 when it landed") != std::string::npos);
  fs::remove(f.path);
  std::ofstream{f.path, std::ios::binary} << FaultServer::content("other", kSize);
  CHECK(f.verdict(f.id) == "1 changed");
  fs::remove(f.path);
  CHECK(f.verdict(f.id) == "1 gone");
  CHECK(f.verdict(f.path.string()) == "1 gone");

  std::ofstream{f.path, std::ios::binary} << f.content;
  CHECK(f.verdict(f.id) == "0 proven");
}

TEST_CASE("verify: a file without a recorded hash is unchanged at best, which is 1") {
  const LandedFile f{""};

  CHECK(f.verdict(f.id) == "1 unchanged");
  CHECK(f.verify(f.id).out.find("the receipt has no hash") != std::string::npos);
}

TEST_CASE("verify: a job without a receipt, an unknown job and an unknown path are 1") {
  const LandedFile f;
  const std::string refused = f.daemon.add(f.server.url("/f/none?status=404"));
  REQUIRE(f.daemon.comes_to(refused, "COMPLETED"));  // Its only file has failed.

  const Finished none = f.verify(refused);
  CHECK(none.code == 1);
  CHECK(none.err == fmt::format("haul: job {} has no file with a receipt\n", refused));
  CHECK(f.verify("99").code == 1);
  const Finished never = f.verify((f.daemon.downloads() / "never.bin").string());
  CHECK(never.code == 1);
  CHECK(never.err.find("no receipt") != std::string::npos);
}
