// Progress as JSON lines, for programs.
#include <fmt/core.h>

#include <algorithm>

#include "base/json.h"
#include "base/redact.h"
#include "base/text.h"
#include "cli/draw/hint.h"
#include "cli/draw/pace.h"
#include "cli/draw/progress_forms.h"

namespace haul::cli {
namespace {

constexpr Millis kProgressEvery{1'000};
constexpr std::size_t kActiveMax = 100;

std::string escaped(std::string_view json) {
  std::string safe;
  for (std::size_t at = 0; at < json.size();) {
    std::size_t end = at + 1;
    while (end < json.size() && (static_cast<unsigned char>(json[end]) & 0xc0U) == 0x80) ++end;
    const std::string_view letter = json.substr(at, end - at);
    const std::string seen = printable(letter);  // The letter, or \u{N} in hex.
    if (seen == letter)
      safe += letter;
    else
      safe += fmt::format("\\u{:0>4}", seen.substr(3, seen.size() - 4));
    at = end;
  }
  return safe;
}

// Programs get the text unchanged, but anything that could control a terminal is written as a JSON
// escape, in case a person watches.
std::string literal(std::string_view text) {
  const std::string json = json_quoted(text);
  return printable(json) == json ? json : escaped(json);
}

std::string literal_or_null(std::string_view text) { return text.empty() ? "null" : literal(text); }

std::string number_or_null(std::optional<std::int64_t> number) {
  return number ? fmt::format("{}", *number) : "null";
}

std::string seconds_or_null(std::optional<std::chrono::seconds> time) {
  return time ? fmt::format("{}", time->count()) : "null";
}

std::int64_t whole(double number) {
  return number > 0 && number < 9.0e18 ? static_cast<std::int64_t>(number) : 0;
}

// A2-1: completed is downloaded and skipped together.
template <class T>
std::string counts_json(const T& of) {
  return fmt::format(R"("total":{},"completed":{},"downloaded":{},"skipped":{},"failed":{})",
                     of.total, of.downloaded + of.skipped, of.downloaded, of.skipped, of.failed);
}

std::string file_json(const FileView& file) {
  return fmt::format(R"({{"item":{},"name":{},"url":{},"path":{},"have_bytes":{},"size_bytes":{},)"
                     R"("speed_bytes_per_s":{},"eta_s":{},"status":{}}})",
                     file.item, literal(file.name), literal(redacted(file.url)),
                     literal_or_null(file.path), file.have, number_or_null(file.size),
                     whole(file.speed), seconds_or_null(file.eta), literal(redacted(file.status)));
}

std::string progress_json_line(const GetView& view) {
  std::string active;
  for (std::size_t i = 0; i < std::min(view.active.size(), kActiveMax); ++i)
    active += (i > 0 ? "," : "") + file_json(view.active[i]);
  return fmt::format(
      R"({{"type":"progress",{},"enumeration_complete":{},"have_bytes":{},"size_bytes":{},)"
      R"("speed_bytes_per_s":{},"eta_s":{},"size_least_bytes":{},"eta_least_s":{},"note":{},)"
      R"("active":[{}]}})",
      counts_json(view), view.enumerated, view.have_bytes, number_or_null(view.size_bytes),
      whole(view.speed), seconds_or_null(view.eta), number_or_null(view.size_least),
      seconds_or_null(view.eta_least), literal_or_null(redacted(view.remark)), active);
}

std::string_view outcome_of(const ItemEnd& item) {
  if (item.skipped) return "skipped";
  return item.ok ? "completed" : "failed";
}

std::string item_json(const ItemEnd& item) {
  return fmt::format(
      R"({{"type":"item","name":{},"url":{},"outcome":"{}","size_bytes":{},"reason":{},)"
      R"("detail":{},"evidence":{}}})",
      literal(item.name), literal(redacted(item.url)), outcome_of(item), item.size,
      literal_or_null(item.reason), literal_or_null(redacted(item.detail)),
      literal_or_null(item.evidence));
}

std::string failure_json(const ItemEnd& item) {
  return fmt::format(R"({{"name":{},"url":{},"reason":{},"detail":{},"hint":{}}})",
                     literal(item.name), literal(redacted(item.url)), literal(item.reason),
                     literal_or_null(redacted(item.detail)), literal(hint_for(item.reason)));
}

std::string_view word_of(GetEnding ending) {
  switch (ending) {
    case GetEnding::finished:
      return "finished";
    case GetEnding::interrupted:
      return "interrupted";
    case GetEnding::cancelled:
    case GetEnding::abandoned:
      return "cancelled";
  }
  return "";
}

std::string summary_json(const GetSummary& summary) {
  std::string failures;
  for (const ItemEnd& item : summary.failures)
    failures += (failures.empty() ? "" : ",") + failure_json(item);
  const bool success = summary.ending == GetEnding::finished && summary.failed == 0 &&
                       summary.downloaded + summary.skipped == summary.total;
  return fmt::format(
      R"({{"type":"summary","success":{},"ending":"{}",{},"bytes":{},"resumed_bytes":{},)"
      R"("passed_ms":{},"failures":[{}]}})",
      success, word_of(summary.ending), counts_json(summary), summary.bytes, summary.resumed,
      summary.passed.count(), failures);
}

class JsonProgress final : public Progress {
 public:
  explicit JsonProgress(Screen& screen) : screen_(screen) {}

  void show(const GetView& view, Steady now) override {
    if (pace_.is_due(now)) write(progress_json_line(view));
  }
  void ended(std::span<const ItemEnd> items) override {
    std::string lines;
    for (const ItemEnd& item : items) lines += item_json(item) + "\n";
    if (!lines.empty()) screen_.write(lines);
  }
  void say(std::string_view line) override {
    write(fmt::format(R"({{"type":"note","text":{}}})", literal(redacted(line))));
  }
  void finish(const GetSummary& summary) override { write(summary_json(summary)); }

 private:
  void write(const std::string& line) { screen_.write(line + "\n"); }

  Screen& screen_;
  Pace pace_{kProgressEvery};
};

}  // namespace

std::unique_ptr<Progress> json_progress(Screen& screen) {
  return std::make_unique<JsonProgress>(screen);
}

}  // namespace haul::cli
