// Reads of many by id: one call, and one answer per id in the order of the ids, whatever their
// number.

#include <doctest/doctest.h>

#include <optional>
#include <span>
#include <utility>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// More than the largest batch that the store takes in one call of any kind.
constexpr std::size_t kMany = 5'000;

using ReadBytes = std::vector<std::optional<OpenBytes>>;

template <class SomeId = JobId>
std::vector<SomeId> ids(std::initializer_list<std::int64_t> numbers) {
  std::vector<SomeId> all;
  for (const std::int64_t number : numbers) all.push_back(SomeId{number});
  return all;
}

// 1, 2, 3, 1, 2, 3, …
template <class SomeId = JobId>
std::vector<SomeId> one_to_three(std::size_t count) {
  std::vector<SomeId> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back(SomeId{static_cast<std::int64_t>(i % 3) + 1});
  return all;
}

// Whether the answers repeat as one_to_three() does.
template <class Answer>
bool repeats(const std::vector<Answer>& answers) {
  for (std::size_t i = 3; i < answers.size(); ++i)
    if (!(answers[i] == answers[i - 3])) return false;
  return true;
}

// "2 - 1": the ids of the jobs, and - for no job.
std::string shown(const std::vector<std::optional<Job>>& jobs) {
  std::string text;
  for (const auto& job : jobs)
    text += (text.empty() ? "" : " ") +
            (job ? std::to_string(job->version.id.value) : std::string{"-"});
  return text;
}

std::string shown(const std::vector<Loaded>& jobs) {
  std::string text;
  for (const Loaded& each : jobs)
    text += (text.empty() ? "" : " ") + std::to_string(each.job.version.id.value);
  return text;
}

// "pause+cancel - pause": the kinds of each job's intents, and - for none.
std::string shown(const std::vector<std::vector<Intent>>& lists) {
  std::string text;
  for (const auto& list : lists) {
    std::string kinds;
    for (const Intent& intent : list) kinds += (kinds.empty() ? "" : "+") + intent.kind;
    text += (text.empty() ? "" : " ") + (kinds.empty() ? std::string{"-"} : kinds);
  }
  return text;
}

// A store with the jobs 1 (book), 2 (relay) and 3 (book).
struct ThreeJobs {
  Bench b;
  JobId first = b.add(kBook);
  JobId second = b.add(kRelay);
  JobId third = b.add(kBook);
};

}  // namespace

TEST_CASE("jobs are found in the order of their ids, unknown ones and repeated ones too") {
  ThreeJobs t;
  Reader& reader = t.b.reader();

  CHECK(reader.find(ids({})).empty());
  CHECK(shown(reader.find(ids({2}))) == "2");
  CHECK(shown(reader.find(ids({3, 1, 2}))) == "3 1 2");
  CHECK(shown(reader.find(ids({99}))) == "-");
  CHECK(shown(reader.find(ids({0, 2, -1, 99, 2, 1, 2}))) == "- 2 - - 2 1 2");
}

TEST_CASE("a job is the same whether it is read alone or with others") {
  ThreeJobs t;
  REQUIRE(t.b.ask(t.third, On::started).has_value());

  const auto found = t.b.reader().find(ids({1, 3}));

  CHECK((found.at(0) == t.b.reader().find(t.first)));
  CHECK((found.at(1) == t.b.reader().find(t.third)));
  CHECK(found.at(1)->version.state == "downloading");
}

TEST_CASE("requests are read in the order of the ids; an unknown job has none") {
  ThreeJobs t;

  CHECK(t.b.reader().requests(ids({})).empty());
  CHECK((t.b.reader().requests(ids({3})) == std::vector{t.b.reader().request(t.third)}));
  const auto read = t.b.reader().requests(ids({2, 99, 1, 2}));

  REQUIRE(read.size() == 4);
  CHECK(read[0] == request_for(kRelay, 2));
  CHECK_FALSE(read[1].has_value());
  CHECK(read[2] == request_for(kBook, 1));
  CHECK(read[3] == request_for(kRelay, 2));
}

TEST_CASE("jobs are loaded in the order of the ids, without those that do not exist") {
  ThreeJobs t;

  CHECK(t.b.reader().load(ids({})).empty());
  CHECK(t.b.reader().load(ids({99})).empty());
  CHECK(shown(t.b.reader().load(ids({2}))) == "2");
  const std::vector<Loaded> loaded = t.b.reader().load(ids({3, 99, 1, 3}));

  CHECK(shown(loaded) == "3 1 3");
  CHECK((loaded[1].job == t.b.job(t.first)));
  CHECK(loaded[1].request == request_for(kBook, 1));
}

