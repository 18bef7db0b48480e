// How pieces of a body are joined.

#include "io/web/body_buffer.h"

#include <doctest/doctest.h>

#include <string>

using namespace haul;

namespace {

struct Owner {
  std::string name;
  std::string got;
};

std::span<const std::byte> bytes(const std::string& text) { return std::as_bytes(std::span{text}); }

void empty(io::BodyBuffer<Owner>& buffer) {
  buffer.hand_over([](Owner& owner, std::span<const std::byte> all) {
    owner.got += "[" + std::string{reinterpret_cast<const char*>(all.data()), all.size()} + "]";
  });
}

}  // namespace

TEST_CASE("pieces of one owner are handed over as one") {
  io::BodyBuffer<Owner> buffer{8};
  Owner owner;
  CHECK(buffer.add(owner, bytes("abc")));
  CHECK(buffer.add(owner, bytes("defgh")));  // Exactly full.
  CHECK_FALSE(buffer.add(owner, bytes("i")));
  empty(buffer);
  CHECK(buffer.add(owner, bytes("i")));
  empty(buffer);
  empty(buffer);  // Nothing is held any more.
  CHECK(owner.got == "[abcdefgh][i]");
}

TEST_CASE("S3-15: an owner gets no more bytes at once than it wants") {
  io::BodyBuffer<Owner> buffer{8};
  Owner owner;
  CHECK(buffer.add(owner, bytes("ab"), 4));
  CHECK(buffer.add(owner, bytes("cd"), 4));
  CHECK_FALSE(buffer.add(owner, bytes("e"), 4));
  empty(buffer);
  CHECK(owner.got == "[abcd]");
}

TEST_CASE("pieces of two owners are never mixed") {
  io::BodyBuffer<Owner> buffer{8};
  Owner one;
  Owner other;
  CHECK(buffer.add(one, bytes("a")));
  CHECK_FALSE(buffer.add(other, bytes("b")));
  empty(buffer);
  CHECK(buffer.add(other, bytes("b")));
  empty(buffer);
  CHECK(one.got == "[a]");
  CHECK(other.got == "[b]");
}

TEST_CASE("a piece larger than the room still passes, alone") {
  io::BodyBuffer<Owner> buffer{2};
  Owner owner;
  CHECK(buffer.add(owner, bytes("abcdef")));
  empty(buffer);
  CHECK(owner.got == "[abcdef]");
}
