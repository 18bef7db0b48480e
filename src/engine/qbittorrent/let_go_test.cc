// Listing the files of a torrent that is complete, and having the client let go of it (Z-4, A1-9).

#include <doctest/doctest.h>

#include <fstream>

#include "support/client/client_bench.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;
using Shape = FakeQbittorrent::Shape;

const std::string kTag = "haul-" + kStore + "-7";
const std::string kOtherOrder = "haul-" + kStore + "-8";
const std::string kFound = "haul-" + kStore + "-found";
using Tags = std::set<std::string>;

// A complete torrent with two files, one of them not wanted.
FakeTorrent complete(const std::string& save_path, Tags tags = {kTag}) {
  return {.id = kHash,
          .state = "stalledUP",
          .size = 5,
          .have = 5,
          .save_path = save_path,
          .tags = std::move(tags),
          .files = {{.name = "Film/a.mkv", .size = 5},
                    {.name = "Film/b.nfo", .size = 9, .priority = 0}}};
}

std::string sharing(const std::string& limits) {
  return R"("ratio":0.5,"seeding_time":600,)" + limits + ",";
}
const std::string kRatioOfOne =
    sharing(R"("ratio_limit":-2,"max_ratio":1,"seeding_time_limit":-2,"max_seeding_time":-1)");

struct Disk {
  TempFolder folder;
  Disk() {
    std::filesystem::create_directories(folder / "Film");
    std::ofstream{folder / "Film/a.mkv"} << "12345";
  }
  // The client sees the folder as /downloads.
  auto settings() const {
    return [this](qbittorrent::QbittorrentSettings& settings) {
      settings.source_paths =
          PathMap::parse(std::vector<std::string>{"/downloads=" + folder.path().string()}).value();
      settings.roots = {folder.path()};
    };
  }
};

}  // namespace

TEST_CASE("Z-4: the wanted files of a complete torrent are listed, asked for by tag and hash") {
  const Disk disk;
  for (const Shape shape : {Shape::v4, Shape::v5}) {
    ClientBench b{shape, disk.settings()};
    b.client.torrents[kHash] = complete("/downloads");

    CHECK(b.list(b.order(7, kHash)) == "7 listed Film/a.mkv:5");

    CHECK(b.client.told() ==
          "auth/login app/webapiVersion torrents/info?tag=" + kTag + " torrents/files");
    CHECK(b.client.log.back().fields.at("hash") == kHash);
  }
}

TEST_CASE("Z-4: a torrent that lost its tag is found by its hash") {
  const Disk disk;
  ClientBench b{Shape::v4, disk.settings()};
  const std::string other(40, 'b');
  b.client.torrents[other] = complete("/downloads", {});
  b.client.torrents[other].id = other;
  b.client.torrents[other].v1 = kHash;

  CHECK(b.list(b.order(7, kHash)) == "7 listed Film/a.mkv:5");
}

TEST_CASE("a path of the client's that is not mapped is a fault that an operator can fix") {
  const Disk disk;
  ClientBench b{Shape::v4, disk.settings()};
  b.client.torrents[kHash] = complete("/elsewhere");
  CHECK(b.list(b.order(7, kHash)) == "7 failed environment path_not_mapped");
}

TEST_CASE("S1-22: a torrent that is gone is missing, but not while the client starts") {
  const Disk disk;
  ClientBench b{Shape::v4, disk.settings()};
  CHECK(b.list(b.order(7, kHash)) == "7 missing");

  const std::string other(40, 'b');
  b.client.torrents[other] = {.id = other, .state = "checkingResumeData"};
  CHECK(b.list(b.order(7, kHash)) == "7 failed retryable client_restarting");
  CHECK(b.release(b.order(7, kHash)) == "7 failed retryable client_restarting");

  b.client.torrents.clear();
  b.client.is_down = true;
  CHECK(b.list(b.order(7, kHash)) == "7 failed retryable client_unreachable");
  b.client.is_down = false;
  CHECK(b.list(b.order(7, kHash)) == "7 failed retryable client_restarting");
  CHECK(b.release(b.order(7, kHash)) == "7 failed retryable client_restarting");
  b.clock.pass(300s);
  CHECK(b.list(b.order(7, kHash)) == "7 missing");
  CHECK(b.release(b.order(7, kHash)) == "7 released");
}

