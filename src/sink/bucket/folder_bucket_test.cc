#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <string>
#include <vector>

#include "base/clock.h"
#include "sink/bucket/bucket.h"
#include "support/io/staged_picture.h"
#include "support/io/temp_folder.h"

namespace haul::bucket {
namespace {

namespace fs = std::filesystem;

class OneAnswer final : public Inbox {
 public:
  void push(Sight sight) override { answer_.set_value(std::move(sight.what)); }
  What take() { return answer_.get_future().get(); }

 private:
  std::promise<What> answer_;
};

What land(Sink& sink, const testing::StagedPicture& staged) {
  OneAnswer inbox;
  sink.land(staged.parcel(), inbox);
  return inbox.take();
}

}  // namespace

TEST_CASE("a broken folder bucket is told to the operator with its path, and to owners without") {
  const testing::TempFolder folder;
  const testing::StagedPicture staged;
  std::ofstream{folder / "bucket"} << "a file in the folder's place";
  std::vector<std::string> troubles;
  io::DiskSpace space{io::KeepFree{0}};
  const auto sink = make_folder_bucket(
      {.root = folder / "bucket",
       .on_trouble =
           [&](const Fault* fault) { troubles.push_back(fault ? fault->detail : "well"); }},
      space, system_clock());

  for (int i = 0; i < 2; ++i) {
    const What what = land(*sink, staged);
    REQUIRE(std::holds_alternative<Failed>(what));
    CHECK((std::get<Failed>(what).fault.kind == FaultKind::environment));
    CHECK(std::get<Failed>(what).fault.detail.find('/') == std::string::npos);
  }
  fs::remove(folder / "bucket");
  CHECK(std::holds_alternative<Landed>(land(*sink, staged)));
  REQUIRE(troubles.size() == 2);
  CHECK(troubles[0].find("bucket") != std::string::npos);
  CHECK(troubles[1] == "well");
}

}  // namespace haul::bucket
