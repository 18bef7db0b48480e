// Two workers of relays on threads of one process, with real engines and sinks: one is paused past
// its lease while it has a relay in each leased state, and the other takes them over.

#include <doctest/doctest.h>

#include <array>

#include "lifecycle/tables.h"
#include "support/flow/relay_hand.h"
#include "support/run/moment.h"
#include "support/run/proof.h"
#include "support/run/skip.h"
#include "support/server/fake_telegram_upload.h"
#include "support/store/test_store.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kStates = 3;
constexpr std::array<std::string_view, kStates> kLeased{"CLAIMED", "DOWNLOADING", "STREAMING"};

struct Rows {
  std::vector<Job> jobs;
  std::vector<Event> events;

  bool operator==(const Rows&) const = default;
};

struct Office {
  explicit Office(const flow::Settings& its) : settings{its} {}

  // Adds a relay of a new file for this worker alone, which ticks unless it is paused.
  JobId add_for(RelayHand& hand, bool is_paused) {
    const std::string name = fmt::format("{}.bin", ++files_);
    disk.put("disk:/" + name, {.bytes = std::string(1'000U + files_, 'x')});
    const flow::AddRequest relay{
        .lifecycle = &kRelay,
        .request = fmt::format(R"({{"user_id":1,"chat_id":42,"file_id":"/{}","nonce":"{}"}})", name,
                               files_)};
    const auto added = flow::add(*store, relay, system_clock().now(),
                                 is_paused ? &hand.worker().spare() : nullptr);
    REQUIRE(added.has_value());
    return added->id;
  }
  // A relay in each leased state, held by this worker, which is paused then.
  std::array<JobId, kStates> fill(RelayHand& hand) {
    std::array<JobId, kStates> jobs{};
    chat.set({.is = UploadMood::Is::processes, .times = 1});
    jobs[2] = add_for(hand, false);
    REQUIRE(comes_true([&] { return chat.whole() > whole_; }));
    disk.act(DiskRoute::meta, {.waits = true});
    const std::size_t asked = disk.count(DiskRoute::meta);
    jobs[1] = add_for(hand, false);
    REQUIRE(comes_true([&] { return disk.count(DiskRoute::meta) > asked; }));
    hand.pause();
    jobs[0] = add_for(hand, true);
    for (std::size_t i = 0; i < kStates; ++i) {
      const Job job = *store->reader().find(jobs[i]);
      CHECK(job.version.state == kLeased[i]);
      CHECK(job.worker == hand.worker().id());
    }
    return jobs;
  }
  // What the paused worker waits for comes while it is paused.
  void let_go() {
    disk.go();
    chat.go();
  }
  bool comes_to(JobId id, std::string_view state) {
    return comes_true([&] { return store->reader().find(id)->version.state == state; });
  }
  Rows rows(std::span<const JobId> jobs) {
    Rows all;
    for (const JobId id : jobs) {
      all.jobs.push_back(*store->reader().find(id));
      for (Event& event : store->events().of(id, {}, 100)) all.events.push_back(std::move(event));
    }
    return all;
  }
  int messages_since_last() {
    const int now = static_cast<int>(chat.delivered().size());
    whole_ = chat.whole();
    return now - std::exchange(messages_, now);
  }

  FakeYandex disk;
  FakeTelegram telegram{system_clock()};  // Through chat.with() only.
  FakeTelegramUpload chat{telegram};
  std::unique_ptr<Store> store = open_test_store(system_clock().now());
  const flow::Settings settings;
  MemoryKeeper keeper;
  const RelayHand::Outside outside{.disk = settings_for(disk),
                                   .chat = {.url = chat.url(), .token = telegram.token}};
  RelayHand first{*store, keeper, outside, settings, "first"};
  RelayHand second{*store, keeper, outside, settings, "second"};

 private:
  unsigned files_ = 0;
  int whole_ = 0;
  int messages_ = 0;
};

// One worker sleeps with a relay in each state. Returns how long the other took to deliver them.
Millis sleep_and_recover(Office& office, RelayHand& late, RelayHand& other) {
  other.pause();
  const auto jobs = office.fill(late);
  const Steady slept = system_clock().steady();
  const WorkerId other_id = other.worker().id();
  office.let_go();
  other.go_on();
  for (int patience = 0; patience < 3; ++patience)  // At default settings it takes half a minute.
    if (office.comes_to(jobs[0], "DELIVERED") && office.comes_to(jobs[1], "DELIVERED") &&
        office.comes_to(jobs[2], "DELIVERED"))
      break;
  const Millis took = system_clock().steady() - slept;
  const Rows before = office.rows(jobs);

  late.go_on();
  CHECK(comes_true([&] { return late.is_idle(); }));
  CHECK((office.rows(jobs) == before));
  for (const Job& job : before.jobs) {
    CHECK(job.version.state == "DELIVERED");
    CHECK(job.version.attempt == 1);
  }
  int ends = 0;
  int flags = 0;
  for (const Event& event : before.events) {
    ends += event.to == "DELIVERED" || event.to == "FAILED" ? 1 : 0;
    flags += event.to == "DOWNLOADING" && event.reason == "delivery_unknown" ? 1 : 0;
    if (event.to == "DELIVERED") CHECK(event.worker == other_id);
  }
  CHECK(ends == kStates);
  CHECK(flags == 1);  // That of the message which the sleeping worker had on its way.
  CHECK(office.messages_since_last() == static_cast<int>(kStates) + flags);
  return took;
}

}  // namespace

TEST_CASE(
    "S3-9, A3-2, promise 4: a worker paused past its lease in each state writes nothing more, and "
    "every relay ends once" *
    doctest::test_suite("proof")) {
  Office office{{.beat_every = 500ms, .leases = {{&kRelay, 2s}}, .look_every = 20ms}};
  const int runs = rounds(7, 67);  // With three relays each.
  for (int run = 0; run < runs; ++run) {
    CAPTURE(run);
    const bool is_even = run % 2 == 0;
    sleep_and_recover(office, is_even ? office.first : office.second,
                      is_even ? office.second : office.first);
  }
}

TEST_CASE(
    "S3-21, A3-5: in ./dev proof, relays of a paused worker are delivered within 60 s at default "
    "settings" *
    doctest::test_suite("proof alone")) {
  if (!is_proof()) return skip("it takes two minutes, so only ./dev proof runs it");
  Office office{{.look_every = 20ms}};
  for (int run = 0; run < 3; ++run) {
    const Millis took = sleep_and_recover(office, run == 1 ? office.second : office.first,
                                          run == 1 ? office.first : office.second);
    MESSAGE("recovered after ", took.count(), " ms");
    CHECK(is_within(took, 60s));
  }
}
