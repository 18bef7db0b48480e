// Checkpoints: written, read again, and empty if they cannot be read.

#include "io/file/checkpoint.h"

#include <doctest/doctest.h>

#include <limits>

namespace haul::io {
namespace {

Checkpoint whole() {
  return {.name = "film.mp4",
          .part = "film.mp4.haul-a1b2c3d4e5f6-3-14-1.part",
          .inode = std::numeric_limits<std::uint64_t>::max(),
          .size = 1'000'000,
          .boot = "d2a0f6b1",
          .target = "Some \"one\"/film (2).mp4"};
}

}  // namespace

TEST_CASE("S2-27: a checkpoint is read as it was written, whatever is known of the file") {
  Checkpoint empty_file = whole();
  empty_file.size = 0;
  Checkpoint unknown_size = whole();
  unknown_size.size.reset();
  for (const Checkpoint& kept : {Checkpoint{}, whole(), empty_file, unknown_size})
    CHECK((Checkpoint::from_json(kept.to_json()) == kept));
}

TEST_CASE("a checkpoint has no empty members, and one name if the wanted one was free") {
  CHECK(Checkpoint{}.to_json() == R"({"inode":0})");
  const Checkpoint kept{.name = "a.jpg", .inode = 7, .size = 20, .target = "a.jpg"};
  CHECK(kept.to_json() == R"({"inode":7,"size":20,"target":"a.jpg"})");
  CHECK((Checkpoint::from_json(kept.to_json()) == kept));
}

TEST_CASE("a text that is no checkpoint gives an empty one, and members of others are skipped") {
  for (const char* text : {"", "{}", "[]", "null", "{\"inode\":", R"({"size":null,"part":null})"})
    CHECK_MESSAGE((Checkpoint::from_json(text) == Checkpoint{}), text);
  CHECK((Checkpoint::from_json(R"({"part":"p","here":"0-5","inode":3})") ==
         Checkpoint{.part = "p", .inode = 3}));
}

}  // namespace haul::io