TEST_CASE("a torrent that the client checks or moves again is listed when that is over") {
  const Disk disk;
  ClientBench b{Shape::v4, disk.settings()};
  b.client.torrents[kHash] = complete("/downloads");
  for (const char* state : {"moving", "checkingUP", "downloading", "missingFiles"}) {
    b.client.torrents[kHash].state = state;
    CHECK(b.list(b.order(7, kHash)) == "7 failed retryable asset_pending");
  }
}

TEST_CASE("what the client answers to the question for files, and what is made of it") {
  struct Row {
    FakeReply reply;
    const char* told;
  };
  const Disk disk;
  for (const Row& row :
       std::vector<Row>{{{.status = 404}, "7 missing"},
                        {{.status = 500}, "7 failed retryable client_unreachable"},
                        {{.status = 400}, "7 failed retryable client_garbage"},
                        {{.body = "<html>"}, "7 failed retryable client_garbage"},
                        {{.body = "[]"}, "7 failed environment no_files"},
                        {{.fault = Fault{FaultKind::retryable, "connection_lost", ""}},
                         "7 failed retryable client_unreachable"}}) {
    ClientBench b{Shape::v4, disk.settings()};
    b.client.torrents[kHash] = complete("/downloads");
    b.client.instead = {{"torrents/files", row.reply, 1}};
    CHECK(b.list(b.order(7, kHash)) == row.told);
  }
}

TEST_CASE("Z-4: without any limit the torrent is removed at once, and its files stay") {
  for (const Shape shape : {Shape::v4, Shape::v5}) {
    ClientBench b{shape};
    b.client.torrents[kHash] = complete("/downloads");

    CHECK(b.release(b.order(7, kHash, magnet(), R"(,"delete_files_on_cancel":true)")) ==
          "7 released");

    CHECK(b.client.torrents.empty());
    const FakeRequest& removed =
        *std::ranges::find(b.client.log, "torrents/delete", &FakeRequest::action);
    CHECK(removed.fields.at("deleteFiles") == "false");
    CHECK(removed.fields.at("hashes") == kHash);
    CHECK(b.release(b.order(7, kHash)) == "7 released");  // It is already gone.
    CHECK(b.client.count("torrents/delete") == 1);
  }
}

TEST_CASE("A1-9: a torrent whose share rule is not met stays, and is released once it is") {
  ClientBench b;
  b.client.torrents[kHash] = complete("/downloads");
  b.client.torrents[kHash].sharing =
      sharing(R"("ratio_limit":-2,"max_ratio":1,"seeding_time_limit":20,"max_seeding_time":20)");
  CHECK(b.release(b.order(7, kHash)) ==
        "7 seeding for 600 s: ratio 0.50 of 1.00, seeded 10 min of 20 min");
  b.client.torrents[kHash].sharing = kRatioOfOne;
  CHECK(b.release(b.order(7, kHash)) == "7 seeding: ratio 0.50 of 1.00");
  CHECK(b.client.count("torrents/delete") == 0);

  b.client.torrents[kHash].sharing =
      R"("ratio":1,"ratio_limit":-2,"max_ratio":1,"seeding_time_limit":-2,"max_seeding_time":-1,)";
  CHECK(b.release(b.order(7, kHash)) == "7 released");
  CHECK(b.client.torrents.empty());
}

TEST_CASE("a torrent that the client works on again is not released, whatever its limits") {
  for (const char* state : {"downloading", "checkingUP", "moving", "missingFiles", "error"}) {
    ClientBench b;
    b.client.torrents[kHash] = complete("/downloads");
    b.client.torrents[kHash].state = state;
    CHECK(b.release(b.order(7, kHash)) ==
          fmt::format("7 seeding: qBittorrent still works on it ({})", state));
    CHECK(b.client.torrents.contains(kHash));
  }
}

