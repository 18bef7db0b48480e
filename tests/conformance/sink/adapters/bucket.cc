// The folder and the S3 bucket join the suite of sinks.

#include "sink/bucket/bucket.h"

#include <filesystem>

#include "conformance/sink/sink.h"
#include "support/io/staged_picture.h"
#include "support/io/temp_folder.h"
#include "support/server/fake_on_port.h"
#include "support/server/fake_s3.h"

namespace haul::conformance {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNotAsked = "The flow never asks it.";
constexpr const char* kMoments = "An image lands in moments.";

class BucketBench : public SinkBench {
 public:
  bool until(const So& so, Millis within) override {
    return turn_until(clock_, sights, so, within);
  }
  Parcel parcel(Pace pace) override {
    return (pace == Pace::held ? large_ : small_).parcel(JobId{1});
  }
  bool has_source(Pace pace) const override {
    const testing::StagedPicture& staged = pace == Pace::held ? large_ : small_;
    return fs::exists(staged.path()) &&
           static_cast<std::size_t>(fs::file_size(staged.path())) == staged.bytes.size();
  }
  bool has_no_source() const override { return !fs::exists(small_.path()); }
  void lose_source() override { fs::remove(small_.path()); }
  std::string exempt(SinkRule rule) const override {
    if (rule == SinkRule::cleans || rule == SinkRule::verifies) return kNotAsked;
    return rule == SinkRule::tells_progress ? kMoments : "";
  }

 protected:
  testing::StagedPicture small_;
  testing::StagedPicture large_{std::string(std::size_t{512} << 10U, 'x')};
  testing::TurnedClock clock_;
};

class FolderBucketBench final : public BucketBench {
 public:
  Sink& sink() override { return *sink_; }
  std::size_t kept() const override {
    std::size_t files = 0;
    const fs::path originals = folder_ / "bucket/originals";
    if (!fs::exists(originals)) return 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator{originals})
      files += entry.is_regular_file() ? 1 : 0;
    return files;
  }

 private:
  testing::TempFolder folder_;
  io::DiskSpace space_{io::KeepFree{0}};
  std::unique_ptr<Sink> sink_ = bucket::make_folder_bucket(
      {.root = folder_ / "bucket", .store = testing::StagedPicture::kStore}, space_, clock_);
};

// Held: the server takes the image and never answers.
class S3BucketBench final : public BucketBench {
 public:
  S3BucketBench() {
    server_.now = clock_.now();
    sink_ = bucket::make_s3_bucket({.store = testing::StagedPicture::kStore,
                                    .endpoint = port_.url(),
                                    .bucket = testing::FakeS3::kBucket,
                                    .region = server_.keys.region,
                                    .access_key = server_.keys.access_key,
                                    .secret_key = server_.keys.secret_key},
                                   *loop_, clock_);
  }
  Sink& sink() override { return *sink_; }
  Parcel parcel(Pace pace) override {
    port_.with([&] {
      server_.mood.is =
          pace == Pace::held ? testing::FakeMood::Is::silent : testing::FakeMood::Is::well;
    });
    return BucketBench::parcel(pace);
  }
  std::size_t kept() const override {
    std::size_t originals = 0;
    port_.with([&] {
      for (const auto& [key, object] : server_.objects)
        originals += key.starts_with("originals/") ? 1 : 0;
    });
    return originals;
  }

 private:
  testing::FakeS3 server_;
  mutable testing::FakeOnPort port_{
      [this](const io::HttpRequest& sent) { return server_.answer(sent); }};
  std::unique_ptr<io::HttpLoop> loop_ = io::make_http_loop(clock_);
  std::unique_ptr<Sink> sink_;
};

const Joins<SinkBench> kJoinsFolder{"bucket folder",
                                    [] { return std::make_unique<FolderBucketBench>(); }};
const Joins<SinkBench> kJoinsS3{"bucket s3", [] { return std::make_unique<S3BucketBench>(); }};

}  // namespace
}  // namespace haul::conformance
