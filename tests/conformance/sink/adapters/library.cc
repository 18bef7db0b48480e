// The library joins the suite of sinks, with a media server that lists what is on the disk.

#include "sink/library/library.h"

#include <filesystem>

#include "conformance/sink/sink.h"
#include "support/io/folder_server.h"
#include "support/io/library_bench.h"

namespace haul::conformance {
namespace {

namespace fs = std::filesystem;
using testing::FolderServer;

// Two episodes, or a long one for whose landing the media server is told in vain.
class LibrarySinkBench final : public SinkBench {
 public:
  Sink& sink() override { return *sink_; }
  bool until(const So& so, Millis within) override {
    return turn_until(bench_.clock, sights, so, within);
  }

  Parcel parcel(Pace pace) override {
    const bool is_held = pace == Pace::held;
    server_.set(is_held ? FolderServer::Answers::never : FolderServer::Answers::at_once);
    Parcel made{.job = JobId{1},
                .fence = 1,
                .request = R"({"kind":"series","title":"Show","release_name":"Show.S01"})",
                .path = bench_.downloads().string()};
    made.sources = is_held ? held_ : quick_;
    for (const SourceFile& source : made.sources) made.size += source.size;
    return made;
  }
  std::size_t kept() const override {
    std::size_t files = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator{bench_.movies()})
      files += entry.is_regular_file() ? 1 : 0;
    return files;
  }
  bool has_source(Pace pace) const override { return has_all(pace == Pace::held ? held_ : quick_); }
  bool has_no_source() const override {
    for (const SourceFile& source : quick_)
      if (fs::exists(bench_.downloads() / source.path)) return false;
    return true;
  }
  void lose_source() override { fs::remove_all(bench_.downloads() / "Show.S01"); }
  void lose_copy() override { fs::remove(copy()); }
  void shorten_copy() override { fs::resize_file(copy(), 3); }
  void add_stranger() override { testing::LibraryBench::write(stranger(), "of a user"); }
  bool has_stranger() const override { return fs::exists(stranger()); }

 private:
  static constexpr std::size_t kLong = std::size_t{3} << 20U;

  bool has_all(const std::vector<SourceFile>& sources) const {
    for (const SourceFile& source : sources)
      if (!fs::exists(bench_.downloads() / source.path) || bench_.listed(source.path) != source)
        return false;
    return true;
  }
  fs::path stranger() const { return bench_.downloads() / "Show.S01/notes.txt"; }
  // The first file of the quick parcel in the library.
  fs::path copy() const { return bench_.movies() / "Show/Season 01/Show - S01E01.mkv"; }
  library::LibrarySettings settings() const {
    library::LibrarySettings made{.store = testing::kTestStore,
                                  .methods = {library::ImportBy::copy}};
    made.roots.series.path = bench_.movies();
    made.download_roots = {bench_.downloads()};
    return made;
  }

  testing::LibraryBench bench_;
  const std::vector<SourceFile> quick_ = {
      bench_.download("Show.S01/Show.S01E01.mkv", "the first episode"),
      bench_.download("Show.S01/Show.S01E02.mkv", "the second one")};
  const std::vector<SourceFile> held_ = {
      bench_.download("Show.S01E05.mkv", std::string(kLong, 'x'))};
  FolderServer server_;
  std::unique_ptr<Sink> sink_ =
      library::make_library(settings(), bench_.space, bench_.clock, &server_);
};

const Joins<SinkBench> kJoins{"library", [] { return std::make_unique<LibrarySinkBench>(); }};

}  // namespace
}  // namespace haul::conformance
