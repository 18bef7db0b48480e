// Where `haul get` puts a file: -o with a path, standard output, and folders that take no files.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>

#include "support/process/get_bench.h"
#include "support/run/skip.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;

namespace fs = std::filesystem;

namespace {

// Runs without --json, in a folder of its own for temporary files.
Finished run_plainly(const GetBench& bench, const Words& words) {
  fs::create_directories(bench.beside("tmp"));
  Words all{"env",
            "XDG_STATE_HOME=" + bench.beside("state").string(),
            "HOME=" + bench.beside("").string(),
            "TMPDIR=" + bench.beside("tmp").string(),
            HAUL_BINARY,
            "get",
            "--engine",
            "http",
            "--delay",
            "0"};
  all.insert(all.end(), words.begin(), words.end());
  return run_program(all);
}

}  // namespace

TEST_CASE("get: -o takes a path, and makes its folders below -d") {
  const FaultServer server;
  GetBench bench;
  CHECK(bench.get({"-o", "a/b/mine.bin", server.url("/f/a?size=10")}).code == 0);
  CHECK(bench.get({"-o", "./plain.bin", server.url("/f/b?size=10")}).code == 0);

  CHECK(bench.listing() == "a, plain.bin");
  CHECK(bench.holds("a/b/mine.bin", FaultServer::content("a", 10)));
}

TEST_CASE("get: -o leaves the folder by no dots and no link, and an absolute path is the place") {
  const FaultServer server;
  GetBench bench;
  for (const char* name : {"../x", "a/../../x", "..", "a/", "."}) {
    const Told told = bench.get({"-o", name, server.url("/f/a")});
    CAPTURE(name);
    CHECK(told.code == 2);
    CHECK(told.err.find("-o: ") != std::string::npos);
  }
  CHECK(server.log().empty());
  fs::create_directories(bench.folder());
  fs::create_directories(bench.beside("outside"));
  fs::create_directory_symlink(bench.beside("outside"), bench.folder() / "link");
  CHECK(bench.get({"--retries", "0", "-o", "link/x", server.url("/f/a?size=10")}).code == 1);
  CHECK(fs::is_empty(bench.beside("outside")));

  const fs::path place = bench.beside("elsewhere") / "mine.bin";
  CHECK(bench.get({"-o", place.string(), server.url("/f/a?size=10")}).code == 0);
  CHECK(fs::file_size(place) == 10);
}

TEST_CASE("get: a file that -o put into a folder is resumed there") {
  const FaultServer server;
  GetBench bench;
  const Words words{"-o", "a/big.bin", "--segments", "1",
                    server.url("/f/x?size=3000000&reset_after=2000000&reset_times=1")};
  CHECK(bench.get(words).code == 0);

  CHECK(bench.holds("a/big.bin", FaultServer::content("x", 3'000'000)));
  CHECK(bench.listing() == "a");
  REQUIRE(server.log().size() == 2);
  CHECK(server.log()[1].range.starts_with("bytes="));
}

TEST_CASE(
    "get: -o - writes the file to standard output once it is proven, and messages to stderr") {
  const FaultServer server;
  const GetBench bench;
  const std::string good = FaultServer::content_sha256("a", 300'000);
  const Finished arrived = run_plainly(
      bench, {"-o", "-", "--checksum", "sha256:" + good, server.url("/f/a?size=300000")});
  CHECK(arrived.code == 0);
  CHECK((arrived.out == FaultServer::content("a", 300'000)));
  CHECK(arrived.err.find("file") != std::string::npos);
  const Finished damaged = run_plainly(
      bench,
      {"-o", "-", "--checksum", "sha256:" + std::string(64, '0'), server.url("/f/a?size=300000")});
  CHECK(damaged.code == 1);
  CHECK(damaged.out.empty());
  CHECK(damaged.err.find("checksum_mismatch") != std::string::npos);
  CHECK(fs::is_empty(bench.beside("tmp")));
}

TEST_CASE("get: --stream writes bytes as they arrive, also across a broken connection") {
  const FaultServer server;
  const GetBench bench;
  const std::string broken = "/f/a?size=3000000&reset_after=2000000&reset_times=1";
  const Finished told = run_plainly(bench, {"-q", "-o", "-", "--stream", server.url(broken)});
  CHECK(told.code == 0);
  CHECK((told.out == FaultServer::content("a", 3'000'000)));
  REQUIRE(server.log().size() == 2);
  CHECK(server.log()[1].range.starts_with("bytes="));

  Child child{{"env", "XDG_STATE_HOME=" + bench.beside("state").string(), HAUL_BINARY, "get",
               "--engine", "http", "-q", "-o", "-", "--stream",
               server.url("/f/b?size=3000000&limit_rate=1500000")}};
  CHECK(child.line());  // The content has a line end within its first bytes.
  CHECK(server.log().back().ended.empty());
  CHECK(child.wait() == 0);
  CHECK(run_plainly(bench, {"--stream", server.url("/f/a")}).code == 2);
}

TEST_CASE("get: --stream fails if the server's file changes after bytes went out") {
  const FaultServer server;
  const GetBench bench;
  const Finished told = run_plainly(
      bench, {"-q", "-o", "-", "--stream",
              server.url("/f/a?size=2000000&limit_rate=1500000&reset_after=1500000&reset_times=1&"
                         "etag_change_after=1")});

  CHECK(told.code == 1);
  CHECK(told.err.find("changed on the way") != std::string::npos);
}

TEST_CASE("get: -O, -c and -L are accepted and change nothing") {
  const FaultServer server;
  GetBench bench;
  CHECK(bench.get({"-O", "-c", "-L", server.url("/f/a.bin?size=10")}).code == 0);
  CHECK(bench.listing() == "a.bin");
}

TEST_CASE("get: a folder that takes no files is refused at once with 2") {
  const FaultServer server;
  const GetBench bench;
  fs::create_symlink(bench.beside("nowhere") / "deep", bench.beside("dangling"));
  for (const std::string& folder :
       {bench.beside("dangling").string(), std::string{"/sys/kernel"}, std::string{"/proc/self"}}) {
    const Finished told = run_plainly(bench, {"-d", folder, server.url("/f/a")});
    CAPTURE(folder);
    CHECK(told.code == 2);
    CHECK(told.err.find("haul: -d: cannot put files there: ") == 0);
  }
  CHECK(server.log().empty());
}

TEST_CASE("get: a folder that the user may not write to, or not enter, is refused at once with 2") {
  if (::geteuid() != 0) return skip("only root can become another user");
  const FaultServer server;
  const GetBench bench;
  for (const char* name : {"state", "readonly", "closed"}) fs::create_directory(bench.beside(name));
  fs::permissions(bench.beside(""), fs::perms{0755});
  fs::permissions(bench.beside("state"), fs::perms{0777});
  fs::permissions(bench.beside("readonly"), fs::perms{0555});
  fs::permissions(bench.beside("closed"), fs::perms{0700});
  for (const char* name : {"readonly", "closed", "closed/new"}) {
    const Finished told =
        run_program({"setpriv", "--reuid", "65534", "--clear-groups", "env",
                     "XDG_STATE_HOME=" + bench.beside("state").string(), HAUL_BINARY, "get", "-d",
                     bench.beside(name).string(), server.url("/f/a")});
    CAPTURE(name);
    CAPTURE(told.err);
    CHECK(told.code == 2);
    CHECK(told.err.find("-d: cannot put files there: ") != std::string::npos);
  }
  CHECK(server.log().empty());
}
