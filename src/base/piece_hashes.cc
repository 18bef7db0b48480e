#include "base/piece_hashes.h"

#include <fmt/core.h>

#include "base/json.h"
#include "base/request_value.h"

namespace haul {
namespace {

std::unexpected<Fault> refuse(std::string_view member, std::string_view why) {
  return std::unexpected{
      Fault{FaultKind::rejected, "bad_request", fmt::format("{}: {}", member, why)}};
}

Result<void> read_member(const JsonField& member, PieceHashes& into) {
  if (member.name == "algorithm") {
    into.algorithm = member.text;
    return {};
  }
  if (member.name == "length") {
    const auto length = read_whole(member.json);
    if (!length || *length < kPieceLengthMin || *length > kPieceLengthMax)
      return refuse(member.name,
                    fmt::format("expected {} to {} bytes", kPieceLengthMin, kPieceLengthMax));
    into.length = *length;
    return {};
  }
  if (member.name != "hashes") return refuse(member.name, "no such member");
  auto hashes = member.json.starts_with('[') ? read_array(member.json)
                                             : Result<std::vector<std::string>>{refuse("", "")};
  if (!hashes || hashes->empty() || hashes->size() > kPiecesMax)
    return refuse(member.name, fmt::format("expected a list of 1 to {} hashes", kPiecesMax));
  into.hashes = *std::move(hashes);
  return {};
}

}  // namespace

Result<PieceHashes> read_piece_hashes(std::string_view json) {
  const auto members = read_object(json);
  if (!members) return std::unexpected{members.error()};
  PieceHashes pieces;
  for (const JsonField& member : *members)
    if (auto read = read_member(member, pieces); !read) return std::unexpected{read.error()};
  if (pieces.length == 0) return refuse("length", "required");
  if (pieces.hashes.empty()) return refuse("hashes", "required");
  for (std::string& hash : pieces.hashes) {
    auto sum = read_checksum(pieces.algorithm + ":" + hash);
    if (!sum)
      return refuse("hashes", wrong_with_checksum(pieces.algorithm + ":" + hash.substr(0, 200)));
    hash = std::move(sum->hex);
  }
  return pieces;
}

std::string wrong_with_pieces(const PieceHashes& pieces, std::int64_t size) {
  if (pieces.empty()) return {};
  const std::int64_t wanted = size / pieces.length + (size % pieces.length == 0 ? 0 : 1);
  if (wanted == static_cast<std::int64_t>(pieces.hashes.size())) return {};
  return fmt::format("{} hashes of {} bytes each do not cover a file of {} bytes",
                     pieces.hashes.size(), pieces.length, size);
}

}  // namespace haul
