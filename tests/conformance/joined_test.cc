// Every adapter of the tree has joined the conformance suite of its seam.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
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

bool is_fake_joined(const std::string& name) {
  const std::string joined_as = "simulated " + name;
  return has_joined<ItemBench>(joined_as) || has_joined<RemoteBench>(joined_as) ||
         has_joined<SinkBench>(joined_as);
}

// The simulator's fakes that cannot join, and why.
const std::map<std::string, std::string> kFakesNotJoined = {
    {"disk",
     "It keeps no reads, because the flow never looks at one: a look reports nothing, and a stop "
     "does not hold back the Moving of its start."},
    {"images",
     "It reports how a call ends by itself and again for each look, also for a call that it does "
     "not know, and a stop before the handle is known ends no call. The oracles `effects` and "
     "`credits` check its calls instead."},
};

// The folders of src/sink that have no sink, and what they have instead.
const std::map<std::string, std::string> kNoSinks = {
    {"jellyfin", "A MediaServer, which the library asks."},
    {"plex", "A MediaServer, which the library asks."},
    {"server", "What the media servers share."},
};

bool is_sink_joined(const std::string& name) {
  return has_joined<SinkBench>(name) != kNoSinks.contains(name);
}

// The names of the fakes, from the functions that make them.
std::vector<std::string> fakes_of_simulator() {
  static const std::regex makes{
      R"re(^std::unique_ptr<(?:ItemEngine|RemoteEngine|Sink)> make_(\w+)\()re"};
  std::ifstream header{kRoot / "src/sim/fakes.h"};
  std::vector<std::string> names;
  for (std::string line; std::getline(header, line);)
    if (std::smatch m; std::regex_search(line, m, makes)) names.push_back(m[1]);
  return names;
}

}  // namespace

TEST_CASE("conformance: every fake of the simulator has joined a suite, or a reason is given") {
  const std::vector<std::string> fakes = fakes_of_simulator();

  CHECK(fakes.size() == 7);
  for (const std::string& fake : fakes)
    CHECK_MESSAGE(is_fake_joined(fake) != kFakesNotJoined.contains(fake), fake);
  for (const auto& each : kFakesNotJoined)
    CHECK_MESSAGE(std::ranges::find(fakes, each.first) != fakes.end(), each.first);
}

TEST_CASE("conformance: every engine has joined a suite") {
  CHECK(not_joined("engine", is_engine_joined) == std::vector<std::string>{});
}

TEST_CASE("conformance: every sink has joined the suite, and nothing else is in its folder") {
  CHECK(not_joined("sink", is_sink_joined) == std::vector<std::string>{});
}

TEST_CASE("conformance: an adapter joins under its folder's name, and more words may follow it") {
  CHECK(has_joined<RemoteBench>("qbittorrent"));
  CHECK(has_joined<ItemBench>("http"));
  CHECK_FALSE(has_joined<ItemBench>("htt"));
  CHECK_FALSE(has_joined<ItemBench>("qbittorrent"));
}

}  // namespace haul::conformance
