#include "engine/child/leftovers.h"

#include <doctest/doctest.h>

#include <fstream>
#include <set>

#include "engine/child/staging.h"
#include "support/io/temp_folder.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

TEST_CASE("promise 15: parts and programs' folders of a job are found by their names alone") {
  const TempFolder temp;
  const std::string store = "a1b2c3d4e5f6";
  const auto part = [&](const std::string& of, std::int64_t job, std::int64_t fence) {
    return io::part_name("a.bin", {of, JobId{job}, 1, fence});
  };
  const std::string staging = child::staging_name({store, JobId{3}, 0, 1}, 7);
  for (const std::string& name : {part(store, 3, 1), part(store, 3, 2), part(store, 4, 1),
                                  part("ffffffffffff", 3, 1), std::string{"a.bin"}})
    std::ofstream{temp / name} << "x";
  fs::create_directories(temp / staging / "work");

  child::remove_leftovers(
      *io::Folder::open(temp.path(), io::Folder::Missing::fault),
      [&](const io::PartOwner& owner) { return owner.store == store && owner.job == JobId{3}; });

  std::set<std::string> left;
  for (const auto& entry : fs::directory_iterator{temp.path()})
    left.insert(entry.path().filename());
  CHECK((left == std::set{part(store, 4, 1), part("ffffffffffff", 3, 1), std::string{"a.bin"}}));
}
