// Rules of document 001 that no other file tests by their number.

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "lifecycle/tables.h"
#include "support/flow/script.h"
#include "support/io/clean_bench.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

}  // namespace

TEST_CASE("A1-1: a user's retry leads out of failed, and nothing leads out of cleaned") {
  std::set<std::string_view> ends;
  for (const State& state : kMedia.states)
    if (!state.is_open()) ends.insert(state.name);
  CHECK(ends == std::set<std::string_view>{"cleaned", "failed"});

  int exits = 0;
  for (const Move& move : kMedia.moves) {
    CHECK_FALSE(move.from.contains("cleaned"));
    if (!move.from.contains("failed")) continue;
    ++exits;
    CHECK((move.on == On::retry));
    CHECK((move.by == By::user));
    CHECK(move.to == "queued");
  }
  CHECK(exits == 1);
}

TEST_CASE("A1-6: a film that its client queues again stays downloading, and says why it waits") {
  Stage s;
  const JobId id = s.add(kMedia);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", Moving{.have = 1});
  REQUIRE(s.state(id) == "downloading");

  s.after(15s);
  s.reply("client.look", Waiting{.detail = "queued in the client", .code = "queued_in_client"});

  CHECK(s.state(id) == "downloading");
  CHECK(s.trail(id) == "queued > downloading");
  CHECK(s.job(id).reason == "queued_in_client");
}

TEST_CASE("S1-9: the sources go with their folder, and what is not below the download root stays") {
  CleanBench c;
  c.add("Film/film.mkv", "the film");
  c.add_source("Film/film.nfo", "about");
  c.sources.push_back(c.sources.front());
  c.sources.back().path = "../movies/Film/film.mkv";

  CHECK(c.outcome() == "kept_unsafe");

  CHECK(c.outcomes() ==
        "../movies/Film/film.mkv=kept_unsafe Film/film.mkv=deleted Film/film.nfo=deleted");
  CHECK(c.downloads().empty());
  CHECK(LibraryBench::tree(c.b.movies()) == "Film/film.mkv=the film");
}

}  // namespace haul::testing
