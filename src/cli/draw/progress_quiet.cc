// The progress of `haul get -q`: nothing but what failed, and what everything waits for.

#include <fmt/core.h>

#include "base/text.h"
#include "cli/draw/progress_forms.h"
#include "cli/draw/progress_lines.h"

namespace haul::cli {
namespace {

class QuietProgress final : public Progress {
 public:
  explicit QuietProgress(Screen& screen) : screen_{screen} {}

  // A command that waits without a word looks as if it hung.
  void show(const GetView& view, Steady) override {
    if (view.remark == remark_) return;
    remark_ = view.remark;
    if (remark_.starts_with("Waiting: ")) screen_.write(fmt::format("haul: {}\n", shown(remark_)));
  }
  void ended(std::span<const ItemEnd> items) override {
    for (const ItemEnd& item : items)
      if (!item.ok && !item.skipped) tell(item);
  }
  void say(std::string_view) override {}
  void finish(const GetSummary& summary) override {
    for (const ItemEnd& failure : summary.failures)
      if (failure.url.empty()) tell(failure);  // The job itself: no item told it.
  }

 private:
  void tell(const ItemEnd& item) {
    const std::string detail = item.detail.empty() ? "" : fmt::format(" ({})", shown(item.detail));
    screen_.write(fmt::format("haul: {}: {}{}\n",
                              item.url.empty() ? printable(item.name) : shown(item.url),
                              shown(item.reason), detail));
  }

  Screen& screen_;
  std::string remark_;  // As last seen.
};

}  // namespace

std::unique_ptr<Progress> quiet_progress(Screen& screen) {
  return std::make_unique<QuietProgress>(screen);
}

}  // namespace haul::cli
