// Disks that are full, read-only or gone: the job waits and says why, counts no attempt, and
// continues by itself once the disk is usable again (Z-8).

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/json.h"
#include "support/io/small_disk.h"
#include "support/io/temp_folder.h"
#include "support/process/real_get.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

// Short, so that the test sees the end of a wait. Tests with a turned clock check that it is 30 s.
const flow::Settings kSoon{.environment_wait = 300ms, .host = {.at_once = 16, .apart = 0ms}};

using enum SmallDisk::Writing;

struct DiskJob {
  FaultServer server;
  TempFolder home;
  fs::path folder = home / "out";
  RealGet get;
  JobId id;

  explicit DiskJob(io::KeepFree keep_free = {}, io::Destinations destinations = {})
      : get{kSoon, keep_free, std::move(destinations)} {}
  void ask(const std::vector<std::string>& files) {
    std::string urls;
    for (const std::string& file : files)
      urls += (urls.empty() ? "" : ",") + json_quoted(server.url("/f/" + file));
    id = get.add(fmt::format(R"({{"urls":[{}],"folder":{}}})", urls, json_quoted(folder.string())));
  }
  bool waits_because(const std::string& reason) {
    return get.until([&] {
      const Job job = get.job(id);
      return job.version.state == "PENDING" && job.reason == reason;
    });
  }
  bool completes() {
    return get.until([&] { return get.job(id).version.state == "COMPLETED"; });
  }
  void check_nothing_burned() {
    CHECK(get.job(id).version.attempt == 0);
    for (const Item& item : get.store().items().list(id, "", 0, 100)) {
      CHECK(item.attempt == 0);
      CHECK(item.tries == 0);
    }
  }
  void check_whole(const std::string& name, std::size_t size) const {
    std::ifstream file{folder / name, std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    CHECK_MESSAGE(bytes.size() == size, name);
    CHECK_MESSAGE((bytes == FaultServer::content(name, size)), name);
  }
  void check_no_part() const {
    for (const auto& entry : fs::directory_iterator{folder})
      CHECK_MESSAGE(entry.path().extension() != ".part", entry.path().string());
  }
};

}  // namespace

TEST_CASE("Z-8: a file larger than the disk waits before its first byte, until there is room") {
  DiskJob job;
  const SmallDisk disk{job.folder};
  if (!disk.is_there()) return;
  job.ask({"a.bin?size=3000000"});

  CHECK(job.waits_because("disk_full"));
  job.check_nothing_burned();
  job.check_no_part();

  REQUIRE(disk.change(allowed, "size=8m"));
  CHECK(job.completes());
  job.check_nothing_burned();
  job.check_whole("a.bin", 3'000'000);
  job.check_no_part();
}

