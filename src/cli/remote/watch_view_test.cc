#include "cli/remote/watch_view.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "cli/draw/summary_lines.h"

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

TEST_CASE("the view of a watched job has its whole size, or says at least, and what it waits for") {
  const auto view = [](const std::string& job, const std::string& progress) {
    return view_of_job(JsonView::read(job).value(), JsonView::read(progress).value());
  };
  const std::string running =
      R"({"id":4,"state":"RUNNING","end":"open","counts":{"total":2,"enumerated":false}})";
  GetView some = view(running, R"({"have":5,"size":null,"speed":2,"eta":null,"size_least":9,)"
                               R"("eta_least":2,"waits_for":null,"items":[]})");
  CHECK_FALSE(some.enumerated);
  CHECK_FALSE(some.size_bytes);
  CHECK(some.size_least == 9);
  CHECK(some.eta_least == std::chrono::seconds{2});
  CHECK(some.remark.empty());

  CHECK(view(running, R"({"have":5,"waits_for":"h.example","items":[]})").remark ==
        "Waiting for h.example");
}

TEST_CASE("a watched job that is paused keeps its numbers, but not its speed") {
  const auto job =
      JsonView::read(R"({"id":4,"state":"PENDING","end":"open","paused":true,"counts":{"total":2},)"
                     R"("progress":{"have":6,"size":9,"speed":0,"eta":null}})");
  const auto before = JsonView::read(
      R"({"have":5,"size":9,"speed":3,"eta":1,"items":[{"n":1,"name":"a","have":5}]})");

  const GetView view = view_of_job(job.value(), before.value());

  CHECK(view.have_bytes == 6);
  CHECK(view.size_bytes == 9);
  CHECK(view.speed == 0);
  CHECK_FALSE(view.eta);
  CHECK(view.active.empty());
  CHECK(view.remark == "Paused: haul resume 4 continues it");
}

TEST_CASE("a failed job that cannot be retried is shown without that advice") {
  const auto lines = [](const char* allowed) {
    const std::string job = fmt::format(
        R"({{"id":3,"lifecycle":"relay","end":"bad","reason":"too_large","detail":"2 bytes",)"
        R"("allowed":[{}],"counts":{{"total":0}}}})",
        allowed);
    std::string text;
    for (const std::string& line :
         summary_lines(summary_of(JsonView::read(job).value()), Colour::off))
      text += line + "\n";
    return text;
  };
  CHECK(lines("") == "✗ 1 failed: too_large\n    the whole job  2 bytes\n");
  CHECK(lines(R"("retry")").find("haul retry 3") != std::string::npos);
}

}  // namespace haul::cli
