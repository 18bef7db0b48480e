#include "app/get_report.h"

#include <doctest/doctest.h>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

// A batch of two items, and what `haul get` would show of it.
struct ReportBench {
  ReportBench() {
    s.worker().listen([this](const flow::ItemEnded& item) { report.see(item); });
    report.set_job(id);
    s.tick();
    s.reply("http.plan", Planned{.items = {{.key = "a", .url = "https://h.example/a.bin"},
                                           {.key = "b", .url = "https://h.example/b.bin"}}});
  }

  Stage s;
  const JobId id = s.add(kBatch);
  app::GetReport report{s.store(), s.clock};
};

}  // namespace

TEST_CASE("get shows what moves, and each item that ended once") {
  ReportBench b;
  const Call first = b.s.last("http.start");
  b.s.reply("http.start", Moving{.have = 40, .size = 100, .path = "/in/a.bin"});

  const cli::GetView moving = b.report.view(b.s.worker());
  CHECK(moving.total == 2);
  CHECK(moving.have_bytes == 40);
  CHECK(b.report.take_ended().empty());

  b.s.push(first, whole("/in/a.bin", 100));
  b.s.tick();
  const std::vector<cli::ItemEnd> ended = b.report.take_ended();
  REQUIRE(ended.size() == 1);
  CHECK(ended.front().ok);
  CHECK(ended.front().size == 100);
  CHECK(b.report.take_ended().empty());
  CHECK(b.report.view(b.s.worker()).have_bytes == 100);
}

TEST_CASE("get knows the size and the time of the whole job once all sizes are known") {
  ReportBench b;
  const Call call = b.s.last("http.start");
  b.s.push(call, Moving{.have = 0, .size = 100});
  b.s.tick();
  cli::GetView view = b.report.view(b.s.worker());
  CHECK_FALSE(view.size_bytes);
  CHECK(view.size_least == 100);

  b.s.clock.pass(std::chrono::seconds{1});
  b.s.push(call, Moving{.have = 50, .size = 100});
  b.s.tick();
  view = b.report.view(b.s.worker());
  CHECK(view.speed == 50);
  CHECK_FALSE(view.eta);
  CHECK(view.eta_least == std::chrono::seconds{1});
}

TEST_CASE("a failure of get that has its own line is not named again in the summary") {
  ReportBench b;
  b.s.reply("http.start", failed(FaultKind::permanent, "http_404"));

  REQUIRE(b.report.take_ended().size() == 1);
  const cli::GetSummary summary = b.report.summary(cli::GetEnding::finished);
  REQUIRE(summary.failures.size() == 1);
  CHECK(summary.failures.front().is_told);
}

TEST_CASE("the summary of get names a job that failed as a whole") {
  Stage s;
  const JobId id = s.add(kBatch);
  app::GetReport report{s.store(), s.clock};
  report.set_job(id);
  s.tick();
  CHECK(report.summary(cli::GetEnding::finished).failures.empty());
  s.reply("http.plan", failed(FaultKind::permanent, "http_404"));

  const cli::GetSummary summary = report.summary(cli::GetEnding::finished);
  CHECK(summary.ending == cli::GetEnding::finished);
  CHECK(summary.failed == 1);
  REQUIRE(summary.failures.size() == 1);
  CHECK(summary.failures.front().reason == "http_404");
}

TEST_CASE("the summary of get says that it was interrupted, or that its job was cancelled") {
  ReportBench cancelled;
  CHECK(cancelled.report.summary(cli::GetEnding::interrupted).ending ==
        cli::GetEnding::interrupted);
  REQUIRE(flow::cancel(cancelled.s.store(), cancelled.id, cancelled.s.clock.now()).wished);
  cancelled.s.worker().see_cancels();
  cancelled.s.live(std::chrono::seconds{3});
  CHECK(cancelled.report.summary(cli::GetEnding::finished).ending == cli::GetEnding::cancelled);
}

}  // namespace haul::testing