TEST_CASE("counts are read in the order of the jobs; without items and unknown, they are zero") {
  Bench b;
  const JobId batch = b.reach(kBatch, "RUNNING");
  b.add(kBook);
  Items& items = b.store().items();
  const std::vector<NewItem> found{{.key = "a", .url = "u"},
                                   {.key = "b", .url = "u", .skip = "size"}};
  REQUIRE(items.add(b.hold(batch), found, Enumeration::complete, b.now()).has_value());
  const Counts counts = items.counts(batch);
  REQUIRE((counts == Counts{.total = 2, .skipped = 1, .enumerated = true}));

  CHECK(items.counts(ids({})).empty());
  CHECK((items.counts(ids({1})) == std::vector{counts}));
  CHECK((items.counts(ids({2, 1, 99, 1})) == std::vector{Counts{}, counts, Counts{}, counts}));
}

TEST_CASE("bytes of open items are added up per job: those that can be resumed, and the rest") {
  Bench b;
  const JobId batch = b.reach(kBatch, "RUNNING");
  b.add(kBook);
  Items& items = b.store().items();
  const std::vector<NewItem> found{{.key = "half", .url = "u"},
                                   {.key = "no part", .url = "u", .size = 50},
                                   {.key = "unsized", .url = "u"},
                                   {.key = "ended", .url = "u", .size = 9, .skip = "size"},
                                   {.key = "new", .url = "u"}};
  REQUIRE(items.add(b.hold(batch), found, Enumeration::complete, b.now()).has_value());
  CHECK((items.open_bytes(ids({1})) == ReadBytes{OpenBytes{.sized = 1, .left = 50}}));
  const std::vector<ItemObservation> seen{
      {.n = 1, .have = 30, .size = 100, .checkpoint = R"({"at":30})"},
      {.n = 2, .have = 20, .checkpoint = "{}"},
      {.n = 3, .have = 7, .checkpoint = R"({"at":7})"}};
  REQUIRE(items.observe(b.hold(batch), seen, b.now()));

  const OpenBytes open{.have = 37, .sized = 2, .left = 120};
  CHECK(items.open_bytes(ids({})).empty());
  CHECK((items.open_bytes(ids({1})) == ReadBytes{open}));
  CHECK((items.open_bytes(ids({2, 1, 99})) == ReadBytes{OpenBytes{}, open, OpenBytes{}}));
}

