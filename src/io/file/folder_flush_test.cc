// The name of a new folder is flushed with what is in it. tests/get/flush_test.cc shows the system
// calls.

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <future>
#include <string>

#include "io/file/folder.h"
#include "io/file/lander.h"
#include "support/run/skip.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;
using enum io::Folder::Missing;

// A folder in memory: its file system has no journal that would do the work of a flush.
class MemoryFolder {
 public:
  MemoryFolder() {
    std::string name = "/dev/shm/haul-test-XXXXXX";
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~MemoryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  MemoryFolder(const MemoryFolder&) = delete;
  MemoryFolder& operator=(const MemoryFolder&) = delete;

  bool is_there() const {
    if (path_.empty()) skip("there is no /dev/shm");
    return !path_.empty();
  }
  io::Folder open() const { return io::Folder::open(path_, fault).value(); }

 private:
  fs::path path_;
};

std::shared_ptr<const io::Folder> shared(io::Folder folder) {
  return std::make_shared<const io::Folder>(std::move(folder));
}

}  // namespace

TEST_CASE("a flush covers the name of a folder that haul has just made, and of no older one") {
  const MemoryFolder memory;
  if (!memory.is_there()) return;
  const io::Folder root = memory.open();

  const io::Folder made = root.open_inside("new", create).value();
  const io::Folder again = root.open_inside("new", create).value();
  CHECK(root.unflushed_above() == 0);
  CHECK(made.unflushed_above() == 1);
  CHECK(again.unflushed_above() == 0);

  REQUIRE(made.flush());
  CHECK(made.unflushed_above() == 0);
}

TEST_CASE("a flush covers the names of all new folders above, and flushes each once for all") {
  const MemoryFolder memory;
  if (!memory.is_there()) return;
  const io::Folder one = memory.open().open_inside("one", create).value();
  const io::Folder two = one.open_inside("two", create).value();
  const io::Folder three = two.open_inside("three", create).value();
  const io::Folder known = one.open_inside("two", create).value();
  CHECK(three.unflushed_above() == 3);
  CHECK(known.unflushed_above() == 1);

  REQUIRE(three.flush());

  CHECK(three.unflushed_above() == 0);
  CHECK(two.unflushed_above() == 0);
  CHECK(known.unflushed_above() == 0);
}

TEST_CASE("the first file that lands in a new folder brings the folder's own name to the disk") {
  const MemoryFolder memory;
  if (!memory.is_there()) return;
  for (const io::Durability durability : {io::Durability::each, io::Durability::batch}) {
    const auto root = shared(memory.open());
    const std::string name = durability == io::Durability::each ? "each" : "batch";
    const auto made = shared(root->open_inside(name, create).value());
    REQUIRE(made->unflushed_above() == 1);
    std::promise<bool> landed;
    const auto lander = io::make_lander(durability);

    lander->land({.folder = made,
                  .file = std::make_shared<const io::File>(root->create(name + ".part").value()),
                  .part = name + ".part",
                  .target = "a",
                  .from = root},
                 [&](const Result<void>& result) { landed.set_value(result.has_value()); });

    CHECK(landed.get_future().get());
    CHECK(made->unflushed_above() == 0);
  }
}

}  // namespace haul::testing
