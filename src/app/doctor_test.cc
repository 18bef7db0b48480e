#include "app/doctor.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <fstream>

#include "app/program.h"
#include "store/sqlite/database.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"
#include "support/api/fake_api.h"
#include "support/io/temp_folder.h"
#include "support/store/bench.h"

namespace haul::app {
namespace {

namespace fs = std::filesystem;
using testing::FakeApi;
using testing::TempFolder;

constexpr Time kNow = from_unix_ms(1'900'000'000'000);

std::string said(const std::vector<cli::Finding>& findings) {
  constexpr std::string_view kWords[] = {"ok", "note", "wrong"};
  std::string out;
  for (const cli::Finding& finding : findings)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ",
                       kWords[static_cast<std::size_t>(finding.health)], finding.what);
  return out;
}

DoctorParts parts_with(const std::function<void(FakeApi&)>& set_up) {
  static testing::ApiClock clock;
  return {
      .clock = clock,
      .read_config = [](const cli::DoctorOptions&) { return DoctorConfig{}; },
      .open_client = [set_up](const cli::ApiAddress&) -> Result<std::unique_ptr<cli::ApiClient>> {
        auto api = std::make_unique<FakeApi>();
        set_up(*api);
        return api;
      },
      .version = "1.2.3"};
}

TEST_CASE("a data folder that is not there is a note, unless the user named it") {
  const TempFolder folder;

  CHECK(said(examine_folder({.data = folder / "none"})) == "note data");
  CHECK(said(examine_folder({.data = folder / "none", .data_given = true})) == "wrong data");
  std::ofstream{folder / "file"} << "x";
  CHECK(said(examine_folder({.data = folder / "file"})) == "wrong data");
  CHECK(said(examine_folder({.data = folder.path()})).starts_with("ok data, "));
}

TEST_CASE("a store is looked at, and the clock against it") {
  const TempFolder folder;
  CHECK(said(examine_store(folder.path(), kNow)) == "note store, ok clock");

  {
    open_sqlite(folder.path(), {}, kNow);
  }
  CHECK(said(examine_store(folder.path(), kNow)) == "ok store, ok clock");
  CHECK(said(examine_store(folder.path(), from_unix_ms(0))) == "ok store, wrong clock");
  std::ofstream{folder / "haul.db"} << std::string(4096, 'x');
  CHECK(said(examine_store(folder.path(), kNow)) == "wrong store, ok clock");
}

TEST_CASE("for a store of another version of haul, the doctor says what that store needs") {
  for (const auto& [version, mend] :
       {std::pair{1, "Use that version, or start with an empty data folder (--data)"},
        {999, "Use that version, or restore the backup"}}) {
    CAPTURE(version);
    const TempFolder folder;
    {
      open_sqlite(folder.path(), {}, kNow);
    }
    sqlite::Connection{folder / "haul.db", sqlite::OpenFor::writing}.script(
        fmt::format("PRAGMA user_version = {}", version));

    const cli::Finding store = examine_store(folder.path(), kNow).front();

    CHECK(store.health == cli::Health::wrong);
    CHECK(store.detail.starts_with("it was made by a "));
    CHECK(store.mend.starts_with(mend));
  }
}

TEST_CASE("S0-28: the files of books are there, gone, or on a disk that is not mounted") {
  const TempFolder folder;
  const fs::path books = folder / "books";
  const auto shelve = [&](const std::string& book) {
    testing::Bench b{open_sqlite(folder.path(), {}, testing::Bench::kStart)};
    Ask ask = b.draft(b.reach(kBook, "downloading"), On::landed);
    ask.assets.front().book = ask.assets.front().title = book;
    ask.assets.front().path = (books / book).string();
    REQUIRE(b.ask(ask).has_value());
    fs::create_directories(books);
    std::ofstream{books / book} << "x";
  };
  CHECK(examine_books(folder.path()).empty());

  shelve("dune");
  shelve("emma");
  CHECK(said(examine_books(folder.path())) == "ok library");
  fs::remove(books / "dune");
  const std::vector<cli::Finding> gone = examine_books(folder.path());
  CHECK(said(gone) == "wrong library");
  CHECK(gone.front().detail.find("1 of 2") != std::string::npos);
  CHECK(gone.front().detail.find((books / "dune").string()) != std::string::npos);
  fs::remove(books / "emma");
  const std::vector<cli::Finding> bare = examine_books(folder.path());
  CHECK(said(bare) == "wrong library");
  CHECK(bare.front().mend.find("mount") != std::string::npos);

  {
    const auto store = open_sqlite(folder.path(), {}, kNow);
    for (const Asset& asset : store->catalog().shelved({}, 10))
      REQUIRE(store->catalog().lose(asset.id, AssetLoss::missing, kNow));
  }
  CHECK(said(examine_books(folder.path())) == "note library");
}

TEST_CASE("the admin key is there, and for its owner only") {
  const TempFolder folder;
  const cli::ApiAddress address{.data = folder.path()};
  CHECK(said(examine_key(address)) == "note key");

  std::ofstream{folder / "admin.key"} << "haul_x\n";
  fs::permissions(folder / "admin.key", fs::perms{0644});
  CHECK(said(examine_key(address)) == "wrong key");
  CHECK(examine_key(address).front().detail.find("haul_x") == std::string::npos);
  for (const auto mode : {0604U, 0640U, 0601U}) {
    fs::permissions(folder / "admin.key", fs::perms{mode});
    CHECK(said(examine_key(address)) == "wrong key");
  }
  for (const auto mode : {0600U, 0400U, 0700U}) {
    fs::permissions(folder / "admin.key", fs::perms{mode});
    CHECK(said(examine_key(address)) == "ok key");
  }
}

TEST_CASE("C9: downloads go somewhere that is, or can be made") {
  const TempFolder folder;

  CHECK(said(examine_downloads(folder / "downloads")) == "note downloads");
  CHECK(said(examine_downloads(folder / "no" / "such")) == "wrong downloads");
  std::ofstream{folder / "file"} << "x";
  CHECK(said(examine_downloads(folder / "file")) == "wrong downloads");
  CHECK(examine_downloads(folder.path()).front().what == "downloads");
}

TEST_CASE("a daemon may be away, but not of another version, closed to us, or unwell") {
  const auto daemon = [](const std::function<void(FakeApi&)>& set_up) {
    return said(examine_daemon({}, parts_with(set_up)));
  };

  CHECK(daemon([](FakeApi& api) { api.away(); }) == "note daemon");
  CHECK(daemon([](FakeApi& api) { api.on("GET /health/ready", 503, "{}"); }) == "wrong daemon");
  const auto full = examine_daemon(
      {}, parts_with([](FakeApi& api) {
        api.on("GET /health/ready", 503,
               R"({"status":"not_ready","troubles":[{"part":"qbittorrent","code":"away"},)"
               R"({"part":"store","code":"disk_full"}]})");
      }));
  CHECK(said(full) == "wrong daemon");
  CHECK(full.front().detail.find("accepts no work: disk_full") != std::string::npos);
  CHECK(daemon([](FakeApi& api) {
          api.on("GET /health/ready", 200, "{}")
              .on("GET /api/v1/stats", 401, R"({"code":"no_key","detail":"no"})");
        }) == "wrong daemon");
  CHECK(daemon([](FakeApi& api) {
          api.on("GET /health/ready", 200, "{}")
              .on("GET /api/v1/stats", 200, R"({"version":"1.2.2"})");
        }) == "wrong daemon");
  CHECK(daemon([](FakeApi& api) {
          api.on("GET /health/ready", 200, "{}")
              .on("GET /api/v1/stats", 200, R"({"version":"1.2.3"})");
        }) == "ok daemon");
}

TEST_CASE("the doctor tells which speed limit holds now, and until when") {
  const auto told = [](const std::string& limit) {
    const auto findings = reported_speed(R"({"speed_limit":)" + limit + "}");
    return findings.empty() ? std::string{} : findings.front().detail;
  };
  CHECK(told(R"({"bytes_per_second":2097152,"set_by":"transfer.speed_schedule[0]",)"
             R"("until":"2026-11-17T18:00:00.000Z"})") ==
        "2.0 MiB/s until 2026-11-17T18:00:00.000Z (transfer.speed_schedule[0])");
  CHECK(told(R"({"bytes_per_second":null,"set_by":"transfer.speed_limit",)"
             R"("until":"2026-11-17T18:00:00.000Z"})") ==
        "none until 2026-11-17T18:00:00.000Z (transfer.speed_limit)");
  CHECK(told(R"({"bytes_per_second":null,"set_by":"transfer.speed_limit","until":null})").empty());
  CHECK(reported_speed(R"({"version":"1.2.3"})").empty());

  const auto findings =
      examine_daemon({}, parts_with([](FakeApi& api) {
                       api.on("GET /health/ready", 200, "{}")
                           .on("GET /api/v1/stats", 200,
                               R"({"version":"1.2.3","speed_limit":{"bytes_per_second":1024,)"
                               R"("set_by":"transfer.speed_limit","until":null}})");
                     }));
  CHECK(said(findings) == "ok daemon, ok speed limit");
}

TEST_CASE("Z-14: the doctor names a disk that the daemon may not read any more") {
  const auto findings =
      examine_daemon({}, parts_with([](FakeApi& api) {
                       api.on("GET /health/ready", 200,
                              R"({"status":"ready","troubles":[{"part":"plex","code":"away"},)"
                              R"({"part":"yandex_disk","code":"disk_unauthorised"}]})")
                           .on("GET /api/v1/stats", 200, R"({"version":"1.2.3"})");
                     }));
  CHECK(said(findings) == "ok daemon, wrong yandex_disk");
  CHECK(findings.back().detail.find("disk_unauthorised") != std::string::npos);
}

TEST_CASE("Z-28: the doctor names a provider of images that is held, and what to do") {
  const auto about = [](const std::string& part, const std::string& code) {
    const auto findings = reported_troubles(fmt::format(
        R"({{"status":"ready","troubles":[{{"part":"{}","code":"{}"}}]}})", part, code));
    REQUIRE(findings.size() == 1);
    return fmt::format("{} | {} | {}", said(findings), findings.front().detail,
                       findings.front().mend);
  };
  CHECK(about("openai", "provider_refused_key") ==
        "wrong openai | the daemon reports provider_refused_key: images wait | correct "
        "image.api_key and restart the daemon");
  CHECK(about("stability", "provider_wants_payment").find("haul continues by itself") !=
        std::string::npos);
  CHECK(about("comfyui", "provider_unreachable").starts_with("wrong comfyui"));
  CHECK(about("replicate", "provider_forbids").find("[image]") != std::string::npos);
  CHECK(about("automatic1111", "provider_busy").starts_with("note automatic1111"));
  CHECK(about("bucket", "bucket_unauthorised").find("[bucket]") != std::string::npos);
  CHECK(reported_troubles(R"({"status":"ready"})").empty());
  CHECK(reported_troubles("no JSON").empty());
}

TEST_CASE("a program says its version, or is not there") {
  CHECK(first_line_of({"echo", "hello"}) == "hello");
  CHECK(first_line_of({"true", "x"}) == "");
  CHECK(first_line_of({"haul-no-such-program", "x"}) == std::nullopt);
}

TEST_CASE("F38: a kernel that cannot keep programs in is a note, and wrong where it must") {
  CHECK(said(examine_sandbox(7, io::Confine::require)) == "ok sandbox");
  CHECK(said(examine_sandbox(3, io::Confine::require)) == "note sandbox");
  CHECK(said(examine_sandbox(0, io::Confine::prefer)) == "note sandbox");
  CHECK(said(examine_sandbox(0, io::Confine::require)) == "wrong sandbox");
}

TEST_CASE("a configured program that does not exist is wrong; one that does is looked at there") {
  const auto said_of = [](const std::string& path) {
    const std::vector<cli::Finding> all = examine_programs({{"yt-dlp", path}});
    const auto found = std::ranges::find(all, "yt-dlp", &cli::Finding::what);
    REQUIRE(found != all.end());
    return *found;
  };
  const cli::Finding gone = said_of("/no/such/yt-dlp");
  CHECK(gone.health == cli::Health::wrong);
  CHECK(gone.detail == "/no/such/yt-dlp does not exist or cannot be run");
  CHECK(gone.setting == "engine.yt_dlp.program");
  CHECK(gone.mend == "correct engine.yt_dlp.program, or remove it so that haul looks in PATH");
  CHECK(said_of("/bin/true").health == cli::Health::ok);
}

TEST_CASE("the daemon is asked where its configuration says, unless the user says where") {
  const TempFolder folder;
  std::string asked;
  DoctorParts parts = parts_with([](FakeApi& api) { api.away(); });
  parts.open_client = [&asked, open = parts.open_client](const cli::ApiAddress& address) {
    asked = address.url;
    return open(address);
  };
  parts.read_config = [](const cli::DoctorOptions&) {
    return DoctorConfig{.file = {}, .url = "http://127.0.0.1:4999/", .download_folder = {}};
  };

  examine({.address = {.data = folder.path()}}, parts);
  CHECK(asked == "http://127.0.0.1:4999/");

  examine({.address = {.url = "http://h:1", .url_given = true, .data = folder.path()}}, parts);
  CHECK(asked == "http://h:1");

  parts.read_config = [](const cli::DoctorOptions&) { return DoctorConfig{}; };
  examine({.address = {.data = folder.path()}}, parts);
  CHECK(asked == "http://127.0.0.1:4285");
}

TEST_CASE("a configuration that cannot be read is wrong, and the rest is looked at all the same") {
  const TempFolder folder;
  DoctorParts parts = parts_with([](FakeApi& api) { api.away(); });
  parts.read_config = [](const cli::DoctorOptions&) -> Result<DoctorConfig> {
    return std::unexpected{Fault{FaultKind::rejected, "bad_config", "haul.toml:3: no"}};
  };

  const std::string all = said(examine({.address = {.data = folder.path()}}, parts));

  CHECK(all.find("wrong config") != std::string::npos);
  CHECK(all.find("note daemon") != std::string::npos);
}

}  // namespace
}  // namespace haul::app