TEST_CASE("promise 17: one call reads 20,000 items, and says of which jobs it has read all") {
  Bench b;
  Items& items = b.store().items();
  const auto add = [&](std::int64_t ended) {
    const JobId batch = b.reach(kBatch, "RUNNING");
    const auto put = [&](std::span<const NewItem> found) {
      REQUIRE(items.add(b.hold(batch), found, Enumeration::goes_on, b.now()).has_value());
    };
    std::vector<NewItem> found;
    for (std::int64_t n = 0; n < ended; ++n) {
      found.push_back({.key = std::to_string(n), .url = "u", .skip = "size"});
      if (found.size() == 4'000) put(std::exchange(found, {}));
    }
    found.push_back({.key = "open", .url = "u", .size = 7});
    put(found);
    return batch;
  };
  const JobId within = add(kOpenItemsMax - 1);
  const JobId beyond = add(kOpenItemsMax);
  const OpenBytes one{.sized = 1, .left = 7};

  CHECK((items.open_bytes({&within, 1}) == ReadBytes{one}));
  CHECK((items.open_bytes({&beyond, 1}) == ReadBytes{std::nullopt}));
  CHECK((items.open_bytes(std::vector{within, within}) == ReadBytes{one, std::nullopt}));
}

TEST_CASE("sizes that no disk has are added up without an error") {
  Bench b;
  const JobId batch = b.reach(kBatch, "RUNNING");
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  const std::vector<NewItem> found{{.key = "a", .url = "u", .size = kHuge},
                                   {.key = "b", .url = "u", .size = kHuge},
                                   {.key = "c", .url = "u", .size = kHuge}};
  Items& items = b.store().items();
  REQUIRE(items.add(b.hold(batch), found, Enumeration::complete, b.now()).has_value());

  const std::optional<OpenBytes> open = items.open_bytes(ids({1})).front();

  REQUIRE(open);
  CHECK(open->sized == 3);
  CHECK(open->left >= kHuge);
}

TEST_CASE("open intents are read in the order of the jobs, settled ones not at all") {
  ThreeJobs t;
  Intents& intents = t.b.store().intents();
  for (const char* kind : {"pause", "cancel"})
    REQUIRE(intents.record(t.first, {.kind = kind}, t.b.now()).has_value());
  REQUIRE(intents.record(t.third, {.kind = "pause"}, t.b.now()).has_value());
  const Intent settled = intents.record(t.second, {.kind = "pause"}, t.b.now()).value();
  REQUIRE(intents.settle(settled.id, IntentState::done, "", t.b.now()));

  CHECK(intents.open_of(ids({})).empty());
  CHECK(shown(intents.open_of(ids({3}))) == "pause");
  CHECK(shown(intents.open_of(ids({3, 2, 1, 99, 3}))) == "pause - cancel+pause - pause");
  CHECK((intents.open_of(ids({2, 1})).at(1) == intents.open_of(t.first)));
}

TEST_CASE("intents are read in the order of the jobs, oldest first, at most the limit of each") {
  ThreeJobs t;
  Intents& intents = t.b.store().intents();
  for (const char* kind : {"z", "a", "m"})
    REQUIRE(intents.record(t.first, {.kind = kind}, t.b.now()).has_value());
  const Intent settled = intents.record(t.third, {.kind = "pause"}, t.b.now()).value();
  REQUIRE(intents.settle(settled.id, IntentState::done, "", t.b.now()));

  CHECK(intents.of(ids({})).empty());
  CHECK(shown(intents.of(ids({3}))) == "pause");
  CHECK(shown(intents.of(ids({3, 2, 1, 99, 3}))) == "pause - z+a+m - pause");
  CHECK(shown(intents.of(ids({1, 3}), 2)) == "z+a pause");
  CHECK((intents.of(ids({2, 1})).at(1) == intents.of(t.first)));
}

TEST_CASE("workers are found in the order of their ids, unknown ones and repeated ones too") {
  Bench b;
  Workers& workers = b.store().workers();
  const WorkerId other = workers.enlist("other", b.after(1s).now());
  REQUIRE(workers.beat(other, b.after(1s).now()));

  CHECK(workers.find(ids<WorkerId>({})).empty());
  const auto found = workers.find(std::vector{other, WorkerId{99}, b.worker(), other});

  REQUIRE(found.size() == 4);
  CHECK(found[0]->name == "other");
  CHECK(found[0]->beat == 1);
  CHECK_FALSE(found[1].has_value());
  CHECK((found[2] == workers.find(b.worker())));
  CHECK((found[3] == found[0]));
}

TEST_CASE("assets are read in the order of the books; an unknown book has none") {
  Bench b;
  b.reach(kBook, "completed");
  b.reach(kBook, "completed");
  Catalog& catalog = b.store().catalog();
  const std::vector<std::string> books{"b2", "unknown", "b1", "b2"};

  CHECK(catalog.assets_of(std::vector<std::string>{}).empty());
  const std::vector<std::vector<Asset>> assets = catalog.assets_of(books);

  REQUIRE(assets.size() == 4);
  REQUIRE(assets[0].size() == 1);
  CHECK((assets[0][0].job == JobId{2}));
  CHECK(assets[1].empty());
  CHECK((assets[2] == catalog.assets_of("b1")));
  CHECK((assets[3] == assets[0]));
}

TEST_CASE("the jobs of many books are read in their order, each book by its own filter") {
  Bench b;
  b.reach(kBook, "completed");
  const JobId open = b.add(kBook);
  Catalog& catalog = b.store().catalog();
  const std::vector<BookJobs> which{{.book = "b2"},
                                    {.book = "b1", .owner = {}, .before = {}, .open_only = true},
                                    {.book = "unknown"},
                                    {.book = "b1"},
                                    {.book = "b2", .owner = {}, .before = open}};

  CHECK(catalog.jobs_of(std::vector<BookJobs>{}).empty());
  CHECK((catalog.jobs_of(which) ==
         std::vector{ids({2}), ids({}), ids({}), ids({1}), std::vector<JobId>{}}));
}

TEST_CASE("five thousand ids are one call too, and each has its answer") {
  ThreeJobs t;
  Store& store = t.b.store();
  for (int i = 0; i < 2; ++i) store.workers().enlist("another", t.b.now());
  REQUIRE(store.intents().record(t.second, {.kind = "pause"}, t.b.now()).has_value());
  const std::vector<JobId> jobs = one_to_three(kMany);
  const std::vector<WorkerId> workers = one_to_three<WorkerId>(kMany);

  const auto found = store.reader().find(jobs);
  const auto requests = store.reader().requests(jobs);
  const auto counts = store.items().counts(jobs);
  const auto intents = store.intents().open_of(jobs);
  const auto rows = store.workers().find(workers);

  CHECK(shown(std::vector{found[0], found[1], found[2], found[kMany - 1]}) == "1 2 3 2");
  for (const std::size_t size :
       {found.size(), requests.size(), counts.size(), intents.size(), rows.size()})
    CHECK(size == kMany);
  CHECK(store.reader().load(jobs).size() == kMany);
  CHECK(repeats(found));
  CHECK(repeats(requests));
  CHECK(repeats(intents));
  CHECK(repeats(rows));
  CHECK(intents[kMany - 1].size() == 1);
  CHECK((rows[kMany - 1]->id == workers[kMany - 1]));
}
