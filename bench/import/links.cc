// Season packs by hardlink, all of them at once, as jobs that are ready at the same moment are.

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <vector>

#include "import/cases.h"
#include "import/shelf.h"
#include "measure.h"

namespace haul::bench {
namespace {

constexpr int kEpisodes = 50;
constexpr std::int64_t kEpisodeBytes = 4'096;

std::string pack_of(int season) { return fmt::format("Show.S{:02}.1080p.WEB-DL.x264-GRP", season); }

class Packs {
 public:
  explicit Packs(int count) {
    for (int season = 1; season <= count; ++season) {
      std::vector<std::string>& paths = paths_.emplace_back();
      for (int episode = 1; episode <= kEpisodes; ++episode) {
        paths.push_back(fmt::format("{}/Show.S{:02}E{:02}.1080p.WEB-DL.x264-GRP.mkv",
                                    pack_of(season), season, episode));
        shelf_.download(paths.back(), kEpisodeBytes);
      }
    }
    ::sync();
  }

  std::size_t files() const { return paths_.size() * kEpisodes; }

  double link_all() {
    std::vector<Parcel> parcels;
    for (std::size_t i = 0; i < paths_.size(); ++i)
      parcels.push_back(
          shelf_.parcel(fmt::format(R"({{"kind":"series","title":"Show","release_name":"{}"}})",
                                    pack_of(static_cast<int>(i) + 1)),
                        paths_[i]));
    std::deque<OneAnswer> answers(parcels.size());
    std::size_t landed = 0;
    const Spent spent = timed([&] {
      for (std::size_t i = 0; i < parcels.size(); ++i) shelf_.sink().land(parcels[i], answers[i]);
      for (OneAnswer& answer : answers) landed += std::get<Landed>(answer.wait()).files.size();
    });
    if (landed != files()) throw std::runtime_error{fmt::format("only {} files landed", landed)};
    std::filesystem::remove_all(shelf_.series() / "Show");
    ::sync();
    return spent.wall_s;
  }

 private:
  ImportShelf shelf_{library::ImportBy::hardlink};
  std::vector<std::vector<std::string>> paths_;  // Of each pack.
};

}  // namespace

void links(const ImportSizes& sizes) {
  Packs packs{sizes.packs};
  std::vector<double> seconds;
  for (int round = 0; round < sizes.rounds; ++round) seconds.push_back(packs.link_all());
  const auto [least, most] = std::ranges::minmax(seconds);
  fmt::print("\n| by hardlink, s | median [min–max] | wanted |\n|---|---|---|\n");
  fmt::print("| {} files in {} packs, {} rounds | {:.2f} [{:.2f}–{:.2f}] | ≤ 2 |\n", packs.files(),
             sizes.packs, sizes.rounds, median(seconds), least, most);
}

}  // namespace haul::bench
