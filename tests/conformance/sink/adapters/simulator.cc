// The simulator's fake sinks join the suite of sinks.

#include <set>
#include <utility>

#include "conformance/simulated.h"
#include "conformance/sink/sink.h"

namespace haul::conformance {
namespace {

struct Fake {
  Sink& (*sink)(const flow::Outside& outside);
  std::size_t (*kept)(const sim::WorldLedger& ledger, const std::vector<Sight>& sights);
  std::map<SinkRule, std::string> exempt;
};

constexpr const char* kNoProgress = "It has no progress.";
constexpr const char* kAtRandom = "It fails at random only.";
constexpr const char* kLate = "It delivers late sights on purpose.";
constexpr const char* kNotAsked = "The flow never asks it.";

class SimulatedSink final : public SinkBench {
 public:
  explicit SimulatedSink(Fake fake) : fake_{std::move(fake)} {}

  Sink& sink() override { return fake_.sink(outside_.outside()); }
  bool until(const So& so, Millis within) override { return outside_.until(so, within); }
  Parcel parcel(Pace) override {
    return {.job = kJob, .fence = 1, .request = "{}", .path = "/downloads/1", .size = 1'000};
  }
  std::size_t kept() const override { return fake_.kept(outside_.ledger(), sights.all()); }
  bool has_source(Pace) const override { return !has_no_source(); }
  bool has_no_source() const override { return outside_.ledger().cleaned.contains(kJob.value); }
  std::string exempt(SinkRule rule) const override {
    const auto found = fake_.exempt.find(rule);
    return found == fake_.exempt.end() ? "" : found->second;
  }

 private:
  static constexpr JobId kJob{1};

  const Fake fake_;
  Simulated outside_;
};

// The fake library has no list of files: every path that it reported is one.
std::size_t paths_landed(const sim::WorldLedger&, const std::vector<Sight>& sights) {
  std::set<std::string> paths;
  for (const Sight& sight : sights)
    if (const auto* landed = std::get_if<Landed>(&sight.what))
      for (const PlacedFile& file : landed->files) paths.insert(file.path);
  return paths.size();
}

const Fake kLibrary{
    .sink = [](const flow::Outside& outside) -> Sink& { return outside.library; },
    .kept = [](const sim::WorldLedger& ledger, const std::vector<Sight>& sights) -> std::size_t {
      // After a clean the sights are those of the clean.
      return ledger.cleaned.empty() ? paths_landed(ledger, sights) : 1;
    },
    .exempt = {{SinkRule::checks_copies, "It removes what the flow says, to show its mistakes."},
               {SinkRule::tells_progress, kNoProgress},
               {SinkRule::quiet_after_end, kLate},
               {SinkRule::fails, kAtRandom}}};

const Fake kChat{
    .sink = [](const flow::Outside& outside) -> Sink& { return outside.chat; },
    .kept = [](const sim::WorldLedger& ledger, const std::vector<Sight>&) -> std::size_t {
      return ledger.sent.size();
    },
    .exempt = {{SinkRule::keeps_one, "A message cannot be replaced: the flow decides to resend."},
               {SinkRule::verifies, kNotAsked},
               {SinkRule::cleans, kNotAsked},
               {SinkRule::tells_progress, kNoProgress},
               {SinkRule::stops, "A message is sent at once: its answer is the answer to a stop."},
               {SinkRule::fails, kAtRandom}}};

const Fake kBucket{
    .sink = [](const flow::Outside& outside) -> Sink& { return outside.bucket; },
    .kept = [](const sim::WorldLedger& ledger, const std::vector<Sight>&) -> std::size_t {
      return ledger.kept.size();
    },
    .exempt = {{SinkRule::verifies, kNotAsked},
               {SinkRule::cleans, kNotAsked},
               {SinkRule::tells_progress, kNoProgress},
               {SinkRule::quiet_after_end, kLate},
               {SinkRule::fails, kAtRandom}}};

const Joins<SinkBench> kJoinsLibrary{"simulated library",
                                     [] { return std::make_unique<SimulatedSink>(kLibrary); }};
const Joins<SinkBench> kJoinsChat{"simulated chat",
                                  [] { return std::make_unique<SimulatedSink>(kChat); }};
const Joins<SinkBench> kJoinsBucket{"simulated bucket",
                                    [] { return std::make_unique<SimulatedSink>(kBucket); }};

}  // namespace
}  // namespace haul::conformance
