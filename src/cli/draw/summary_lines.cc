#include "cli/draw/summary_lines.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "cli/draw/bytes.h"
#include "cli/draw/hint.h"
#include "cli/draw/progress_lines.h"

namespace haul::cli {
namespace {

constexpr std::size_t kReasonsMax = 10;
constexpr std::size_t kFilesMax = 10;  // Per reason.

struct Group {
  std::string reason;
  std::vector<const ItemEnd*> items;
};

// Groups by reason, in the order in which the reasons first occur.
std::vector<Group> grouped(const std::vector<ItemEnd>& failures) {
  std::vector<Group> groups;
  for (const ItemEnd& item : failures) {
    const auto same = std::ranges::find(groups, item.reason, &Group::reason);
    if (same != groups.end())
      same->items.push_back(&item);
    else
      groups.push_back({item.reason, {&item}});
  }
  return groups;
}

std::string files_text(std::int64_t count) {
  return count_text(count) + (count == 1 ? " file" : " files");
}

std::string and_more(std::size_t more, std::string_view indent) {
  return fmt::format("{}… and {} more", indent, count_text(static_cast<std::int64_t>(more)));
}

// The hint, with the way to try again that fits here. Empty if there is none.
std::string hint_text(const Group& group, const std::string& again) {
  constexpr std::string_view kUsual = "run the same command again";
  std::string hint{hint_for(group.reason)};
  const std::size_t at = hint.find(kUsual);
  if (at == std::string::npos) return hint;
  return again.empty() ? "" : hint.replace(at, kUsual.size(), again);
}

void add_group(const Group& group, const GetSummary& summary, Colour colour,
               std::vector<std::string>& lines) {
  const auto count = static_cast<std::int64_t>(group.items.size());
  lines.push_back(fmt::format("{} {} failed: {}", painted(colour, Ink::red, "✗"), count_text(count),
                              painted(colour, Ink::bold, shown(group.reason))));
  const std::string hint = hint_text(group, summary.again);
  if (!hint.empty()) lines.push_back("  → " + hint);
  std::vector<const ItemEnd*> unnamed;
  std::ranges::copy_if(group.items, std::back_inserter(unnamed),
                       [](const ItemEnd* item) { return !item->is_told; });
  for (std::size_t i = 0; i < std::min(unnamed.size(), kFilesMax); ++i) {
    const ItemEnd& item = *unnamed[i];
    const std::string detail = item.detail.empty() ? "" : "  " + shown(item.detail);
    lines.push_back("    " + printable(item.name) + detail);
    if (!item.url.empty()) lines.push_back(painted(colour, Ink::dim, "      " + shown(item.url)));
  }
  if (unnamed.size() > kFilesMax) lines.push_back(and_more(unnamed.size() - kFilesMax, "    "));
}

void add_failures(const GetSummary& summary, Colour colour, std::vector<std::string>& lines) {
  const std::vector<Group> groups = grouped(summary.failures);
  std::size_t named = 0;
  for (std::size_t i = 0; i < std::min(groups.size(), kReasonsMax); ++i) {
    add_group(groups[i], summary, colour, lines);
    named += groups[i].items.size();
  }
  const auto failed = static_cast<std::size_t>(std::max<std::int64_t>(summary.failed, 0));
  if (failed > named) lines.push_back(and_more(failed - named, "✗ ") + " failed");
}

// "37 of 40 files, 5.2 GiB in 2:10, 40.9 MiB/s"; names the total only if something is missing.
// Resumed bytes count for the size, not for the speed.
std::string arrived_text(const GetSummary& summary) {
  const bool all = summary.downloaded == summary.total;
  std::string files =
      all ? files_text(summary.downloaded)
          : fmt::format("{} of {}", count_text(summary.downloaded), files_text(summary.total));
  if (summary.bytes < 0) return files;
  std::string text = fmt::format("{}, {}", files, bytes_text(summary.bytes));
  if (summary.resumed > 0) text += fmt::format(" ({} resumed)", bytes_text(summary.resumed));
  text += " in " + passed_text(summary.passed);
  const std::int64_t received = summary.bytes - summary.resumed;
  if (received > 0 && summary.passed > Millis{0}) {
    const double seconds = std::chrono::duration<double>(summary.passed).count();
    text += ", " + speed_text(static_cast<double>(received) / seconds);
  }
  return text;
}

void add_ending(const GetSummary& summary, Colour colour, std::vector<std::string>& lines) {
  switch (summary.ending) {
    case GetEnding::finished:
      return;
    case GetEnding::interrupted:
      lines.push_back(painted(colour, Ink::yellow, "Stopped.") +
                      " Downloaded data is kept; run the same command again to resume.");
      return;
    case GetEnding::cancelled:
      lines.push_back(painted(colour, Ink::yellow, "Cancelled.") +
                      " Complete files stay; partial files are deleted.");
      return;
    case GetEnding::abandoned:
      lines.push_back(painted(colour, Ink::yellow, "Cancelled.") +
                      " Complete files stay; the next run or --clean removes partial files that "
                      "are left.");
      return;
  }
}

}  // namespace

std::vector<std::string> summary_lines(const GetSummary& summary, Colour colour) {
  std::vector<std::string> lines;
  add_failures(summary, colour, lines);
  if (summary.skipped > 0)
    lines.push_back(fmt::format("{} {} skipped", painted(colour, Ink::yellow, "·"),
                                count_text(summary.skipped)));
  const bool has_none = summary.total == 0 && summary.ending == GetEnding::finished;
  if (has_none && summary.failed > 0) return lines;  // The job failed before it had a file.
  if (has_none)
    lines.emplace_back("There was nothing to download.");
  else if (summary.downloaded > 0)
    lines.push_back(painted(colour, Ink::green, "✓") + " " + arrived_text(summary));
  else
    lines.push_back("· " + arrived_text(summary));
  add_ending(summary, colour, lines);
  return lines;
}

}  // namespace haul::cli
