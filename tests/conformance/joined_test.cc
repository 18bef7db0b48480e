// Every adapter of the tree has joined the conformance suite of its seam.

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "conformance/engine/item_engine.h"
#include "conformance/engine/remote_engine.h"
#include "conformance/sink/sink.h"

namespace haul::conformance {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot{HAUL_SOURCE_DIR};

// The folders of src/<module> whose adapters have not joined.
std::vector<std::string> not_joined(const std::string& module,
                                    const std::function<bool(const std::string&)>& is_joined) {
  std::vector<std::string> missing;
  if (!fs::exists(kRoot / "src" / module)) return missing;
  for (const fs::directory_entry& entry : fs::directory_iterator{kRoot / "src" / module}) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() && !is_joined(name)) missing.push_back(name);
  }
  return missing;
}

// An engine that starts other programs joins in the slow tests; programs/joined_test.cc checks it.
bool is_engine_joined(const std::string& name) {
  return has_joined<ItemBench>(name) || has_joined<RemoteBench>(name) ||
         fs::exists(kRoot / "tests/conformance/engine/programs" / (name + ".cc"));
}

}  // namespace

TEST_CASE("conformance: every engine has joined a suite") {
  CHECK(not_joined("engine", is_engine_joined) == std::vector<std::string>{});
}

TEST_CASE("conformance: every sink has joined the suite") {
  CHECK(not_joined("sink", has_joined<SinkBench>) == std::vector<std::string>{});
}

TEST_CASE("conformance: an adapter joins under its folder's name, and more words may follow it") {
  CHECK(has_joined<RemoteBench>("qbittorrent"));
  CHECK(has_joined<ItemBench>("http"));
  CHECK_FALSE(has_joined<ItemBench>("htt"));
  CHECK_FALSE(has_joined<ItemBench>("qbittorrent"));
}

}  // namespace haul::conformance
