// Progress as plain lines, for files and pipes.
#include <fmt/core.h>

#include <set>

#include "base/text.h"
#include "cli/draw/bytes.h"
#include "cli/draw/pace.h"
#include "cli/draw/progress_forms.h"
#include "cli/draw/progress_lines.h"
#include "cli/draw/summary_lines.h"

namespace haul::cli {
namespace {

constexpr Millis kTotalEvery{5'000};

// "3 of 40 files, 1 failed, 1.2 GiB of 5.2 GiB, 34.1 MiB/s, 2:10 left: the disk is full". While
// sizes are unknown: "1.2 GiB of at least 5.2 GiB, 34.1 MiB/s, at least 2:10 left".
std::string total_line(const GetView& view) {
  std::string line = count_line(view, ", ") + ", " + bytes_text(view.have_bytes);
  if (view.enumerated && view.size_bytes)
    line += " of " + bytes_text(*view.size_bytes);
  else if (view.size_least)
    line += " of at least " + bytes_text(*view.size_least);
  line += ", " + speed_text(view.speed);
  if (view.eta)
    line += ", " + left_text(*view.eta) + " left";
  else if (view.eta_least)
    line += ", at least " + left_text(*view.eta_least) + " left";
  if (!view.remark.empty()) line += ": " + shown(view.remark);
  return line;
}

class PlainProgress final : public Progress {
 public:
  explicit PlainProgress(Screen& screen) : screen_(screen) {}

  void show(const GetView& view, Steady now) override {
    const bool first = !begun_;
    begun_ = true;
    tell_retries(view);
    if (pace_.is_due(now) && !first) write(total_line(view));  // The first total would be zero.
  }
  void ended(std::span<const ItemEnd> items) override {
    std::string lines;
    for (const ItemEnd& item : items) lines += ended_line(item, Colour::off) + "\n";
    if (!lines.empty()) screen_.write(lines);
  }
  void say(std::string_view line) override { write(shown(line)); }
  void finish(const GetSummary& summary) override {
    for (const std::string& line : summary_lines(summary, Colour::off)) write(line);
  }

 private:
  void write(const std::string& line) { screen_.write(line + "\n"); }

  // One line per failed try: "· a.bin  Retrying in 4 s (http_503)".
  void tell_retries(const GetView& view) {
    std::set<std::int64_t> waiting;
    for (const FileView& file : view.active) {
      if (!file.retries) continue;
      waiting.insert(file.item);
      if (!retrying_.contains(file.item))
        write(fmt::format("· {}  {}", printable(file.name), shown(file.status)));
    }
    retrying_ = std::move(waiting);
  }

  Screen& screen_;
  Pace pace_{kTotalEvery};
  bool begun_ = false;
  std::set<std::int64_t> retrying_;  // Items that wait for another try, as last seen.
};

}  // namespace

std::unique_ptr<Progress> plain_progress(Screen& screen) {
  return std::make_unique<PlainProgress>(screen);
}

}  // namespace haul::cli