TEST_CASE("A0-8: a torrent that another order, store or user has loses only our tag") {
  for (const std::string& other : {kOtherOrder, kFound, std::string{"haul-ffffffffffff-7"}}) {
    ClientBench b;
    b.client.torrents[kHash] = complete("/downloads", {kTag, other});
    b.client.torrents[kHash].sharing = kRatioOfOne;  // Not met, but the torrent stays anyway.

    CHECK(b.release(b.order(7, kHash)) == "7 released, files in use");

    CHECK(b.client.count("torrents/delete") == 0);
    CHECK_FALSE(b.client.torrents.at(kHash).tags.contains(kTag));
    CHECK(b.release(b.order(7, kHash)) == "7 released, files in use");  // As after a crash.
  }
}

TEST_CASE("A0-8: of two orders that share a torrent, the last one removes it") {
  ClientBench b;
  b.client.torrents[kHash] = complete("/downloads", {kTag, kOtherOrder});
  b.engine().release(b.order(7, kHash), b.letters);
  b.engine().release(b.order(8, kHash), b.letters);
  CHECK(b.told() == "7 released, files in use, 8 released");
  CHECK(b.client.torrents.empty());
}

TEST_CASE("a torrent with our tag and another hash is not ours to release") {
  ClientBench b;
  const std::string other(40, 'b');
  b.client.torrents[other] = complete("/downloads");
  b.client.torrents[other].id = other;
  CHECK(b.release(b.order(7, kHash)) == "7 released");
  CHECK(b.client.torrents.at(other).tags == Tags{kTag});
}

TEST_CASE("released is said only when the client does not list it any more") {
  ClientBench b;
  b.client.torrents[kHash] = complete("/downloads");
  b.client.instead = {{"torrents/delete", {.body = ""}, 1}};  // Says yes and does nothing.
  CHECK(b.release(b.order(7, kHash)) == "7 failed retryable client_slow");
  b.client.instead = {{"torrents/delete", {.status = 500}, 1}};
  CHECK(b.release(b.order(7, kHash)) == "7 failed retryable client_garbage");
  b.client.is_down = true;
  CHECK(b.release(b.order(7, kHash)) == "7 failed retryable client_unreachable");
  b.client.is_down = false;
  // It may not list all other torrents yet.
  CHECK(b.release(b.order(7, kHash)) == "7 failed retryable client_restarting");
  b.clock.pass(300s);
  CHECK(b.release(b.order(7, kHash)) == "7 released");
}

TEST_CASE("promise 10: files that another torrent has too are in use, also after a crash") {
  struct Row {
    const char* content;  // Of the other torrent.
    bool is_used;
  };
  const std::string other(40, 'b');
  const Disk disk;
  for (const Row& row : std::vector<Row>{{"/downloads/Film", true},
                                         {"/downloads/Film/", true},
                                         {"/downloads/Film/a.mkv", true},
                                         {"/downloads", true},
                                         {"/downloads/Film/c.mkv", false},
                                         {"/downloads/Fil", false},
                                         {"/downloads/Film 2", false},
                                         {"/elsewhere/Film", false},
                                         {"", false}}) {
    CAPTURE(row.content);
    ClientBench b{Shape::v4, disk.settings()};
    b.client.torrents[kHash] = complete("/downloads");
    b.client.torrents[kHash].content_path = "/downloads/Film";
    b.client.torrents[other] = complete("/downloads", {});
    b.client.torrents[other].id = other;
    b.client.torrents[other].content_path = row.content;
    Order order = b.order(7, kHash);
    order.sources = {(disk.folder / "Film/a.mkv").string(), (disk.folder / "Film/d.mkv").string()};
    const char* const told = row.is_used ? "7 released, files in use" : "7 released";

    CHECK(b.release(order) == told);
    CHECK_FALSE(b.client.torrents.contains(kHash));
    CHECK(b.release(order) == told);
    CHECK(b.client.torrents.contains(other));

    b.client.torrents.clear();
    CHECK(b.release(order) == "7 released");
  }
}

TEST_CASE("an engine that ends while it waits for the client tells nothing any more") {
  ClientBench b;
  b.client.torrents[kHash] = complete("/downloads");
  b.client.instead = {{"torrents/delete", {.body = ""}, 1}};
  b.engine().release(b.order(7, kHash), b.letters);
  b.engine().list(b.order(7, kHash), b.letters);
  b.loop.run();
  b.end();
  b.letters.take();
  b.clock.pass(60s);
  b.loop.run();
  CHECK(b.letters.sights.empty());
}

}  // namespace haul::testing
