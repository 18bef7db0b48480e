// One film by copy, hash included, beside cp and sync. Every run ends when the copy is flushed.

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>
#include <vector>

#include "import/cases.h"
#include "import/shelf.h"
#include "io/file/folder.h"
#include "measure.h"
#include "support/process/process.h"

namespace haul::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFilm = "A.Film.2020.1080p.WEB-DL.x264-GRP.mkv";
constexpr const char* kRequest =
    R"({"kind":"movie","title":"A Film","year":2020,"release_name":"A.Film.2020.1080p.WEB-DL"})";
constexpr std::size_t kSpare = std::size_t{512} << 20U;
constexpr std::size_t kBlock = std::size_t{1} << 20U;

void run(const std::vector<std::string>& command) {
  const testing::Finished finished = testing::run_program(command);
  if (finished.code != 0) throw std::runtime_error{command.front() + ": " + finished.err};
}

class FilmCopies {
 public:
  explicit FilmCopies(std::int64_t bytes) : bytes_{bytes} { shelf_.download(kFilm, bytes); }

  double by_haul() {
    settle();
    const Parcel parcel = shelf_.parcel(kRequest, {kFilm});
    OneAnswer answer;
    Landed landed;
    const Spent spent = timed([&] {
      shelf_.sink().land(parcel, answer);
      landed = std::get<Landed>(answer.wait());
    });
    if (landed.files.size() != 1 || landed.files[0].size != bytes_ ||
        landed.evidence.find("sha256") == std::string::npos)
      throw std::runtime_error{"the film was not imported: " + landed.evidence};
    fs::remove_all(fs::path{landed.files[0].path}.parent_path());
    return spent.wall_s * 1e3;
  }

  double by_cp() {
    settle();
    const std::string from = (shelf_.downloads() / kFilm).string();
    const std::string to = (shelf_.movies() / "copy.mkv").string();
    const Spent spent = timed([&] {
      run({"cp", "--reflink=never", from, to});
      run({"sync", to});
    });
    fs::remove(to);
    return spent.wall_s * 1e3;
  }

 private:
  // The next run is not to pay for the last one, and both find the film in memory.
  void settle() const {
    ::sync();
    // A virtual machine may have given free memory back to its host.
    const std::size_t needs = static_cast<std::size_t>(bytes_) + kSpare;
    void* const memory = ::mmap(nullptr, needs, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory != MAP_FAILED) ::munmap(memory, needs);
    const io::File film{
        io::Descriptor{::open((shelf_.downloads() / kFilm).c_str(), O_RDONLY | O_CLOEXEC)}};
    std::vector<std::byte> block(kBlock);
    for (std::int64_t at = 0; at < bytes_; at += static_cast<std::int64_t>(kBlock))
      if (!film.read_at(block, at)) throw std::runtime_error{"cannot read the film"};
  }

  const std::int64_t bytes_;
  ImportShelf shelf_{library::ImportBy::copy};
};

}  // namespace

void copies(const ImportSizes& sizes) {
  FilmCopies films{sizes.film_bytes};
  Pair pair;
  for (int round = 0; round < sizes.rounds; ++round) {  // Who is first changes from round to round.
    if (round % 2 == 0) pair.ours.push_back(films.by_haul());
    pair.theirs.push_back(films.by_cp());
    if (round % 2 == 1) pair.ours.push_back(films.by_haul());
  }
  fmt::print(
      "| one film by copy, ms | haul, with its hash | cp and sync | ratio [min–max] | wanted |\n");
  fmt::print("|---|---|---|---|---|\n");
  print_row(fmt::format("{} MiB, {} rounds", sizes.film_bytes >> 20U, sizes.rounds), pair,
            "≤ 1.15");
}

}  // namespace haul::bench
