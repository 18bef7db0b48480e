// What it costs to prove one file in a Plex with many others. A new server of haul's asks each
// time, so that it does not know Plex's libraries yet.

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "base/clock.h"
#include "import/cases.h"
#include "import/shelf.h"
#include "io/web/http.h"
#include "measure.h"
#include "sink/plex/plex.h"
#include "support/server/fake_on_port.h"
#include "support/server/fake_plex.h"

namespace haul::bench {
namespace {

// A file that Plex has, and how haul asks for it.
struct Proof {
  const char* what;
  const char* request;
  testing::FakePlexFile listed;  // Its path is below the library's folder.
};

const std::vector<Proof> kProofs = {
    {"a film",
     R"({"kind":"movie","title":"A Film","year":2020})",
     {.section = "1", .title = "A Film", .file = "A Film (2020)/film.mkv", .size = 7}},
    {"a film that Plex took for another",
     R"({"kind":"movie","title":"A Film","year":2020})",
     {.section = "1", .title = "Another", .file = "A Film (2020)/film.mkv", .size = 7}},
    {"an episode of 200",
     R"({"kind":"series","title":"Show","season":4})",
     {.section = "2",
      .title = "E",
      .file = "Show/Season 04/e25.mkv",
      .size = 25,
      .show = "Show",
      .season = 4,
      .episode = 25}},
};

struct ProofCost {
  std::size_t requests = 0;
  std::size_t bytes = 0;
  double wall_ms = 0;
};

class LargePlex {
 public:
  explicit LargePlex(std::size_t files) {
    plex_.sections = {{.key = "1", .type = "movie", .locations = {"/data/movies"}},
                      {.key = "2", .type = "show", .locations = {"/data/series"}}};
    plex_.fill("1", files / 2);
    plex_.fill("2", files - files / 2);
    for (int season = 1; season <= 8; ++season)
      for (int episode = 1; episode <= 25; ++episode)
        plex_.add({.section = "2",
                   .title = "E",
                   .file = fmt::format("/data/series/Show/Season {:02}/e{}.mkv", season, episode),
                   .size = episode,
                   .show = "Show",
                   .season = season,
                   .episode = episode});
  }

  ProofCost prove(const Proof& proof) {
    const bool is_film = proof.listed.section == "1";
    const std::string file = (is_film ? "movies/" : "series/") + proof.listed.file;
    if (is_film) {
      testing::FakePlexFile listed = proof.listed;
      listed.file = "/data/" + file;
      port_.with([&] { plex_.add(listed); });
    }
    const auto loop = io::make_http_loop(system_clock());
    const auto server = plex::make_plex_server(
        *loop, system_clock(),
        {.url = port_.url(),
         .token = plex_.token,
         .paths = PathMap::parse(std::vector<std::string>{"/data=/srv"}).value()});
    ImportShelf shelf{library::ImportBy::copy, server.get()};
    Parcel parcel = shelf.parcel(proof.request, {});
    parcel.placed = {{"/srv/" + file, proof.listed.size}};
    port_.with([&] {
      plex_.log.clear();
      plex_.bytes = 0;
    });
    OneAnswer answer;
    What found;
    ProofCost cost;
    cost.wall_ms = 1e3 * timed([&] {
                           shelf.sink().verify(parcel, answer);
                           found = answer.wait();
                         }).wall_s;
    const auto* indexed = std::get_if<Indexed>(&found);
    if (!indexed || indexed->files.size() != 1)
      throw std::runtime_error{std::string{"Plex does not list "} + proof.what};
    port_.with([&] {
      cost.requests = plex_.log.size();
      cost.bytes = plex_.bytes;
    });
    return cost;
  }

 private:
  testing::FakePlex plex_;
  testing::FakeOnPort port_{[this](const io::HttpRequest& sent) { return plex_.answer(sent); }};
};

}  // namespace

void proofs(const ImportSizes& sizes) {
  fmt::print("\n| proven in a Plex with {} files | requests | KiB | ms | wanted |\n",
             sizes.indexed);
  fmt::print("|---|---|---|---|---|\n");
  for (const Proof& proof : kProofs) {
    LargePlex plex{sizes.indexed};
    const ProofCost cost = plex.prove(proof);
    fmt::print("| {} | {} | {} | {:.0f} | ≤ 3, ≤ 1024 |\n", proof.what, cost.requests,
               (cost.bytes + 1'023) / 1'024, cost.wall_ms);
  }
}

}  // namespace haul::bench
