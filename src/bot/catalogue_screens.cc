#include "bot/catalogue_screens.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "bot/label.h"
#include "lifecycle/table.h"

namespace haul::bot {
namespace {

constexpr std::size_t kTitleMax = 200;  // Characters.

using Verb = Press::Verb;
using Row = std::vector<ScreenButton>;

std::string words(Language language, Text which) { return std::string{text(language, which)}; }

template <class Value>
std::string words(Language language, Text which, const Value& value) {
  return fmt::format(fmt::runtime(text(language, which)), value);
}

ScreenButton button(Language language, Text label, Press press) {
  return {words(language, label), press};
}

std::string size_text(std::int64_t bytes) {
  constexpr std::array kUnits = {"B", "KB", "MB", "GB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 1'000 && unit + 1 < kUnits.size(); ++unit) size /= 1'000;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", size, kUnits[unit]);
}

// Buttons to the pages before and after this one.
void add_pager(BotScreen& screen, Language language, std::size_t total, std::size_t page,
               const Press& to) {
  Row row;
  if (page > 0) row.push_back(button(language, Text::previous, {to.verb, to.id, page - 1}));
  if ((page + 1) * kPageSize < total)
    row.push_back(button(language, Text::next, {to.verb, to.id, page + 1}));
  if (!row.empty()) screen.rows.push_back(std::move(row));
}

void add_entries(BotScreen& screen, const EntryPage& shown) {
  for (const BotEntry& entry : shown.entries)
    screen.rows.push_back(
        {{(entry.is_folder ? "📁 " : "") + label_of(entry.name), {Verb::open, entry.id.value, 0}}});
}

struct PlainReason {
  std::string_view code;
  Text text;
};
constexpr std::array kReasons = {
    PlainReason{"too_large", Text::why_too_big},
    PlainReason{"disk_not_found", Text::why_not_found},
    PlainReason{"delivery_unknown", Text::why_unknown},
    PlainReason{"user_inactive", Text::why_no_access},
    PlainReason{"chat_blocked", Text::why_chat},
    PlainReason{"chat_forbidden", Text::why_chat},
    PlainReason{"chat_not_found", Text::why_chat},
};

std::string why_failed(Language language, std::string_view reason) {
  const auto found = std::ranges::find(kReasons, reason, &PlainReason::code);
  return words(language, found == kReasons.end() ? Text::why_other : found->text);
}

std::string open_words(Language language, const Job& job, const std::optional<JobBytes>& bytes) {
  const Step step = job.state().step;
  if (asks_to_send_again(job)) return words(language, Text::maybe_sent);
  if (step == Step::claim) return words(language, Text::queued);
  if (step == Step::plan) return words(language, Text::starting);
  if (!bytes || !bytes->size || *bytes->size <= 0) return words(language, Text::loading);
  const std::int64_t percent = std::clamp<std::int64_t>(bytes->have * 100 / *bytes->size, 0, 100);
  return words(language, Text::loading_percent, percent);
}

std::string state_words(Language language, const Job& job, const std::optional<JobBytes>& bytes) {
  switch (job.state().end) {
    case End::open:
      return open_words(language, job, bytes);
    case End::good:
      return words(language, Text::done);
    case End::bad:
      return words(language, Text::failed, why_failed(language, job.reason));
    case End::stopped:
      return words(language, job.version.state == "EXPIRED" ? Text::expired : Text::cancelled);
  }
  return {};
}

}  // namespace

bool asks_to_send_again(const Job& job) {
  return job.state().is_open() && job.paused && job.reason == "delivery_unknown";
}

BotScreen folder_screen(Language language, const BotEntry& folder, const EntryPage& shown,
                        std::size_t page) {
  const bool is_root = !folder.parent;
  BotScreen screen{is_root ? words(language, Text::library) : label_of(folder.name, kTitleMax)};
  if (shown.total == 0) screen.text += "\n" + words(language, Text::nothing_here);
  add_entries(screen, shown);
  add_pager(screen, language, shown.total, page, {Verb::open, folder.id.value, 0});
  if (!is_root)
    screen.rows.push_back({button(language, Text::back, {Verb::open, folder.parent.value, 0}),
                           button(language, Text::to_start, {Verb::home, 0, 0})});
  return screen;
}

BotScreen file_screen(Language language, const BotEntry& file) {
  return {fmt::format("{}\n{}", label_of(file.name, kTitleMax), size_text(file.size)),
          {{button(language, Text::download, {Verb::download, file.id.value, 0})},
           {button(language, Text::back, {Verb::open, file.parent.value, 0})}}};
}

BotScreen found_screen(Language language, const EntryPage& shown, std::size_t page) {
  BotScreen screen{shown.total == 0 ? words(language, Text::nothing_found)
                                    : words(language, Text::found, shown.total)};
  add_entries(screen, shown);
  add_pager(screen, language, shown.total, page, {Verb::found, 0, 0});
  screen.rows.push_back({button(language, Text::to_start, {Verb::home, 0, 0})});
  return screen;
}

BotScreen job_screen(Language language, const std::optional<BotEntry>& file, const Job& job,
                     const std::optional<JobBytes>& bytes) {
  BotScreen screen{file ? label_of(file->name, kTitleMax) + "\n" : std::string{}};
  screen.text += state_words(language, job, bytes);
  const State& state = job.state();
  if (state.is_open()) {
    if (state.step == Step::claim)
      screen.rows.push_back(
          {button(language, Text::cancel, {Verb::cancel, job.version.id.value, 0})});
    return screen;
  }
  if (!file) return screen;
  screen.rows.push_back(
      {button(language, Text::download_again, {Verb::download, file->id.value, 0})});
  screen.rows.push_back({button(language, Text::back, {Verb::open, file->parent.value, 0})});
  return screen;
}

}  // namespace haul::bot
