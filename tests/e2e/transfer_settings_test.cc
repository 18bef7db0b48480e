// The limits of [transfer] on a real daemon: each setting has its effect on what is downloaded.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.h"
#include "support/process/daemon.h"
#include "support/run/moment.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

bool has_item(const Daemon& daemon, const std::string& id, const std::string& words) {
  const RawReply reply = daemon.get("/api/v1/jobs/" + id + "/items");
  return reply.body().find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("F36: transfer.max_size of a daemon ends a body of unknown size, at the byte") {
  const FaultServer server;
  Daemon daemon{std::vector<std::string>{"HAUL__TRANSFER__MAX_SIZE=64K"}};
  const std::string fits = daemon.add(server.url("/f/fits.bin?size=65536&chunked=ok"));
  const std::string more = daemon.add(server.url("/f/more.bin?size=65537&chunked=ok"));
  const std::string known = daemon.add(server.url("/f/known.bin?size=65537"));
  for (const std::string& id : {fits, more, known}) CHECK(daemon.comes_to(id, "COMPLETED"));

  CHECK(fs::exists(daemon.downloads() / "fits.bin"));
  CHECK(has_item(daemon, more, R"("state":"FAILED")"));
  CHECK(has_item(daemon, more, R"("reason":"file_too_large")"));
  CHECK_FALSE(fs::exists(daemon.downloads() / "more.bin"));
  CHECK(fs::exists(daemon.downloads() / "known.bin"));
  CHECK(daemon.stop() == 0);
}

TEST_CASE("F25: with a transfer.keep_free beyond the disk's size a daemon's downloads wait") {
  const FaultServer server;
  Daemon daemon{std::vector<std::string>{"HAUL__TRANSFER__KEEP_FREE=1000000T"}};
  const std::string id = daemon.add(server.url("/f/a.bin?size=10"));

  CHECK(comes_true([&] { return member_of(daemon.job(id), "reason") == "disk_full"; }));
  CHECK(member_of(daemon.job(id), "state") == "PENDING");
  CHECK(member_of(daemon.job(id), "attempt") == "0");
  CHECK(member_of(daemon.job(id), "detail").find("transfer.keep_free") != std::string::npos);
  CHECK_FALSE(fs::exists(daemon.downloads() / "a.bin"));

  CHECK(daemon.stop() == 0);
  daemon.set("HAUL__TRANSFER__KEEP_FREE=0");
  daemon.start();
  CHECK(daemon.comes_to(daemon.add(server.url("/f/b.bin?size=10")), "COMPLETED"));
  CHECK(fs::exists(daemon.downloads() / "b.bin"));
  CHECK(daemon.stop() == 0);
}

TEST_CASE("transfer.speed_schedule of a daemon holds in place of its speed_limit") {
  const FaultServer server;
  Daemon daemon{std::vector<std::string>{"HAUL__TRANSFER__SPEED_SCHEDULE=00:00-24:00 100K",
                                         "HAUL__TRANSFER__SPEED_LIMIT=100M"}};
  const Steady before = system_clock().steady();
  CHECK(daemon.comes_to(daemon.add(server.url("/f/one.bin?size=204800")), "COMPLETED"));

  CHECK(system_clock().steady() - before >= 1'500ms);
  CHECK(member_of(std::string{daemon.get("/api/v1/stats").body()}, "speed_limit") ==
        R"({"bytes_per_second":102400,"set_by":"transfer.speed_schedule[0]","until":null})");
  CHECK(daemon.stop() == 0);
}

TEST_CASE("transfer.speed_limit of a daemon holds for all its downloads together") {
  const FaultServer server;
  Daemon daemon{std::vector<std::string>{"HAUL__TRANSFER__SPEED_LIMIT=100K"}};
  const Steady before = system_clock().steady();
  const std::string one = daemon.add(server.url("/f/one.bin?size=153600"));
  const std::string two = daemon.add(server.url("/f/two.bin?size=153600"));
  CHECK(daemon.comes_to(one, "COMPLETED"));
  CHECK(daemon.comes_to(two, "COMPLETED"));

  // 300 KiB at 100 KiB a second, of which an eighth of a second may come at once. Two limits of
  // 100 KiB would let it pass in 1.5 s. A busy machine only makes it longer.
  CHECK(system_clock().steady() - before >= 2'500ms);
  CHECK(fs::file_size(daemon.downloads() / "one.bin") == 153'600);
  CHECK(fs::file_size(daemon.downloads() / "two.bin") == 153'600);
  CHECK(daemon.stop() == 0);
}

TEST_CASE("a category's folder and speed limit hold for its jobs; others go where they went") {
  const FaultServer server;
  Daemon daemon{std::vector<std::string>{"HAUL__CATEGORY__FILMS__FOLDER=films/new",
                                         "HAUL__CATEGORY__FILMS__SPEED_LIMIT=100K"}};
  const auto add = [&](const std::string& name, const char* more) {
    return member_of(
        daemon
            .post("/api/v1/jobs",
                  fmt::format(R"({{"lifecycle":"batch","request":{{"url":"{}"{}}}}})",
                              server.url(fmt::format("/f/{}?size=204800", name)), more))
            .body(),
        "id");
  };
  const Steady before = system_clock().steady();
  const std::string film = add("film.bin", R"(,"category":"films")");
  const std::string other = add("other.bin", "");

  for (const std::string& id : {film, other}) CHECK(daemon.comes_to(id, "COMPLETED"));
  CHECK(system_clock().steady() - before >= 1'500ms);
  CHECK(fs::exists(daemon.downloads() / "films" / "new" / "film.bin"));
  CHECK(fs::exists(daemon.downloads() / "other.bin"));
  CHECK(daemon.stop() == 0);
}
