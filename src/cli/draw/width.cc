#include "cli/draw/width.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace haul::cli {
namespace {

struct CodeRange {
  std::uint32_t first;
  std::uint32_t last;
};

// Marks above or below the preceding letter, of the scripts that file names use, and the vowels and
// finals that join a Hangul block. A mark that is missing here counts as one column.
// clang-format off
constexpr CodeRange kNoColumn[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x05bf, 0x05bf}, {0x05c1, 0x05c2},
    {0x05c4, 0x05c5}, {0x05c7, 0x05c7}, {0x0610, 0x061a}, {0x064b, 0x065f}, {0x0670, 0x0670},
    {0x06d6, 0x06dc}, {0x06df, 0x06e4}, {0x06e7, 0x06e8}, {0x06ea, 0x06ed}, {0x0900, 0x0902},
    {0x093a, 0x093a}, {0x093c, 0x093c}, {0x0941, 0x0948}, {0x094d, 0x094d}, {0x0951, 0x0957},
    {0x0962, 0x0963}, {0x0981, 0x0981}, {0x09bc, 0x09bc}, {0x09c1, 0x09c4}, {0x09cd, 0x09cd},
    {0x0e31, 0x0e31}, {0x0e34, 0x0e3a}, {0x0e47, 0x0e4e}, {0x0eb1, 0x0eb1}, {0x0eb4, 0x0ebc},
    {0x0ec8, 0x0ecd}, {0x1160, 0x11ff}, {0x1ab0, 0x1ace}, {0x1dc0, 0x1dff}, {0x20d0, 0x20f0},
    {0x302a, 0x302d}, {0x3099, 0x309a}, {0xfe00, 0xfe0e}, {0xfe20, 0xfe2f},
};

// East Asian wide and full-width characters and emoji, including the few narrow ones in between.
constexpr CodeRange kTwoColumns[] = {
    {0x1100, 0x115f}, {0x231a, 0x231b}, {0x2329, 0x232a}, {0x23e9, 0x23f3}, {0x25fd, 0x25fe},
    {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267f, 0x267f}, {0x2693, 0x2693}, {0x26a1, 0x26a1},
    {0x26aa, 0x26ab}, {0x26bd, 0x26be}, {0x26c4, 0x26c5}, {0x26ce, 0x26ce}, {0x26d4, 0x26d4},
    {0x26ea, 0x26ea}, {0x26f2, 0x26f5}, {0x26fa, 0x26fd}, {0x2705, 0x2705}, {0x270a, 0x270b},
    {0x2728, 0x2728}, {0x274c, 0x274e}, {0x2753, 0x2757}, {0x2795, 0x2797}, {0x27b0, 0x27b0},
    {0x27bf, 0x27bf}, {0x2b1b, 0x2b1c}, {0x2b50, 0x2b55}, {0x2e80, 0x303e}, {0x3041, 0xa4cf},
    {0xa960, 0xa97c}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe10, 0xfe19}, {0xfe30, 0xfe6b},
    {0xff01, 0xff60}, {0xffe0, 0xffe6}, {0x16fe0, 0x18d08}, {0x1aff0, 0x1b2fb}, {0x1f004, 0x1f004},
    {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f19a}, {0x1f1e6, 0x1f265}, {0x1f300, 0x1f64f},
    {0x1f680, 0x1f6ff}, {0x1f7e0, 0x1f7f0}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd},
};
// clang-format on

constexpr bool is_ordered(std::span<const CodeRange> ranges) {
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (ranges[i].last < ranges[i].first || (i > 0 && ranges[i].first <= ranges[i - 1].last))
      return false;
  return true;
}
static_assert(is_ordered(kNoColumn));
static_assert(is_ordered(kTwoColumns));

// Requests the colour form of the preceding character, which may make that one wider.
constexpr std::uint32_t kEmojiForm = 0xfe0f;

// One visible character: a letter with its combining marks.
struct Cluster {
  std::string_view text;
  std::size_t columns = 0;
};

bool within(std::span<const CodeRange> ranges, std::uint32_t code) {
  const auto* range =
      std::ranges::partition_point(ranges, [&](CodeRange each) { return each.last < code; }).base();
  return range != ranges.data() + ranges.size() && range->first <= code;
}

std::size_t columns_of(std::uint32_t code) {
  if (code < kNoColumn[0].first) return 1;
  if (within(kNoColumn, code)) return 0;
  return within(kTwoColumns, code) ? 2 : 1;
}

std::size_t length_of(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return std::min(length, text.size());
}

std::uint32_t code_of(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0);
  std::uint32_t code = byte(0) & (0xffU >> (character.size() + 1));
  for (std::size_t i = 1; i < character.size(); ++i) code = code << 6U | (byte(i) & 0x3fU);
  return code;
}

std::vector<Cluster> clusters_of(std::string_view text) {
  std::vector<Cluster> clusters;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = length_of(text.substr(at));
    const std::uint32_t code = code_of(text.substr(at, length));
    const std::size_t columns = columns_of(code);
    if (clusters.empty() || (columns > 0 && code != kEmojiForm)) {
      clusters.push_back({text.substr(at, length), columns});
    } else {
      Cluster& before = clusters.back();
      before.text = {before.text.data(), before.text.size() + length};
      before.columns += columns;
    }
    at += length;
  }
  return clusters;
}

std::size_t columns_of(std::span<const Cluster> clusters) {
  std::size_t columns = 0;
  for (const Cluster& cluster : clusters) columns += cluster.columns;
  return columns;
}

// The first clusters that fit into `columns`.
std::span<const Cluster> head_of(std::span<const Cluster> clusters, std::size_t columns) {
  std::size_t used = 0;
  std::size_t count = 0;
  while (count < clusters.size() && used + clusters[count].columns <= columns)
    used += clusters[count++].columns;
  return clusters.first(count);
}

std::span<const Cluster> tail_of(std::span<const Cluster> clusters, std::size_t columns) {
  std::size_t used = 0;
  std::size_t first = clusters.size();
  while (first > 0 && used + clusters[first - 1].columns <= columns)
    used += clusters[--first].columns;
  return clusters.subspan(first);
}

std::string joined(std::span<const Cluster> clusters) {
  std::string text;
  for (const Cluster& cluster : clusters) text += cluster.text;
  return text;
}

}  // namespace

std::size_t columns_of(std::string_view text) { return columns_of(clusters_of(text)); }

std::string shortened(std::string_view text, std::size_t columns) {
  const std::vector<Cluster> clusters = clusters_of(text);
  if (columns_of(clusters) <= columns) return std::string{text};
  if (columns == 0) return {};
  const std::span<const Cluster> tail = tail_of(clusters, (columns - 1) / 2);
  const std::span<const Cluster> head = head_of(clusters, columns - 1 - columns_of(tail));
  return joined(head) + "…" + joined(tail);
}

std::string cut(std::string_view text, std::size_t columns) {
  const std::vector<Cluster> clusters = clusters_of(text);
  if (columns_of(clusters) <= columns) return std::string{text};
  return columns == 0 ? std::string{} : joined(head_of(clusters, columns - 1)) + "…";
}

std::string left_aligned(std::string_view text, std::size_t columns) {
  std::string aligned = cut(text, columns);
  aligned.append(columns - columns_of(aligned), ' ');
  return aligned;
}

std::string right_aligned(std::string_view text, std::size_t columns) {
  const std::string aligned = cut(text, columns);
  return std::string(columns - columns_of(aligned), ' ') + aligned;
}

}  // namespace haul::cli
