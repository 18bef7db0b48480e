// The check of a file by the hashes of its pieces.

#include "io/file/piece_check.h"

#include <doctest/doctest.h>

#include "base/hash.h"
#include "io/file/destination.h"
#include "support/io/temp_folder.h"

namespace haul::io {
namespace {

constexpr std::size_t kPiece = 1'024;

std::string hash_of(std::string_view bytes) { return sha256_hex(bytes); }

struct PieceBench {
  testing::TempFolder temp;
  std::string good = std::string(kPiece, 'a') + std::string(kPiece, 'b') + "end";
  std::shared_ptr<Checksum> taken;
  std::shared_ptr<std::vector<std::size_t>> bad = std::make_shared<std::vector<std::size_t>>();

  // Checks a file of these bytes. "fine", the numbers of the bad pieces, or the fault's code.
  std::string check(const std::string& bytes, Checksum whole = {},
                    std::vector<std::size_t> only = {}) {
    auto folder = Folder::open(temp.path(), Folder::Missing::fault);
    REQUIRE(folder);
    folder->remove("f");
    auto file = folder->create("f");
    REQUIRE(file);
    REQUIRE(file->write_at(std::as_bytes(std::span{bytes}), 0));
    bad->clear();
    const auto pieces = std::make_shared<PieceHashes>(
        PieceHashes{.algorithm = "sha256",
                    .length = kPiece,
                    .hashes = {hash_of(good.substr(0, kPiece)),
                               hash_of(good.substr(kPiece, kPiece)), hash_of("end")}});
    const auto checked = check_pieces({.file = std::make_shared<const File>(*std::move(file)),
                                       .whole = std::move(whole),
                                       .pieces = pieces,
                                       .only = std::move(only),
                                       .stop = stop.get_token(),
                                       .bad = bad,
                                       .taken = taken},
                                      ending);
    if (!checked) return checked.error().code;
    std::string text = bad->empty() ? "fine" : "";
    for (const std::size_t number : *bad) text += std::to_string(number) + " ";
    return text;
  }

  std::stop_source stop;
  std::atomic<bool> ending = false;
};

}  // namespace

TEST_CASE("pieces: a damaged piece is found, also the last and short one") {
  PieceBench b;
  std::string bytes = b.good;
  CHECK(b.check(bytes) == "fine");
  bytes[kPiece] = 'x';
  CHECK(b.check(bytes) == "1 ");
  CHECK(b.check(bytes, {}, {0, 2}) == "fine");
  bytes.back() = 'x';
  CHECK(b.check(bytes) == "1 2 ");
  CHECK(b.check(b.good.substr(0, kPiece)) == "1 2 ");
}

TEST_CASE("pieces: the hash of the whole file decides first") {
  PieceBench b;
  std::string bytes = b.good;
  bytes[0] = 'x';
  CHECK(b.check(bytes, {"sha256", hash_of(bytes)}) == "fine");
  CHECK(b.check(bytes, {"sha256", hash_of(b.good)}) == "0 ");
  CHECK(b.check(b.good, {"sha256", hash_of(bytes)}) == "checksum_mismatch");
}

TEST_CASE("pieces: the check of a good file takes its hash, unless it leaves out pieces") {
  PieceBench b;
  const auto taken = [&](const std::string& algorithm) {
    b.taken = std::make_shared<Checksum>(Checksum{algorithm, {}});
    return b.taken;
  };
  std::string bytes = b.good;
  bytes[0] = 'x';
  CHECK(taken("sha256")->hex.empty());
  CHECK(b.check(b.good) == "fine");
  CHECK(b.taken->hex == hash_of(b.good));
  CHECK(taken("md5")->hex.empty());
  CHECK(b.check(b.good) == "fine");
  CHECK(b.taken->hex.size() == 32);

  taken("sha256");
  CHECK(b.check(bytes) == "0 ");
  CHECK(b.taken->hex.empty());
  CHECK(b.check(b.good, {}, {0, 1, 2}) == "fine");
  CHECK(b.taken->hex.empty());
  CHECK(b.check(b.good, {"sha1", std::string(40, '0')}) == "checksum_mismatch");

  taken("sha256");
  CHECK(b.check(bytes, {"sha256", hash_of(bytes)}) == "fine");
  CHECK(b.taken->hex == hash_of(bytes));
}

TEST_CASE("pieces: a file of several buffers is hashed as a whole, whatever its pieces are") {
  const std::size_t length = 3'000'001;  // The check reads 1 MiB at once.
  testing::TempFolder temp;
  auto folder = Folder::open(temp.path(), Folder::Missing::fault);
  REQUIRE(folder);
  auto file = folder->create("f");
  REQUIRE(file);
  std::string bytes(2 * length + 5, ' ');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * i >> 7U);
  REQUIRE(file->write_at(std::as_bytes(std::span{bytes}), 0));
  const auto pieces = std::make_shared<PieceHashes>(PieceHashes{
      .algorithm = "sha256", .length = static_cast<std::int64_t>(length), .hashes = {}});
  for (std::size_t from = 0; from < bytes.size(); from += length)
    pieces->hashes.push_back(hash_of(bytes.substr(from, length)));
  const auto bad = std::make_shared<std::vector<std::size_t>>();
  const auto taken = std::make_shared<Checksum>(Checksum{"sha256", {}});
  const std::atomic<bool> ending = false;
  REQUIRE(check_pieces({.file = std::make_shared<const File>(*std::move(file)),
                        .whole = {},
                        .pieces = pieces,
                        .only = {},
                        .stop = {},
                        .bad = bad,
                        .taken = taken},
                       ending));
  CHECK(bad->empty());
  CHECK(taken->hex == hash_of(bytes));
}

TEST_CASE("pieces: a check ends early when it is stopped, or haul ends") {
  PieceBench b;
  b.ending = true;
  CHECK(b.check(b.good) == "stopped");
  b.ending = false;
  b.stop.request_stop();
  CHECK(b.check(b.good) == "stopped");
}

}  // namespace haul::io
