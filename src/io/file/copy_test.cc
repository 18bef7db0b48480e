// Copies of bytes: whole, hashed, with their time, and stopped when asked.

#include "io/file/copy.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/hash.h"
#include "io/file/beneath.h"
#include "io/file/side_hash.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMiB = std::size_t{1} << 20U;
constexpr std::size_t kPiece = std::size_t{128} << 10U;  // That a copy reads and writes at once.

// Bytes that differ from piece to piece.
std::string bytes_of(std::size_t size) {
  constexpr std::size_t kPeriod = kMiB + 7;
  std::string bytes(std::min(size, kPeriod), '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>((i * 2'654'435'761U) >> 13U);
  bytes.reserve(size);
  while (bytes.size() < size) bytes.append(bytes, 0, std::min(kPeriod, size - bytes.size()));
  return bytes;
}

struct Pair {
  explicit Pair(const std::string& bytes) {
    std::ofstream{temp / "from"} << bytes;
    folder = io::open_root(temp.path()).value();
    from = io::open_file_beneath(folder, "from", io::Mounts::stay).value();
    to = io::Folder::open(temp.path(), io::Folder::Missing::fault).value().create("to").value();
  }
  std::string copied() const {
    std::ostringstream text;
    text << std::ifstream{temp / "to"}.rdbuf();
    return text.str();
  }

  TempFolder temp;
  io::Descriptor folder;
  io::File from;
  io::File to;
};

}  // namespace

TEST_CASE("a copy has all bytes, their hash and the time of the source, at every size") {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, kPiece - 1, kPiece, kPiece + 1, kMiB - 1, kMiB, kMiB + 1,
        8 * kMiB, 8 * kMiB + 1, 16 * kMiB, 19 * kMiB + 7, 64 * kMiB + 3}) {
    CAPTURE(size);
    const std::string bytes = bytes_of(size);
    Pair pair{bytes};

    const auto copied = io::copy_bytes(pair.from, pair.to, {});

    REQUIRE(copied);
    CHECK(copied->size == static_cast<std::int64_t>(size));
    CHECK(copied->sha256 == sha256_hex(bytes));
    CHECK((pair.copied() == bytes));
    CHECK(io::seen_of(pair.to).mtime_ns == io::seen_of(pair.from).mtime_ns);
    CHECK(io::hash_bytes(pair.to, {}) == copied);
  }
}

TEST_CASE("a copy keeps holes, also one at the end") {
  Pair pair{"head"};
  fs::resize_file(pair.temp / "from", 40 * kMiB);
  std::fstream{pair.temp / "from", std::ios::in | std::ios::out}.seekp(20 * kMiB) << "middle";

  const auto copied = io::copy_bytes(pair.from, pair.to, {});

  REQUIRE(copied);
  CHECK(copied->size == static_cast<std::int64_t>(40 * kMiB));
  CHECK(io::seen_of(pair.to).size == copied->size);
  CHECK(io::seen_of(pair.to).on_disk <= static_cast<std::int64_t>(4 * kMiB));
  CHECK(io::hash_bytes(pair.to, {}) == io::hash_bytes(pair.from, {}));
}

TEST_CASE("a copy reports every MiB and ends at once when it is stopped") {
  Pair pair{bytes_of(6 * kMiB)};
  std::stop_source stop;
  std::vector<std::int64_t> told;

  const auto copied = io::copy_bytes(pair.from, pair.to,
                                     {.stop = stop.get_token(), .progress = [&](std::int64_t done) {
                                        told.push_back(done);
                                        if (told.size() == 2) stop.request_stop();
                                      }});

  REQUIRE_FALSE(copied);
  CHECK((copied.error().kind == FaultKind::cancelled));
  CHECK(copied.error().code == "stopped");
  CHECK(told == std::vector<std::int64_t>{kMiB, 2 * kMiB});
  CHECK(io::hash_bytes(pair.from, {.stop = stop.get_token()}).error().code == "stopped");
}

TEST_CASE("a copy reports its end, whatever its size") {
  for (const std::size_t size : {std::size_t{1}, kPiece, kMiB, kMiB + kPiece, 2 * kMiB + 1}) {
    CAPTURE(size);
    Pair pair{bytes_of(size)};
    std::vector<std::int64_t> told;

    REQUIRE(io::copy_bytes(pair.from, pair.to,
                           {.progress = [&](std::int64_t done) { told.push_back(done); }}));

    CHECK(told.back() == static_cast<std::int64_t>(size));
    CHECK(told.size() == (size + kMiB - 1) / kMiB);
  }
}

TEST_CASE("F25: a copy asks for room before it writes, and a refusal ends it") {
  Pair pair{bytes_of(3 * kMiB)};
  std::int64_t asked = 0;

  const auto copied =
      io::copy_bytes(pair.from, pair.to, {.take_room = [&](std::int64_t bytes) -> Result<void> {
                       asked += bytes;
                       if (asked <= static_cast<std::int64_t>(kMiB)) return {};
                       return std::unexpected{Fault{FaultKind::environment, "disk_full", "full"}};
                     }});

  CHECK(copied.error().code == "disk_full");
  CHECK(io::seen_of(pair.to).size == static_cast<std::int64_t>(kMiB));
}

TEST_CASE("a source that grows, shrinks or is rewritten while it is read is no copy") {
  for (const char* change : {"grow", "shrink", "touch"}) {
    CAPTURE(change);
    Pair pair{bytes_of(3 * kMiB)};
    const fs::path from = pair.temp / "from";
    const auto alter = [&](std::int64_t done) {
      if (done != static_cast<std::int64_t>(kMiB)) return;
      if (std::string_view{change} == "grow") fs::resize_file(from, 4 * kMiB);
      if (std::string_view{change} == "shrink") fs::resize_file(from, 2 * kMiB);
      if (std::string_view{change} == "touch")
        fs::last_write_time(from, fs::last_write_time(from) + std::chrono::hours{1});
    };

    const auto copied = io::copy_bytes(pair.from, pair.to, {.progress = alter});

    REQUIRE_FALSE(copied);
    CHECK(copied.error().code == "source_changed");
    CHECK((copied.error().kind == FaultKind::retryable));
  }
}

TEST_CASE("a clone has the same bytes and time, or says that the file system refuses") {
  Pair pair{bytes_of(kMiB)};

  const auto cloned = io::clone_bytes(pair.from, pair.to);

  if (!cloned) {
    CHECK(cloned.error().code == "not_supported");
    CHECK(pair.copied().empty());
    return;
  }
  CHECK((pair.copied() == bytes_of(kMiB)));
  CHECK(io::seen_of(pair.to).mtime_ns == io::seen_of(pair.from).mtime_ns);
}

TEST_CASE("pieces are hashed in their order, and a hash can be given up half-way") {
  const std::string bytes = bytes_of(100'000);
  const auto all = std::as_bytes(std::span{bytes});
  io::SideHash hash;
  for (std::size_t at = 0; at < all.size(); at += 1'000) {
    hash.add(all.subspan(at, 1'000));
    hash.wait(3);
  }
  CHECK(hash.hex() == sha256_hex(bytes));

  io::SideHash given_up;
  for (int i = 0; i < 50; ++i) given_up.add(all);
}

}  // namespace haul::testing
