// The example of a sink joins the suite of sinks.

#include <filesystem>
#include <fstream>

#include "conformance/sink/sink.h"
#include "example/folder_sink.h"
#include "support/io/temp_folder.h"

namespace haul::conformance {
namespace {

namespace fs = std::filesystem;

class FolderBench final : public SinkBench {
 public:
  FolderBench() {
    fs::create_directory(sources_ / "quick");
    std::ofstream{sources_ / "quick" / "a.bin"} << std::string(kSmall, 'a');
    std::ofstream{sources_ / "quick" / "b.bin"} << std::string(kSmall, 'b');
    std::ofstream{sources_ / "held.bin"} << std::string(3 * kChunk, 'x');
  }

  Sink& sink() override { return *sink_; }
  bool until(const So& so, Millis within) override {
    return turn_until(clock_, sights, so, within);
  }

  Parcel parcel(Pace pace) override {
    const bool is_held = pace == Pace::held;
    return {.job = JobId{1},
            .fence = 1,
            .request = "{}",
            .path = (sources_ / (is_held ? "held.bin" : "quick")).string(),
            .size = is_held ? 3 * kChunk : 2 * kSmall};
  }
  std::size_t kept() const override {
    std::size_t files = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator{library_.path()})
      files += entry.is_regular_file() ? 1 : 0;
    return files;
  }
  bool has_source(Pace pace) const override {
    if (pace == Pace::quick) return has("a.bin") && has("b.bin");
    std::error_code error;
    return static_cast<std::int64_t>(fs::file_size(sources_ / "held.bin", error)) == 3 * kChunk;
  }
  bool has_no_source() const override { return !has("a.bin") && !has("b.bin"); }
  void lose_source() override { fs::remove_all(sources_ / "quick"); }
  void lose_copy() override { fs::remove(copy()); }
  void shorten_copy() override { fs::resize_file(copy(), kSmall - 1); }
  void add_stranger() override { std::ofstream{sources_ / "quick" / "c.bin"} << "of a user"; }
  bool has_stranger() const override { return has("c.bin"); }

 private:
  static constexpr std::int64_t kSmall = 10;
  static constexpr std::int64_t kChunk = 100 * 1'024;
  static constexpr Millis kDay = std::chrono::hours{24};

  bool has(const char* name) const { return fs::exists(sources_ / "quick" / name); }
  // The first file of job 1 in the library.
  fs::path copy() const { return library_ / "a1b2c3d4e5f6-1" / "a.bin"; }

  testing::TempFolder sources_;
  testing::TempFolder library_;
  testing::TurnedClock clock_;
  std::unique_ptr<io::PollLoop> loop_ = io::make_poll_loop(clock_);
  std::unique_ptr<io::Lander> lander_ = io::make_lander(io::Durability::off);
  // After its first chunk, a file waits for a whole day.
  std::unique_ptr<Sink> sink_ = example::make_folder_sink(
      *loop_, *lander_,
      {.library = library_.path(), .store = "a1b2c3d4e5f6", .chunk = kChunk, .pause = kDay});
};

const Joins<SinkBench> kJoins{"folder", [] { return std::make_unique<FolderBench>(); }};

}  // namespace
}  // namespace haul::conformance
