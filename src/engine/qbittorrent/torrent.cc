#include "engine/qbittorrent/torrent.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "base/ascii.h"
#include "base/json.h"

namespace haul::qbittorrent {
namespace {

using enum TorrentState;

// clang-format off
constexpr std::pair<std::string_view, TorrentState> kWords[] = {
    {"metaDL", metadata},        {"forcedMetaDL", metadata},
    {"queuedDL", queued},
    {"pausedDL", stopped},       {"stoppedDL", stopped},
    {"checkingDL", checking},    {"checkingUP", checking},
    {"checkingResumeData", resuming},
    {"downloading", active},     {"forcedDL", active},    {"allocating", active},
    {"stalledDL", stalled},
    {"moving", moving},
    {"uploading", finished},     {"stalledUP", finished}, {"forcedUP", finished},
    {"queuedUP", finished},      {"pausedUP", finished},  {"stoppedUP", finished},
    {"error", error},
    {"missingFiles", missing_files},
};
// clang-format on

enum Field : std::uint8_t {
  f_hash,
  f_v1,
  f_v2,
  f_state,
  f_size,
  f_completed,
  f_left,
  f_progress,
  f_save_path,
  f_content_path,
  f_download_path,
  f_tags,
  f_last_activity,
  f_speed,
  f_ratio,
  f_ratio_limit,
  f_max_ratio,
  f_seeding_time,
  f_seeding_time_limit,
  f_max_seeding_time,
  f_inactive_limit,
  f_max_inactive,
  f_count
};
constexpr std::array<std::string_view, f_count> kNames{"hash",
                                                       "infohash_v1",
                                                       "infohash_v2",
                                                       "state",
                                                       "size",
                                                       "completed",
                                                       "amount_left",
                                                       "progress",
                                                       "save_path",
                                                       "content_path",
                                                       "download_path",
                                                       "tags",
                                                       "last_activity",
                                                       "dlspeed",
                                                       "ratio",
                                                       "ratio_limit",
                                                       "max_ratio",
                                                       "seeding_time",
                                                       "seeding_time_limit",
                                                       "max_seeding_time",
                                                       "inactive_seeding_time_limit",
                                                       "max_inactive_seeding_time"};

constexpr std::size_t kTorrentsMax = 100'000;
constexpr std::size_t kTagsMax = 1'000;
constexpr std::string_view kTagBegin = "haul-";

std::string text_of(const JsonScalar& value) {
  return value.kind == JsonScalar::Kind::text ? value.text : std::string{};
}

// No value if it is no number, below zero, or larger than any disk.
std::optional<std::int64_t> size_of(const JsonScalar& value) {
  constexpr std::int64_t kSizeMax = std::int64_t{1} << 60U;
  const auto size = value.whole();
  return size && *size >= 0 && *size <= kSizeMax ? size : std::nullopt;
}

std::vector<std::string> read_tags(std::string_view text) {
  std::vector<std::string> tags;
  while (!text.empty() && tags.size() < kTagsMax) {
    const std::string_view tag = text.substr(0, text.find(','));
    text.remove_prefix(std::min(tag.size() + 1, text.size()));
    if (!trimmed(tag).empty()) tags.emplace_back(trimmed(tag));
  }
  return tags;
}

bool is_one(std::string_view progress) {
  return progress == "1" || progress == "1.0" || progress == "1e0";
}

std::optional<double> number_of(const JsonScalar& value) {
  if (value.kind != JsonScalar::Kind::number) return std::nullopt;
  double number = 0;
  const char* const end = value.text.data() + value.text.size();
  const auto [stop, error] = std::from_chars(value.text.data(), end, number);
  return error == std::errc{} && stop == end ? std::optional{number} : std::nullopt;
}

Sharing read_sharing(const JsonRow& row, std::string_view word) {
  return {.ratio = number_of(row[f_ratio]),
          .seeded_s = size_of(row[f_seeding_time]),
          .active_at_s = {},
          .ratio_limit = {number_of(row[f_ratio_limit]), number_of(row[f_max_ratio])},
          .time_limit = {number_of(row[f_seeding_time_limit]), number_of(row[f_max_seeding_time])},
          .inactive_limit = {number_of(row[f_inactive_limit]), number_of(row[f_max_inactive])},
          .is_stopped = word == "pausedUP" || word == "stoppedUP"};
}

Torrent read_torrent(JsonRow& row, std::string id) {
  Torrent torrent;
  torrent.id = std::move(id);
  torrent.hash = {.v1 = hex_digits(row[f_v1].text, 40).value_or(""),
                  .v2 = hex_digits(row[f_v2].text, 64).value_or("")};
  torrent.word = text_of(row[f_state]);
  torrent.state = torrent_state(torrent.word);
  const auto size = size_of(row[f_size]);
  if (size && *size > 0) torrent.size = size;
  torrent.have = size_of(row[f_completed]).value_or(0);
  torrent.speed = size_of(row[f_speed]).value_or(0);
  torrent.left = size_of(row[f_left]);
  torrent.is_whole =
      row[f_progress].kind == JsonScalar::Kind::number && is_one(row[f_progress].text);
  torrent.save_path = text_of(row[f_save_path]);
  torrent.content_path = text_of(row[f_content_path]);
  torrent.download_path = text_of(row[f_download_path]);
  torrent.tags = read_tags(text_of(row[f_tags]));
  const auto active_at = size_of(row[f_last_activity]);
  if (active_at && *active_at > 0) torrent.active_at_s = active_at;
  torrent.sharing = read_sharing(row, torrent.word);
  torrent.sharing.active_at_s = torrent.active_at_s;
  return torrent;
}

}  // namespace

TorrentState torrent_state(std::string_view word) {
  const auto* const found =
      std::ranges::find(kWords, word, &std::pair<std::string_view, TorrentState>::first);
  return found == std::end(kWords) ? unknown : found->second;
}

bool Torrent::has_tag(std::string_view tag) const {
  return std::ranges::find(tags, tag) != tags.end();
}

bool Torrent::is(std::string_view name) const {
  return !name.empty() && (name == id || name == hash.v1 || name == hash.v2 ||
                           (!hash.v2.empty() && name == std::string_view{hash.v2}.substr(0, 40)));
}

bool Torrent::is(const InfoHash& wanted) const {
  return is(wanted.v1) || is(wanted.v2) || is(wanted.id());
}

Result<std::vector<Torrent>> read_torrents(std::string_view json) {
  auto rows = read_rows(json, kNames, kTorrentsMax);
  if (!rows)
    return std::unexpected{Fault{FaultKind::retryable, "client_garbage", rows.error().detail}};
  std::vector<Torrent> torrents;
  torrents.reserve(rows->size());
  for (JsonRow& row : *rows)
    if (auto id = hex_digits(text_of(row[f_hash]), 40))
      torrents.push_back(read_torrent(row, *std::move(id)));
  return torrents;
}

std::string found_tag(std::string_view store) {
  return fmt::format("{}{}-found", kTagBegin, store);
}

bool is_haul_tag(std::string_view tag) { return tag.starts_with(kTagBegin); }

bool is_order_tag(std::string_view tag, std::string_view store) {
  const std::string begin = fmt::format("{}{}-", kTagBegin, store);
  if (!tag.starts_with(begin) || tag.size() == begin.size()) return false;
  return std::ranges::all_of(tag.substr(begin.size()), [](char c) { return is_digit(c); });
}

}  // namespace haul::qbittorrent
