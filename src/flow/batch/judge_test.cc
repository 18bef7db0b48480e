// What a fault means for an item (document 002).

#include "flow/batch/judge.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

using namespace std::chrono_literals;

const BatchSettings kSettings;
constexpr double kEven = 0.5;

Fault fault(FaultKind kind) { return {kind, "code", "detail"}; }

std::string text_of(const ItemVerdict& verdict) {
  const auto counts = fmt::format("attempt {} tries {}", verdict.attempt, verdict.tries);
  switch (verdict.kind) {
    case ItemVerdict::Kind::again:
      return fmt::format("again {} wait {}", counts, verdict.wait.count());
    case ItemVerdict::Kind::elsewhere:
      return "elsewhere " + counts;
    case ItemVerdict::Kind::fail:
      return "fail " + counts;
    case ItemVerdict::Kind::release:
      return "release";
  }
  return "";
}

enum class Progress : std::uint8_t { none, forward };

std::string item(int attempt, int tries, FaultKind kind, Progress progress = Progress::none) {
  Item it;
  it.attempt = attempt;
  it.tries = tries;
  return text_of(
      judge_item(kItem, it, fault(kind), progress == Progress::forward, kSettings, kEven));
}

constexpr FaultKind kHopeless[] = {FaultKind::permanent, FaultKind::rejected, FaultKind::cancelled};

}  // namespace

TEST_CASE("002: a batch is planned in the state whose step is a transfer, and in no other") {
  CHECK((judge_begin(kBatch.at("RUNNING").step) == BatchAct::plan));
  for (const Step other :
       {Step::none, Step::claim, Step::plan, Step::land, Step::verify, Step::wait})
    CHECK((judge_begin(other) == BatchAct::none));
}

TEST_CASE("002: the table of items says which have not started, are fetched, or ended without") {
  CHECK(item_state(kItem, Step::claim).name == "PENDING");
  CHECK(item_state(kItem, Step::transfer).name == "DOWNLOADING");
  CHECK((states_without_file(kItem) == std::vector<std::string_view>{"FAILED", "CANCELLED"}));
}

TEST_CASE("S2-21: an item is tried five times: the fourth failure waits 8 s, the fifth ends it") {
  CHECK(item(0, 0, FaultKind::retryable) == "again attempt 1 tries 1 wait 1000");
  CHECK(item(1, 1, FaultKind::retryable) == "again attempt 2 tries 2 wait 2000");
  CHECK(item(2, 2, FaultKind::retryable) == "again attempt 3 tries 3 wait 4000");
  CHECK(item(3, 3, FaultKind::retryable) == "again attempt 4 tries 4 wait 8000");
  CHECK(item(4, 4, FaultKind::retryable) == "fail attempt 5 tries 5");
}

TEST_CASE(
    "Z-11: a try that moved the resume point starts count and wait again, at most 100 tries") {
  CHECK(item(4, 4, FaultKind::retryable, Progress::forward) == "again attempt 1 tries 5 wait 1000");
  CHECK(item(0, 98, FaultKind::retryable, Progress::forward) ==
        "again attempt 1 tries 99 wait 1000");
  CHECK(item(0, 99, FaultKind::retryable, Progress::forward) == "fail attempt 1 tries 100");
}

TEST_CASE("Z-11: a job's own retries replace the table's, more or fewer") {
  const auto kind = [](int attempt, int retries) {
    const Item one{.attempt = attempt, .tries = attempt};
    return judge_item(kItem, one, fault(FaultKind::retryable), false, kSettings, 0.5, retries).kind;
  };
  CHECK((kind(0, 0) == ItemVerdict::Kind::fail));
  CHECK((kind(0, 1) == ItemVerdict::Kind::again));
  CHECK((kind(1, 1) == ItemVerdict::Kind::fail));
  CHECK((kind(9, 10) == ItemVerdict::Kind::again));
  CHECK((kind(10, 10) == ItemVerdict::Kind::fail));
}

TEST_CASE("S2-22: what cannot get better fails an item at once, even if bytes came") {
  for (const FaultKind kind : kHopeless) {
    CHECK(item(0, 0, kind) == "fail attempt 1 tries 1");
    CHECK(item(0, 0, kind, Progress::forward) == "fail attempt 1 tries 1");
  }
}

TEST_CASE("Z-8: our surroundings release the job, also at an item's last try") {
  CHECK(item(0, 0, FaultKind::environment) == "release");
  CHECK(item(4, 99, FaultKind::environment) == "release");
}

TEST_CASE("S2-21: an item's wait is moved by chance, 20 % either way") {
  const Item fresh;
  const auto wait = [&](double chance) {
    return judge_item(kItem, fresh, fault(FaultKind::retryable), false, kSettings, chance).wait;
  };
  CHECK((wait(0.0) == 800ms));
  CHECK((wait(1.0) == 1'200ms));
}

TEST_CASE("A2-16: a part is left if its time or its retries were over, or its link is refused") {
  const auto leaves = [](FaultKind kind, const char* code,
                         const char* checkpoint = R"({"part":"x"})") {
    return leaves_part({.fault = {kind, code, ""}, .checkpoint = checkpoint});
  };
  CHECK(leaves(FaultKind::permanent, "max_time"));
  CHECK(leaves(FaultKind::retryable, "cannot_connect"));
  CHECK_FALSE(leaves(FaultKind::permanent, "max_time", "{}"));
  CHECK_FALSE(leaves(FaultKind::permanent, "max_time", ""));
  CHECK_FALSE(leaves(FaultKind::retryable, "checksum_mismatch"));
  CHECK(leaves(FaultKind::permanent, "http_403"));
  CHECK(leaves(FaultKind::permanent, "http_410"));
  CHECK_FALSE(leaves(FaultKind::permanent, "http_403", "{}"));
  CHECK_FALSE(leaves(FaultKind::permanent, "unexpected_content"));
}

TEST_CASE("a source that another one follows is given up after one retry, or at once") {
  const auto verdict = [](int attempt, const Fault& fault, Sources sources, int tries = 0) {
    Item it;
    it.attempt = attempt;
    it.tries = tries;
    return text_of(judge_item(kItem, it, fault, false, kSettings, kEven, {}, sources));
  };
  const Fault broken = fault(FaultKind::retryable);
  const Fault gone = fault(FaultKind::permanent);
  const Fault damaged{FaultKind::retryable, "checksum_mismatch", ""};

  CHECK(verdict(0, broken, Sources::more).starts_with("again attempt 1"));
  CHECK(verdict(1, broken, Sources::more) == "elsewhere attempt 0 tries 1");
  CHECK(verdict(1, broken, Sources::none_left).starts_with("again attempt 2"));
  CHECK(verdict(0, gone, Sources::more) == "elsewhere attempt 0 tries 1");
  CHECK(verdict(0, gone, Sources::none_left) == "fail attempt 1 tries 1");
  CHECK(verdict(0, damaged, Sources::more) == "elsewhere attempt 0 tries 1");
  CHECK(verdict(0, damaged, Sources::none_left).starts_with("again attempt 1"));
}

TEST_CASE("an item with more sources still ends after so many tries in all") {
  Item it;
  it.tries = kSettings.item_tries_max - 1;
  CHECK(text_of(judge_item(kItem, it, fault(FaultKind::permanent), false, kSettings, kEven, {},
                           Sources::more))
            .starts_with("fail"));
  CHECK(text_of(judge_item(kItem, it, fault(FaultKind::environment), false, kSettings, kEven, {},
                           Sources::more)) == "release");
}

}  // namespace haul::flow
