// List Q: whatever a client answers, the job is in the right state, and continues with the next
// good answer.

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "hostile/names.h"
#include "hostile/qbittorrent.h"
#include "support/flow/sync_bench.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

std::string filled(std::string text, const std::string& tag) {
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"%H", kHash}, {"%T", tag}})
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from))
      text.replace(at, 2, to);
  return text;
}

// Finishes the torrent, with its file on disk.
void finish(SyncBench& b, const TempFolder& folder, const std::string& name = "book") {
  std::ofstream{folder.path() / name} << std::string(1'000, 'x');
  FakeTorrent& torrent = b.fake().torrents.at(kHash);
  torrent.state = "stalledUP";
  torrent.have = torrent.size = 1'000;
  torrent.save_path = folder.path();
  torrent.content_path = folder.path() / name;
}

}  // namespace

TEST_CASE("list Q: every hostile answer has its state and its reason, and ends nothing else") {
  for (const HostileClientAnswer& row : kHostileClientAnswers) {
    CAPTURE(row.id);
    CAPTURE(row.body);
    const TempFolder folder;
    SyncBench b;
    const JobId id = b.downloading();
    REQUIRE(b.state(id) == "downloading");
    b.fake().instead = {
        {"torrents/info", {.status = row.status, .body = filled(row.body, b.tag(id))}, 1}};
    b.after(15s);
    CHECK(b.state(id) == row.state);
    CHECK(b.job(id).reason == row.reason);
    CHECK_FALSE(b.job(id).missing_since.has_value());
    if (b.job(id).state().is_open()) {
      finish(b, folder);
      b.after(15s);
      CHECK(b.trail(id) == "queued > downloading > completed");
    }
  }
}

TEST_CASE("Q1: a list that is empty after a restart fails nothing, and the torrents come back") {
  const TempFolder folder;
  SyncBench b;
  const JobId id = b.downloading();
  b.fake().is_down = true;
  b.after(15s);
  b.fake().is_down = false;
  b.fake().restart();
  b.fake().is_empty = true;
  for (int i = 0; i < 19; ++i) {  // 285 s.
    b.after(15s);
    CHECK(b.state(id) == "downloading");
    CHECK_FALSE(b.job(id).missing_since.has_value());
  }
  b.fake().is_empty = false;
  finish(b, folder);
  b.after(15s);
  CHECK(b.state(id) == "completed");
}

TEST_CASE("Z-1: a torrent removed while the session expired fails once the 60 s grace is over") {
  SyncBench b;
  const JobId id = b.downloading();
  b.fake().restart();  // The session is gone: the client answers haul's next request with 403.
  b.fake().torrents.clear();

  for (int i = 0; i < 4; ++i) b.after(15s);  // Marked missing after 15 s, so this is 45 s later.
  CHECK(b.state(id) == "downloading");
  CHECK(b.fake().count("auth/login") == 2);
  b.after(15s);

  CHECK(b.trail(id) == "queued > downloading > failed");
  CHECK(b.job(id).reason == "missing_external_job");
}

TEST_CASE("Q4: taken but never shown fails after the grace, as missing") {
  SyncBench b;
  b.fake().shows_added = false;
  const JobId id = b.add(kHash);
  b.tick();
  for (int i = 0; i < 12; ++i) {  // haul looks ten times for a torrent that the client accepted.
    b.client.clock.pass(100ms);
    b.tick();
  }
  CHECK(b.job(id).handle == kHash);
  for (int i = 0; i < 3; ++i) b.after(15s);
  CHECK(b.state(id) == "queued");
  for (int i = 0; i < 2; ++i) b.after(15s);
  CHECK(b.trail(id) == "queued > failed");
  CHECK(b.job(id).reason == "missing_external_job");
}

TEST_CASE("Q12: from queued to uploading inside one poll it passes through downloading") {
  const TempFolder folder;
  SyncBench b;
  const JobId id = b.add(kHash);
  b.tick();
  CHECK(b.state(id) == "queued");
  finish(b, folder);
  b.after(15s);
  CHECK(b.trail(id) == "queued > downloading > completed");
}

TEST_CASE("Q19: removed and added again by hand, without its tag, it goes on") {
  const TempFolder folder;
  SyncBench b;
  const JobId id = b.downloading();
  b.fake().torrents.erase(kHash);
  b.after(15s);
  CHECK(b.job(id).missing_since.has_value());
  b.fake().torrents[kHash] = {.id = kHash, .v1 = kHash, .state = "downloading"};
  b.after(15s);
  CHECK_FALSE(b.job(id).missing_since.has_value());
  finish(b, folder);
  b.after(15s);
  CHECK(b.state(id) == "completed");
}

TEST_CASE("Q21: a link in the save path leads nowhere") {
  const TempFolder folder;
  SyncBench b;
  const JobId id = b.downloading();
  finish(b, folder);
  std::filesystem::create_symlink("/etc", folder / "link");
  b.fake().torrents.at(kHash).content_path = folder.path() / "link/passwd";
  b.after(15s);
  CHECK(b.state(id) == "downloading");
  CHECK(b.job(id).reason == "path_refused");
}

TEST_CASE("Q22: a file by any name that can be one is recorded as it is called") {
  int files = 0;
  for (const HostileName& name : kHostileNames) {
    const bool can_be_one = !name.wanted.empty() && name.wanted != "." && name.wanted != ".." &&
                            name.wanted.find('/') == std::string::npos && name.wanted.size() < 256;
    if (!can_be_one) continue;
    CAPTURE(name.id);
    const TempFolder folder;
    SyncBench b;
    const JobId id = b.downloading();
    finish(b, folder, name.wanted);
    b.after(15s);
    CHECK(b.state(id) == "completed");
    CHECK(b.store().catalog().assets_of(id).at(0).path == (folder.path() / name.wanted).string());
    ++files;
  }
  CHECK(files > 20);
}

TEST_CASE("Q29, Q24: silence and a reply cut short are not looked, and the rest is not held up") {
  SyncBench b;
  const JobId id = b.downloading();
  b.fake().instead = {{"torrents/info", {.status = 0}, 1}};
  b.after(15s);
  b.after(15s);  // haul has asked again by now and received an answer.
  CHECK(b.state(id) == "downloading");
  b.after(15s);
  CHECK(b.job(id).reason.empty());
}

}  // namespace haul::testing
