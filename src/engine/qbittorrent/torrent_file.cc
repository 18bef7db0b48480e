#include "engine/qbittorrent/torrent_file.h"

#include <fmt/core.h>

#include <span>
#include <stdexcept>

#include "base/hash.h"
#include "engine/qbittorrent/bencode.h"

namespace haul::qbittorrent {
namespace {

constexpr std::int64_t kFilesMax = 100'000;
constexpr std::int64_t kPieceMax = std::int64_t{512} << 20U;

std::unexpected<Fault> bad(std::string_view why) {
  return std::unexpected{Fault{FaultKind::permanent, "bad_torrent", std::string{why}}};
}

// Collects the fields that make a file a torrent, in whatever order they come.
class Facts final : public BencodeReader {
 public:
  bool see(const Bencoded& value) override {
    using Kind = Bencoded::Kind;
    const auto& path = value.path;
    if (path.size() == 1 && path[0] == "info" && value.kind == Kind::dictionary) {
      twice = twice || !info.empty();  // The client might read the other one.
      info = value.raw;
    }
    if (path.size() == 2 && path[0] == "info") see_info(path[1], value);
    // In version 1 a file is an element of "files". In version 2 it is a node of the tree with a
    // length.
    const bool in_list = path.size() == 3 && path[0] == "info" && path[1] == "files";
    const bool in_tree =
        path.size() >= 4 && path[0] == "info" && path[1] == "file tree" && path.back() == "length";
    if (in_list || in_tree) ++files;
    return files <= kFilesMax;
  }

  std::string_view info;
  std::string_view name;
  std::int64_t piece_length = 0;
  std::int64_t version = 1;
  std::int64_t files = 0;
  bool has_pieces = false;
  bool has_tree = false;
  bool twice = false;

 private:
  void see_info(std::string_view field, const Bencoded& value) {
    using Kind = Bencoded::Kind;
    if (field == "name" && value.kind == Kind::text) name = value.text;
    if (field == "piece length" && value.kind == Kind::number) piece_length = value.number;
    if (field == "meta version" && value.kind == Kind::number) version = value.number;
    if (field == "pieces" && value.kind == Kind::text) has_pieces = true;
    if (field == "file tree" && value.kind == Kind::dictionary) has_tree = true;
  }
};

std::string digest(std::string_view algorithm, std::string_view bytes) {
  auto hasher = Hasher::of(algorithm);
  if (!hasher) throw std::runtime_error{fmt::format("{} is not available", algorithm)};
  hasher->add(std::as_bytes(std::span{bytes}));
  return hasher->hex();
}

}  // namespace

Result<TorrentFile> read_torrent(std::string_view bytes) {
  if (bytes.size() > kTorrentBytesMax) return bad("larger than 16 MiB");
  Facts facts;
  if (const auto read = read_bencode(bytes, facts); !read) return bad(read.error().detail);
  if (facts.files > kFilesMax) return bad("more than 100000 files");
  if (facts.twice) return bad("it has two info dictionaries");
  if (facts.info.empty()) return bad("it has no info dictionary");
  if (facts.piece_length <= 0 || facts.piece_length > kPieceMax)
    return bad("the pieces have no size");
  const bool is_v2 = facts.version == 2 && facts.has_tree;
  if (!is_v2 && !facts.has_pieces) return bad("it has no pieces");
  TorrentFile torrent{
      .hash = {}, .name = std::string{facts.name}, .piece_length = facts.piece_length};
  if (facts.has_pieces) torrent.hash.v1 = digest("sha1", facts.info);
  if (is_v2) torrent.hash.v2 = digest("sha256", facts.info);
  return torrent;
}

}  // namespace haul::qbittorrent
