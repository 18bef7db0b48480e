#include "cli/draw/progress.h"

#include <fmt/core.h>

#include "base/text.h"
#include "cli/draw/pace.h"
#include "cli/draw/progress_forms.h"
#include "cli/draw/progress_lines.h"
#include "cli/draw/summary_lines.h"
#include "cli/draw/width.h"

namespace haul::cli {
namespace {

constexpr Millis kFrame{100};
constexpr std::string_view kEraseLine = "\x1b[K";  // From the cursor to the end of the line.
constexpr std::string_view kEraseBelow = "\x1b[J";

// Keeps the bars below all other output. The cursor rests at the start of the row under them, so
// that the next frame wipes a "^C" that the terminal echoes.
class TerminalProgress final : public Progress {
 public:
  TerminalProgress(Screen& screen, Colour colour) : screen_(screen), colour_(colour) {}
  TerminalProgress(const TerminalProgress&) = delete;
  TerminalProgress& operator=(const TerminalProgress&) = delete;
  ~TerminalProgress() override {
    if (!above_.empty()) draw({});
  }

  void show(const GetView& view, Steady now) override {
    if (pace_.is_due(now)) draw(bar_lines(view, screen_.size(), colour_));
  }

  // Waits for the next frame, so that thousands of small files do not make thousands of frames.
  void ended(std::span<const ItemEnd> items) override {
    for (const ItemEnd& item : items) above_ += ended_line(item, colour_) + "\n";
  }
  void say(std::string_view line) override {
    above_ += shown(line) + "\n";
    draw(bars_);
  }

  void finish(const GetSummary& summary) override {
    for (const std::string& line : summary_lines(summary, colour_)) above_ += line + "\n";
    draw({});
  }

 private:
  // One write, so that no half frame is visible. A line is erased after its text, because erasing
  // before it would flicker. Text that scrolls may be longer than a row, so everything below is
  // erased first.
  void draw(std::vector<std::string> bars) {
    std::string frame = "\r";
    if (const std::size_t rows = rows_drawn(); rows > 0) frame += fmt::format("\x1b[{}A", rows);
    if (!above_.empty()) frame.append(kEraseBelow) += above_;
    for (const std::string& bar : bars) frame.append(bar).append(kEraseLine) += "\n";
    frame += kEraseBelow;
    screen_.write(frame);
    above_.clear();
    bars_ = std::move(bars);
  }

  // If the window became narrower, the terminal has wrapped the bars.
  std::size_t rows_drawn() const {
    const std::size_t columns = screen_.size().columns;
    std::size_t rows = 0;
    for (const std::string& bar : bars_) {
      const std::size_t width = columns_of(unpainted(bar));
      rows += columns == 0 || width <= columns ? 1 : (width + columns - 1) / columns;
    }
    return rows;
  }

  Screen& screen_;
  Colour colour_;
  Pace pace_{kFrame};
  std::vector<std::string> bars_;  // As they stand on the screen.
  std::string above_;              // Scrolls away above them with the next frame.
};

}  // namespace

ProgressForm form_for(const Surroundings& around) {
  if (around.wants_json) return ProgressForm::json;
  return around.is_terminal && around.term != "dumb" ? ProgressForm::terminal : ProgressForm::plain;
}

Colour colour_for(const Surroundings& around) {
  const bool wanted = form_for(around) == ProgressForm::terminal && around.no_color.empty();
  return wanted ? Colour::on : Colour::off;
}

std::unique_ptr<Progress> open_progress(ProgressForm form, Colour colour, Screen& screen) {
  switch (form) {
    case ProgressForm::plain:
      return plain_progress(screen);
    case ProgressForm::json:
      return json_progress(screen);
    case ProgressForm::terminal:
      return std::make_unique<TerminalProgress>(screen, colour);
  }
  return plain_progress(screen);
}

}  // namespace haul::cli
