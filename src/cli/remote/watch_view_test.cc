#include "cli/remote/watch_view.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

namespace haul::cli {
namespace {

GetSummary summary(const char* lifecycle, const char* outcome, int total) {
  const std::string job =
      fmt::format(R"({{"id":4,"lifecycle":"{}","end":"good","outcome":"{}","counts":{{"total":{},)"
                  R"("downloaded":{},"skipped":0,"failed":0}}}})",
                  lifecycle, outcome, total, total);
  return summary_of(JsonView::read(job).value());
}

}  // namespace

TEST_CASE("a job without items is one file; one that found no items is none, whatever its name") {
  for (const char* lifecycle : {"batch", "errand"}) {
    CAPTURE(lifecycle);
    CHECK(summary(lifecycle, "whole", 0).total == 1);
    CHECK(summary(lifecycle, "whole", 0).downloaded == 1);
    CHECK(summary(lifecycle, "nothing", 0).total == 0);
    CHECK(summary(lifecycle, "whole", 3).total == 3);
  }
}

}  // namespace haul::cli
