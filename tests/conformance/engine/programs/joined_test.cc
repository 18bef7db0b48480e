// Every engine of this folder has joined the suite of item engines. Only the slow tests build it.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "conformance/engine/item_engine.h"
#include "engine/child/program.h"

namespace haul::conformance {

TEST_CASE("conformance: every engine that starts programs has joined the suite") {
  int engines = 0;
  for (const auto& entry : std::filesystem::directory_iterator{
           std::string{HAUL_SOURCE_DIR} + "/tests/conformance/engine/programs"}) {
    const std::string name = entry.path().stem().string();
    if (name == "joined_test") continue;
    CHECK_MESSAGE(has_joined<ItemBench>(name), name);
    ++engines;
  }
  CHECK(engines > 0);
}

TEST_CASE("conformance: the engine of programs has joined once for each program") {
  for (const child::Program* program : {&child::yt_dlp(), &child::gallery_dl()})
    CHECK_MESSAGE(has_joined<ItemBench>("child " + std::string{program->name()}), program->name());
}

}  // namespace haul::conformance
