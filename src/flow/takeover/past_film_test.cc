#include "flow/takeover/past_film.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

using namespace std::chrono_literals;

constexpr Time kNow = from_unix_ms(1'770'000'000'000);  // 2026-02-02T02:40:00Z

OldDownload row(const std::string& status) {
  return {.id = "7",
          .status = status,
          .title = "A Film",
          .release_name = "A.Film.2024.1080p-GRP",
          .kind = "movie",
          .added_at = "2026-01-19 10:00:00",
          .files = {{"/lib/A Film.mkv", 10}}};
}

// "queued at 10:00 > started 10:00 > fetched 11:30", or the code of the refusal.
std::string path_of(const OldDownload& old) {
  const auto film = past_film(old, kNow);
  if (!film) return film.error().code;
  const auto clock = [](Time at) { return to_iso(at).substr(11, 5); };
  std::string text = "added " + clock(film->added_at);
  for (const PastJob::Step& step : film->steps)
    text += fmt::format(" > {} {}", name(step.ask.on), clock(step.at));
  return text;
}

std::string request_of(const OldDownload& old) {
  const auto film = past_film(old, kNow);
  return film ? film->job.request : film.error().code;
}

std::string why(const OldDownload& old) {
  const auto film = past_film(old, kNow);
  return film ? "taken" : film.error().code + ": " + film.error().detail;
}

}  // namespace

TEST_CASE("S1-15, A1-10: without other times, every move was made when the row was added") {
  CHECK(path_of(row("queued")) == "added 10:00");
  CHECK(path_of(row("downloading")) == "added 10:00 > started 10:00");
  CHECK(path_of(row("completed")) == "added 10:00 > started 10:00 > fetched 10:00");
  CHECK(path_of(row("imported")) == "added 10:00 > started 10:00 > fetched 10:00 > landed 10:00");
  CHECK(path_of(row("failed")) == "added 10:00 > fail 10:00");
}

TEST_CASE("Z-17: a move was made when the row says so, and never before the one before it") {
  OldDownload old = row("imported");
  old.completed_at = "2026-01-19T11:30:00Z";
  CHECK(path_of(old) == "added 10:00 > started 10:00 > fetched 11:30 > landed 11:30");
  old.last_transition_at = "2026-01-19T12:00:00Z";
  CHECK(path_of(old) == "added 10:00 > started 10:00 > fetched 11:30 > landed 12:00");
  old.last_transition_at = "2026-01-19T11:00:00Z";
  CHECK(path_of(old) == "added 10:00 > started 10:00 > fetched 11:30 > landed 11:30");
  old.completed_at = "2026-01-19T09:00:00Z";
  old.last_transition_at.clear();
  CHECK(path_of(old) == "added 10:00 > started 10:00 > fetched 10:00 > landed 10:00");

  old = row("completed");
  old.last_transition_at = "2026-01-19T12:00:00Z";
  CHECK(path_of(old) == "added 10:00 > started 10:00 > fetched 12:00");
  old = row("failed");
  old.completed_at = "2026-01-19T11:30:00Z";
  CHECK(path_of(old) == "added 10:00 > started 10:00 > fetched 11:30 > fail 11:30");
}

TEST_CASE("Z-17: no move of the past lies in the future") {
  OldDownload old = row("downloading");
  old.last_transition_at = "2030-01-01 00:00:00";
  CHECK(path_of(old) == "added 10:00 > started 02:40");
  old.added_at = "2029-01-01 00:00:00";
  CHECK(path_of(old) == "added 02:40 > started 02:40");
}

TEST_CASE("Z-17: the moves are those of the table, by the system, with the row in the event") {
  for (const char* status : {"downloading", "completed", "imported", "failed"}) {
    const auto film = past_film(row(status), kNow);
    REQUIRE(film.has_value());
    std::string_view state = kMedia.initial().name;
    for (const PastJob::Step& step : film->steps) {
      const Move* move = kMedia.find(state, step.ask.on);
      REQUIRE(move != nullptr);
      CHECK((step.ask.by == By::system));
      CHECK((step.ask.due_at == kNow));
      CHECK(step.ask.proof.data.starts_with(R"({"kind":"import_db","row":"7")"));
      state = move->to;
    }
    CHECK(state == status);
  }
}

