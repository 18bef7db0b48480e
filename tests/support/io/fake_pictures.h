#pragma once
// Checks pictures as the test says, without the helper program.

#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <vector>

#include "io/process/picture.h"

namespace haul::testing {

class FakePictures final : public io::Pictures {
 public:
  io::PictureFacts facts{.type = "png", .width = 16, .height = 12};
  std::optional<Fault> fault;
  std::vector<std::filesystem::path> checked;

  Result<void> check_ready() const override {
    if (fault && fault->code == "program_missing") return std::unexpected{*fault};
    return {};
  }
  void check(std::filesystem::path staged, std::filesystem::path thumbnail,
             std::function<void(Result<io::PictureFacts>)> done) override {
    checked.push_back(staged);
    if (fault) return done(std::unexpected{*fault});
    std::ofstream{thumbnail} << "a thumbnail";
    done(facts);
  }
};

}  // namespace haul::testing