TEST_CASE("Z-8: a disk that fills up on the way keeps what came, and the rest is fetched later") {
  DiskJob job;
  const SmallDisk disk{job.folder};
  if (!disk.is_there()) return;
  job.ask({"a.bin?size=3000000&chunked=ok", "b.bin?size=1000&delay_ms=100"});

  CHECK(job.waits_because("disk_full"));
  job.check_nothing_burned();
  // F25: a twentieth of the disk stays free, and the reason says so.
  const fs::space_info space = fs::space(job.folder);
  CHECK(space.available >= space.capacity / 20);
  CHECK(job.get.job(job.id).detail.find("transfer.keep_free") != std::string::npos);

  REQUIRE(disk.change(allowed, "size=8m"));
  CHECK(job.completes());
  job.check_nothing_burned();
  job.check_whole("a.bin", 3'000'000);
  job.check_whole("b.bin", 1'000);
  job.check_no_part();
  bool resumed = false;
  for (const LoggedRequest& request : job.server.log())
    resumed = resumed || (request.path == "/f/a.bin" && request.status == 206);
  CHECK(resumed);
}

TEST_CASE("F25: of two files that fit one by one, one arrives and the other waits for room") {
  for (const bool in_one_job : {true, false}) {
    CAPTURE(in_one_job);
    DiskJob job{{std::int64_t{1} << 20U}};
    const SmallDisk disk{job.folder, "size=24m"};
    if (!disk.is_there()) return;
    const std::string a = "a.bin?size=15000000&limit_rate=20000000";
    const std::string b = "b.bin?size=15000000&limit_rate=20000000";
    JobId first;
    if (in_one_job) {
      job.ask({a, b});
      first = job.id;
    } else {
      job.ask({a});
      first = job.id;
      job.ask({b});
    }
    const auto arrived = [&] {
      const std::int64_t others = in_one_job ? 0 : job.get.store().items().counts(first).downloaded;
      return job.get.store().items().counts(job.id).downloaded + others;
    };
    const auto waits = [&](JobId id) { return job.get.job(id).reason == "disk_full"; };

    CHECK(job.get.until([&] { return arrived() == 1 && (waits(first) || waits(job.id)); }));
    CHECK(job.get.job(waits(first) ? first : job.id).detail.find("are missing") !=
          std::string::npos);
    const std::uintmax_t capacity = fs::space(job.folder).capacity;
    CHECK(fs::space(job.folder).available + 15'100'000 > capacity);  // The other took nothing yet.

    REQUIRE(disk.change(allowed, "size=40m"));
    CHECK(job.get.until([&] { return arrived() == 2; }));
    job.check_nothing_burned();
    job.check_whole("a.bin", 15'000'000);
    job.check_whole("b.bin", 15'000'000);
    job.check_no_part();
  }
}

TEST_CASE("F25: a file of unknown size gives way to one whose size is known") {
  DiskJob job{{std::int64_t{1} << 20U}};
  const SmallDisk disk{job.folder, "size=24m"};
  if (!disk.is_there()) return;
  job.ask({"known.bin?size=15000000&limit_rate=20000000"});
  const JobId known = job.id;
  job.ask({"unknown.bin?size=15000000&chunked=ok&delay_ms=200"});

  CHECK(job.get.until([&] { return job.get.job(known).version.state == "COMPLETED"; }));
  CHECK(job.waits_because("disk_full"));
  job.check_whole("known.bin", 15'000'000);

  REQUIRE(disk.change(allowed, "size=40m"));
  CHECK(job.completes());
  job.check_whole("unknown.bin", 15'000'000);
  job.check_no_part();
}

TEST_CASE("Z-8: a disk that is read-only is waited for") {
  DiskJob job;
  const SmallDisk disk{job.folder};
  if (!disk.is_there()) return;
  REQUIRE(disk.change(refused, "size=1m"));
  job.ask({"a.bin?size=1000"});

  CHECK(job.waits_because("read_only_disk"));
  job.check_nothing_burned();

  REQUIRE(disk.change(allowed, "size=1m"));
  CHECK(job.completes());
  job.check_nothing_burned();
  job.check_whole("a.bin", 1'000);
  job.check_no_part();
}

TEST_CASE("Z-8: a disk that becomes read-only on the way is waited for, and nothing comes twice") {
  DiskJob job;
  const SmallDisk disk{job.folder};
  if (!disk.is_there()) return;
  job.ask({"a.bin?size=1000", "b.bin?size=1000&delay_ms=1000"});
  CHECK(job.get.until([&] { return job.get.store().items().counts(job.id).downloaded == 1; }));
  REQUIRE(job.get.until([&] { return disk.change(refused, "size=1m"); }));

  CHECK(job.waits_because("read_only_disk"));
  job.check_nothing_burned();

  REQUIRE(disk.change(allowed, "size=1m"));
  CHECK(job.completes());
  job.check_nothing_burned();
  job.check_whole("a.bin", 1'000);
  job.check_whole("b.bin", 1'000);
  job.check_no_part();
  CHECK(std::distance(fs::directory_iterator{job.folder}, {}) == 2);
}

TEST_CASE("Z-8: a folder that vanishes on the way is waited for, and what was lost comes again") {
  DiskJob job;
  job.ask({"a.bin?size=400000&limit_rate=400000", "b.bin?size=1000&delay_ms=500"});
  CHECK(job.get.until([&] { return fs::exists(job.folder) && !fs::is_empty(job.folder); }));
  fs::remove_all(job.folder);

  CHECK(job.waits_because("folder_gone"));
  job.check_nothing_burned();
  const std::size_t asked = job.server.log().size();
  const auto fence = job.get.job(job.id).version.fence;
  CHECK(job.get.until([&] { return job.get.job(job.id).version.fence > fence; }));
  CHECK(job.waits_because("folder_gone"));  // It looked again and still waits,
  CHECK(job.server.log().size() == asked);  // and requested nothing that it could not write.

  fs::create_directories(job.folder);
  CHECK(job.completes());
  job.check_nothing_burned();
  job.check_whole("a.bin", 400'000);
  job.check_whole("b.bin", 1'000);
  job.check_no_part();
}

TEST_CASE("Z-8: haul get makes a folder again that vanishes on the way") {
  DiskJob job{{}, {.root = {}, .barred = {}, .vanished = io::Folder::Missing::create}};
  job.ask({"a.bin?size=400000&limit_rate=400000", "b.bin?size=1000&delay_ms=500"});
  CHECK(job.get.until([&] { return fs::exists(job.folder) && !fs::is_empty(job.folder); }));
  fs::remove_all(job.folder);

  CHECK(job.waits_because("folder_gone"));
  CHECK(job.completes());
  job.check_nothing_burned();
  job.check_whole("a.bin", 400'000);
  job.check_whole("b.bin", 1'000);
}
