#include "cli/draw/progress_lines.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/redact.h"
#include "base/text.h"
#include "cli/draw/bytes.h"
#include "cli/draw/width.h"

namespace haul::cli {
namespace {

constexpr std::size_t kFilesMax = 8;
constexpr std::size_t kMark = 2;     // "↓ "
constexpr std::size_t kGap = 2;      // Between two columns.
constexpr std::size_t kPercent = 4;  // "100%"
constexpr std::size_t kAmount = 16;  // "100% of 1023 KiB"
constexpr std::size_t kSpeed = 10;   // "1023 KiB/s"
constexpr std::size_t kLeft = 8;     // "99:59:59"
constexpr std::size_t kBarMin = 8;
constexpr std::size_t kBarMax = 40;
constexpr std::size_t kNameMax = 60;
constexpr std::size_t kNarrowest = 12;  // Below it only the counts are drawn.

// Column widths; zero if there is no room. They depend only on the terminal's width, so that
// nothing jumps when files come and go.
struct Layout {
  std::size_t name = 0;
  std::size_t bar = 0;
  std::size_t amount = 0;
  std::size_t speed = 0;
  std::size_t left = 0;
};

Layout layout_for(std::size_t width) {
  constexpr std::size_t kAll = kMark + kGap + kAmount + kGap + kSpeed + kGap + kLeft;
  constexpr std::size_t kSome = kMark + kGap + kPercent + kGap + kSpeed + kGap + kLeft;
  if (width >= kAll + 24) {
    const std::size_t rest = width - kAll;
    const std::size_t bar = std::clamp(rest * 2 / 5, kBarMin, kBarMax);
    return {std::min(rest - kGap - bar, kNameMax), bar, kAmount, kSpeed, kLeft};
  }
  if (width >= kSome + 12) return {width - kSome, 0, kPercent, kSpeed, kLeft};
  return {width - (kMark + kGap + kPercent), 0, kPercent, 0, 0};
}

// A part of a known whole.
struct Share {
  std::int64_t have = 0;
  std::int64_t whole = 0;
};

std::optional<Share> share_of(std::int64_t have, std::optional<std::int64_t> whole) {
  if (!whole || *whole < 0) return std::nullopt;
  return Share{std::clamp<std::int64_t>(have, 0, *whole), *whole};
}

// How many of `steps` steps are done, rounded down: all of them only when everything is there.
std::size_t steps_of(const Share& share, std::size_t steps) {
  if (share.have == share.whole) return steps;
  const double exact = static_cast<double>(share.have) / static_cast<double>(share.whole) *
                       static_cast<double>(steps);
  return std::min(static_cast<std::size_t>(exact), steps - 1);
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

struct Bar {
  std::optional<Share> share;
  std::size_t width = 0;
  Ink ink = Ink::plain;
};

// The smallest step is half a column. The missing part is a thin line, readable without colours.
std::string bar_text(const Bar& bar, Colour colour) {
  if (bar.width == 0) return {};
  if (!bar.share) return painted(colour, Ink::dim, repeated("┄", bar.width));
  const std::size_t halves = steps_of(*bar.share, bar.width * 2);
  const std::string filled = repeated("━", halves / 2) + (halves % 2 ? "╸" : "");
  return painted(colour, bar.ink, filled) +
         painted(colour, Ink::dim, repeated("─", bar.width - (halves + 1) / 2));
}

std::string amount_text(const std::optional<Share>& share, std::int64_t have, std::size_t width) {
  if (width == 0) return {};
  const std::string percent = share ? fmt::format("{:>3}%", steps_of(*share, 100)) : "";
  if (width == kPercent) return right_aligned(percent, width);
  if (!share) return right_aligned(bytes_text(have), width);
  return left_aligned(percent + " of " + bytes_text(share->whole), width);
}

// The last two columns: speed and time left, or the status of a file that is not downloading.
struct Tempo {
  double speed = 0;
  std::optional<std::chrono::seconds> left{};
  std::optional<std::chrono::seconds> least{};  // If `left` is unknown.
  std::string status{};
};

// "2:10", or "≥ 2:10" if it may be more. A long time is shortened to whole hours.
std::string tempo_left(const Tempo& tempo) {
  if (tempo.left) return left_text(*tempo.left);
  if (!tempo.least) return {};
  std::string text = "≥ " + left_text(*tempo.least);
  if (columns_of(text) <= kLeft) return text;
  return fmt::format("≥ {} h", tempo.least->count() / 3'600);
}

std::string tempo_text(const Tempo& tempo, const Layout& layout, Colour colour) {
  if (layout.speed == 0) return {};
  const std::string gap(kGap, ' ');
  if (!tempo.status.empty())
    return gap + painted(colour, Ink::yellow, cut(tempo.status, layout.speed + kGap + layout.left));
  return gap + right_aligned(speed_text(tempo.speed), layout.speed) + gap +
         right_aligned(tempo_left(tempo), layout.left);
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string file_line(const FileView& file, const Layout& layout, Colour colour) {
  const bool moves = file.status.empty() || file.status == "Downloading";
  const std::optional<Share> share = share_of(file.have, file.size);
  const std::string gap(kGap, ' ');
  std::string line = painted(colour, moves ? Ink::cyan : Ink::yellow, moves ? "↓" : "·") + " ";
  line += left_aligned(shortened(printable(file.name), layout.name), layout.name) + gap;
  if (layout.bar > 0) line += bar_text({share, layout.bar, Ink::cyan}, colour) + gap;
  line += amount_text(share, file.have, layout.amount);
  return trimmed(line + tempo_text({file.speed, file.eta, {}, moves ? "" : shown(file.status)},
                                   layout, colour));
}

// The total is known once enumeration is complete (A2-10). If sizes are unknown, files count
// instead, failed ones too (A2-8).
std::optional<Share> total_share(const GetView& view) {
  if (!view.enumerated) return std::nullopt;
  if (view.size_bytes) return share_of(view.have_bytes, view.size_bytes);
  return share_of(view.downloaded + view.skipped + view.failed, view.total);
}

// "25% of 4.0 GiB" if all sizes are known. Otherwise the percentage is that of the files. After it
// comes what the known sizes add up to, "50%, ≥ 4.0 GiB", or what has arrived if none is known,
// "50%, 1.0 GiB".
std::string total_amount(const GetView& view, std::size_t width) {
  const std::optional<Share> share = total_share(view);
  if (width <= kPercent || (share && view.size_bytes))
    return amount_text(share, view.have_bytes, width);
  const std::string bytes =
      view.size_least ? "≥ " + bytes_text(*view.size_least) : bytes_text(view.have_bytes);
  if (!share) return right_aligned(bytes, width);
  return left_aligned(fmt::format("{:>3}%, {}", steps_of(*share, 100), bytes), width);
}

// The total's bar starts under the other bars if the counts leave room, else after the counts. If
// there is no room at all, it is left out.
std::string total_line(const GetView& view, const Layout& layout, Colour colour) {
  const std::string gap(kGap, ' ');
  const std::string counts = count_line(view, " · ");
  const std::size_t room = layout.name + (layout.bar > 0 ? kGap + layout.bar : 0);
  const std::size_t name = std::max(std::min(columns_of(counts), room), layout.name);
  const std::size_t bar = layout.bar > 0 && room >= name + kGap + kBarMin ? room - name - kGap : 0;
  std::string line(kMark, ' ');
  line += painted(colour, Ink::bold, left_aligned(counts, bar > 0 ? name : room)) + gap;
  if (bar > 0) line += bar_text({total_share(view), bar, Ink::green}, colour) + gap;
  line += total_amount(view, layout.amount);
  return trimmed(line + tempo_text({view.speed, view.eta, view.eta_least, ""}, layout, colour));
}

}  // namespace

namespace {

std::string proof_of(const ItemEnd& item) {
  return item.evidence == "already_here" ? "already here" : shown(item.evidence);
}

}  // namespace

std::string shown(std::string_view text) { return printable(redacted(text)); }

std::string count_line(const GetView& view, std::string_view between) {
  std::string line = fmt::format("{} of {}{} {}{}", count_text(view.downloaded),
                                 count_text(view.total), view.enumerated ? "" : "+", view.noun,
                                 view.total == 1 && view.enumerated ? "" : "s");
  if (view.failed > 0) line += fmt::format("{}{} failed", between, count_text(view.failed));
  if (view.skipped > 0) line += fmt::format("{}{} skipped", between, count_text(view.skipped));
  return line;
}

std::string ended_line(const ItemEnd& item, Colour colour) {
  const std::string name = printable(item.name);
  if (item.ok && !item.skipped) {
    const std::string detail = item.detail.empty() ? "" : "  " + shown(item.detail);
    const std::string evidence = item.evidence.empty() ? "" : fmt::format(" ({})", proof_of(item));
    const std::string size = item.size < 0 ? "" : "  " + bytes_text(item.size);
    return painted(colour, Ink::green, "✓") + " " + name + size +
           painted(colour, Ink::dim, evidence) + detail;
  }
  const std::string detail = item.detail.empty() ? "" : fmt::format(" ({})", shown(item.detail));
  const std::string reason = item.reason.empty() ? "" : ": " + shown(item.reason) + detail;
  if (item.skipped) return painted(colour, Ink::yellow, "·") + " " + name + "  skipped" + reason;
  const std::string from = item.url.empty() ? "" : "  " + shown(item.url);
  return painted(colour, Ink::red, "✗") + " " + name + "  failed" + reason +
         painted(colour, Ink::dim, from);
}

std::vector<std::string> bar_lines(const GetView& view, ScreenSize size, Colour colour) {
  const std::size_t width = (size.columns > 0 ? size.columns : 80) - 1;
  const std::size_t rows = size.rows > 0 ? size.rows : 24;
  if (width < kNarrowest) return {cut(count_line(view, " · "), width)};
  const Layout layout = layout_for(width);
  const std::size_t other_rows = view.remark.empty() ? 3 : 4;  // Total, "more", cursor, remark.
  const std::size_t room = rows > other_rows ? std::min(rows - other_rows, kFilesMax) : 0;
  const std::size_t drawn = std::min(view.active.size(), room);
  const auto more = static_cast<std::int64_t>(view.active.size() - drawn);

  std::vector<std::string> lines;
  lines.reserve(drawn + other_rows);
  for (std::size_t i = 0; i < drawn; ++i)
    lines.push_back(file_line(view.active[i], layout, colour));
  if (more > 0 && drawn > 0)
    lines.push_back(painted(colour, Ink::dim, cut("  … and " + count_text(more) + " more", width)));
  const bool alone = view.enumerated && view.total == 1 && drawn == 1;  // Its line is the total.
  if (!alone) lines.push_back(total_line(view, layout, colour));
  if (!view.remark.empty())
    lines.push_back(painted(colour, Ink::yellow, cut("  " + shown(view.remark), width)));
  return lines;
}

}  // namespace haul::cli