TEST_CASE("Z-17: an imported film brings the files that the media server must list") {
  OldDownload old = row("imported");
  old.files = {{"/lib//S01/e1.mkv", 5}, {"/lib/S01/e2.mkv", 0}};
  const auto film = past_film(old, kNow);
  REQUIRE(film.has_value());
  const Ask& landed = film->steps.back().ask;
  REQUIRE(landed.assets.size() == 2);
  CHECK(landed.assets[0].path == "/lib/S01/e1.mkv");
  CHECK(landed.assets[0].size == 5);
  CHECK((landed.proof.kind == Proof::evidence));
  CHECK(landed.proof.data ==
        R"({"kind":"import_db","row":"7","files":[{"path":"/lib/S01/e1.mkv","size":5,"source":"",)"
        R"("how":"import_db","sha256":""},{"path":"/lib/S01/e2.mkv","size":0,"source":"",)"
        R"("how":"import_db","sha256":""}]})");
}

TEST_CASE("Z-17: an imported film without a file that can be proven is left out, and says why") {
  OldDownload old = row("imported");
  old.files.clear();
  CHECK(why(old).starts_with("no_library_file: it is imported, but the database names no file"));
  old.files = {{"lib/film.mkv", 10}};
  CHECK(why(old) == "bad_path: \"lib/film.mkv\" is not a whole path");
  for (const char* path : {"", "/", "/lib/../film.mkv", "/lib/a\nb.mkv", "/lib/\xff.mkv"}) {
    old.files = {{path, 10}};
    CHECK(path_of(old) == "bad_path");
  }
  old.files = {{"/lib/film.mkv", std::nullopt}};
  CHECK(path_of(old) == "no_file_size");
  old.files = {{"/lib/film.mkv", -1}};
  CHECK(path_of(old) == "no_file_size");
  old.files.assign(kOldFilesMax, {"/lib/film.mkv", 10});
  CHECK(why(old) == "taken");
  old.files.emplace_back("/lib/film.mkv", 10);
  CHECK(path_of(old) == "too_many_files");
  old.status = "completed";  // It needs none.
  CHECK(why(old) == "taken");
}

TEST_CASE("Z-17: the request has what the row says, and leaves out what no film can have") {
  OldDownload old = row("queued");
  old.year = 2024;
  CHECK(request_of(old) ==
        R"({"kind":"movie","release_name":"A.Film.2024.1080p-GRP","title":"A Film","year":2024})");
  old.kind = "series";
  old.year = 12;  // Before there were films.
  old.season = 1;
  old.episode = 0;
  CHECK(request_of(old) == R"({"episode":0,"kind":"series","release_name":)"
                           R"("A.Film.2024.1080p-GRP","season":1,"title":"A Film"})");
  old = row("queued");
  old.kind = "podcast";
  old.title.clear();
  CHECK(request_of(old) ==
        R"({"release_name":"A.Film.2024.1080p-GRP","title":"A.Film.2024.1080p-GRP"})");
  old.release_name.clear();
  CHECK(request_of(old) == "no_title");
  old.title = "Only a title";
  CHECK(request_of(old) == R"({"release_name":"Only a title","title":"Only a title"})");
}

TEST_CASE("Z-17: a row that haul cannot read is left out, and says which value is wrong") {
  OldDownload old = row("importing");
  CHECK(why(old) ==
        "bad_status: \"importing\" is not a status that haul knows (expected queued, downloading, "
        "completed, imported or failed)");
  old = row("queued");
  old.added_at = "yesterday";
  CHECK(why(old) == "bad_time: added_at: \"yesterday\" is not a time");
  old.added_at.clear();
  CHECK(why(old) == "bad_time: added_at is empty");
  old = row("completed");
  old.completed_at = "0000-00-00";
  CHECK(path_of(old) == "bad_time");
  old = row("queued");
  old.title = "\xff";
  CHECK(path_of(old) == "bad_text");
  old.title = std::string(1'000, 'x');
  CHECK(why(old) == "taken");
  old.title += 'x';
  CHECK(why(old) != "taken");
}

TEST_CASE("Z-17: the key of a row names the row, not its status") {
  CHECK(key_of(row("queued")) == key_of(row("imported")));
  CHECK(key_of(row("queued")).size() < 256);
  OldDownload other = row("queued");
  other.id = "8";
  CHECK(key_of(other) != key_of(row("queued")));
  other = row("queued");
  other.added_at = "2026-01-19 10:00:01";  // The same number in another database.
  CHECK(key_of(other) != key_of(row("queued")));
  CHECK(is_over(row("cleaned")));
  CHECK_FALSE(is_over(row("imported")));
}

}  // namespace haul::flow
