// The daemon checks the files of the library: it notices when a user deletes one.

#include <doctest/doctest.h>

#include <fstream>

#include "lifecycle/tables.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"
#include "support/process/daemon.h"
#include "support/run/moment.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// Adds a completed book and its file to a store that no daemon uses yet.
void shelve(const std::filesystem::path& data, const std::string& book,
            const std::filesystem::path& file) {
  const Time now = from_unix_ms(1'770'000'000'000);
  std::filesystem::create_directories(data);
  std::filesystem::create_directories(file.parent_path());
  std::ofstream{file} << book;
  const auto store = open_sqlite(data, {}, now);
  const NewJob job{.lifecycle = &kBook,
                   .owner = UserId{1},
                   .request = R"({"book_id":")" + book +
                              R"(","media_type":"text","uri":"magnet:?x","source":"s"})"};
  const JobId id = store->jobs().add({&job, 1}, now).front().value().id;
  for (const On on : {On::started, On::landed}) {
    Ask ask{.version = store->reader().find(id)->version, .on = on, .by = By::worker};
    ask.holds = {Guard::active_report, Guard::file_in_place};
    if (on == On::landed) {
      ask.proof = {Proof::evidence, R"({"size":1})"};
      ask.assets = {AssetFacts{.book = book,
                               .title = book,
                               .media_type = "text",
                               .path = file.string(),
                               .size = 1,
                               .checksum = {},
                               .source_url = "https://tracker/1",
                               .source = "s"}};
    }
    REQUIRE(store->jobs().move({&ask, 1}, now).front().has_value());
  }
}

std::string shelf_of(const Daemon& daemon, const std::string& book) {
  return member_of(daemon.get("/api/v1/books/" + book).body(), "shelf");
}

bool comes_to_shelf(const Daemon& daemon, const std::string& book, const std::string& shelf) {
  for (int i = 0; i < 3'000; ++i) {
    if (shelf_of(daemon, book) == shelf) return true;
    let_pass(10ms);
  }
  return false;
}

}  // namespace

TEST_CASE("S0-28: a file deleted behind the daemon's back sends its book to the archive") {
  const TempFolder folder;
  const std::filesystem::path data = folder.path() / "data";
  shelve(data, "dune", folder.path() / "books/dune.epub");
  shelve(data, "emma", folder.path() / "books/emma.epub");
  Daemon daemon{data, true, {"HAUL__LIBRARY__CHECK_EVERY=1s", "HAUL__LIBRARY__MISSING_AFTER=1s"}};
  CHECK(shelf_of(daemon, "dune") == "library");

  std::filesystem::remove(folder.path() / "books/dune.epub");

  CHECK(comes_to_shelf(daemon, "dune", "archive"));
  CHECK(shelf_of(daemon, "emma") == "library");
  const std::string dune{daemon.get("/api/v1/books/dune").body()};
  CHECK(dune.find("\"status\":\"missing\"") != std::string::npos);
  CHECK(dune.find("https://tracker/1") != std::string::npos);
  CHECK(daemon.get("/api/v1/jobs/1/events").body().find("ASSET_LOST") != std::string::npos);
  CHECK(daemon.stop() == 0);

  const Finished doctor = run_program({HAUL_BINARY, "doctor", "--data", data.string(), "--json"});
  CHECK(doctor.out.find("1 files of books, all there") != std::string::npos);
  std::filesystem::remove(folder.path() / "books/emma.epub");
  std::ofstream{folder.path() / "books/other"} << "x";
  const Finished again = run_program({HAUL_BINARY, "doctor", "--data", data.string(), "--json"});
  CHECK(again.code == 1);
  CHECK(again.out.find("1 of 1 files of books are gone: emma") != std::string::npos);
}

TEST_CASE("books over the command line: added, listed, shown, as text and as JSON") {
  const TempFolder folder;
  const std::filesystem::path data = folder.path() / "data";
  shelve(data, "dune", folder.path() / "books/dune.epub");
  const Daemon daemon{data};
  const auto haul = [&](std::vector<std::string> words) {
    std::vector<std::string> command = {HAUL_BINARY, "book"};
    command.insert(command.end(), words.begin(), words.end());
    command.insert(command.end(), {"--data", data.string(), "--url",
                                   "http://127.0.0.1:" + std::to_string(daemon.port())});
    return run_program(command);
  };

  CHECK(haul({"add", "isbn 1", "--title", "Emma"}).out ==
        "Book isbn 1 (Emma) is new, in the archive\n");
  CHECK(haul({"add", "a/b"}).code == 1);
  const Finished list = haul({"ls"});
  CHECK(list.out.find("dune") < list.out.find("Emma"));
  CHECK(haul({"ls", "--shelf", "library"}).out.find("Emma") == std::string::npos);
  CHECK(haul({"ls", "--shelf", "attic"}).code == 2);
  CHECK(haul({"show", "dune"}).out.find("dune.epub") != std::string::npos);
  CHECK(member_of(haul({"show", "dune", "--json"}).out, "shelf") == "library");
  CHECK(haul({"show", "none"}).code == 1);
  CHECK(haul({}).out == list.out);
}
