// The progress of `haul get -q`: nothing but what failed.

#include <fmt/core.h>

#include "base/text.h"
#include "cli/draw/progress_forms.h"
#include "cli/draw/progress_lines.h"

namespace haul::cli {
namespace {

class QuietProgress final : public Progress {
 public:
  explicit QuietProgress(Screen& screen) : screen_{screen} {}

  void show(const GetView&, Steady) override {}
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
};

}  // namespace

std::unique_ptr<Progress> quiet_progress(Screen& screen) {
  return std::make_unique<QuietProgress>(screen);
}

}  // namespace haul::cli
