// F25: transfers that share a disk neither starve each other nor take what another was promised.

#include "io/file/disk_account.h"

#include <doctest/doctest.h>

#include <limits>

using namespace haul;

namespace {

io::DiskAccount with_room(std::int64_t room) {
  io::DiskAccount account;
  account.see(room);
  return account;
}

}  // namespace

TEST_CASE("F25: a transfer of known size starts only if all of it fits beside the others") {
  io::DiskAccount account = with_room(100);
  io::Reserved first;
  io::Reserved second;

  CHECK(account.reserve(first, 60) == 0);
  CHECK(account.reserve(second, 41) == 1);
  CHECK(second.bytes == 0);
  CHECK(account.reserve(second, 40) == 0);
  CHECK(account.reserved_beside(first) == 40);
}

TEST_CASE("F25: a reservation shrinks as bytes are written, and ends with its transfer") {
  io::DiskAccount account = with_room(100);
  io::Reserved first;
  io::Reserved second;
  REQUIRE(account.reserve(first, 80) == 0);

  CHECK(account.take(first, 50) == 0);
  CHECK(first.bytes == 30);
  account.see(50);  // A look finds what was written.
  CHECK(account.reserve(second, 21) == 1);
  CHECK(account.reserve(second, 20) == 0);

  account.give_back(second);
  CHECK(account.reserved_beside(first) == 0);
  account.give_back(second);  // Twice is once.
  CHECK(account.reserved_beside(first) == 0);
}

TEST_CASE("F25: a transfer that reserves anew gives back what it had") {
  io::DiskAccount account = with_room(100);
  io::Reserved mine;

  CHECK(account.reserve(mine, 80) == 0);
  CHECK(account.reserve(mine, 90) == 0);
  CHECK(account.reserve(mine, 101) == 1);
  CHECK(mine.bytes == 90);  // The caller gives it back.
}

TEST_CASE("F25: a transfer of unknown size takes what no other has reserved, and stops first") {
  io::DiskAccount account = with_room(100);
  io::Reserved unknown;
  io::Reserved known;

  CHECK(account.take(unknown, 40) == 0);
  CHECK(account.reserve(known, 50) == 0);
  CHECK(account.take(unknown, 10) == 0);
  CHECK(account.take(unknown, 1) == 1);
  CHECK(account.take(unknown, 0) == 0);
  CHECK(account.take(known, 50) == 0);
}

TEST_CASE("F25: if another program fills the disk one gives way while another still fits") {
  io::DiskAccount account = with_room(100);
  io::Reserved first;
  io::Reserved second;
  REQUIRE(account.reserve(first, 50) == 0);
  REQUIRE(account.reserve(second, 50) == 0);

  account.see(60);
  CHECK(account.take(first, 1) == 40);
  account.give_back(first);
  CHECK(account.take(second, 50) == 0);
}

TEST_CASE("F25: alone on the disk a transfer goes on up to the last byte that may be written") {
  io::DiskAccount account = with_room(100);
  io::Reserved mine;
  REQUIRE(account.reserve(mine, 100) == 0);

  account.see(60);
  CHECK(account.take(mine, 60) == 0);
  CHECK(account.take(mine, 1) == 1);
  account.see(-5);
  CHECK(account.take(mine, 0) == 5);
}

TEST_CASE("F25: sizes that no disk has are counted without running over") {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  io::DiskAccount account = with_room(-kMost);
  io::Reserved mine;
  CHECK(account.reserve(mine, kMost) > 0);
  account.see(kMost);
  CHECK(account.reserve(mine, kMost / 16) == 0);
  io::Reserved other;
  CHECK(account.reserve(other, kMost) > 0);
}
