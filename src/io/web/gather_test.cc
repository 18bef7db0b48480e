// How pieces of a body are joined.

#include <doctest/doctest.h>

#include <string>

#include "io/web/body_buffer.h"

using namespace haul;

namespace {

struct Owner {
  std::string name;
  std::string got;
};

std::span<const std::byte> bytes(const std::string& text) { return std::as_bytes(std::span{text}); }

void empty(io::BodyBuffer<Owner>& gather) {
  gather.hand_over([](Owner& owner, std::span<const std::byte> all) {
    owner.got += "[" + std::string{reinterpret_cast<const char*>(all.data()), all.size()} + "]";
  });
}

}  // namespace

TEST_CASE("pieces of one owner are handed over as one") {
  io::BodyBuffer<Owner> gather{8};
  Owner owner;
  CHECK(gather.add(owner, bytes("abc")));
  CHECK(gather.add(owner, bytes("defgh")));  // Exactly full.
  CHECK_FALSE(gather.add(owner, bytes("i")));
  empty(gather);
  CHECK(gather.add(owner, bytes("i")));
  empty(gather);
  empty(gather);  // Nothing is held any more.
  CHECK(owner.got == "[abcdefgh][i]");
}

TEST_CASE("pieces of two owners are never mixed") {
  io::BodyBuffer<Owner> gather{8};
  Owner one;
  Owner other;
  CHECK(gather.add(one, bytes("a")));
  CHECK_FALSE(gather.add(other, bytes("b")));
  empty(gather);
  CHECK(gather.add(other, bytes("b")));
  empty(gather);
  CHECK(one.got == "[a]");
  CHECK(other.got == "[b]");
}

TEST_CASE("a piece larger than the room still passes, alone") {
  io::BodyBuffer<Owner> gather{2};
  Owner owner;
  CHECK(gather.add(owner, bytes("abcdef")));
  empty(gather);
  CHECK(owner.got == "[abcdef]");
}
