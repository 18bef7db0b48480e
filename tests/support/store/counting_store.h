#pragma once
// A store that counts the reads of jobs and what belongs to them: over a network each is a round
// trip. A read of many by id counts once, and not at all without ids.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/mutex.h"
#include "store/store.h"

namespace haul::testing {

class ReadCounts {
 public:
  // Called after each find() and requests(), and before each other read.
  std::function<void(const std::string& read)> on_read = [](const std::string&) {};

  void add(const std::string& read) {
    {
      const Lock lock{mutex_};
      ++counts_[read];
    }
    on_read(read);
  }
  void clear() {
    const Lock lock{mutex_};
    counts_.clear();
  }
  int of(const std::string& read) const {
    const Lock lock{mutex_};
    const auto found = counts_.find(read);
    return found == counts_.end() ? 0 : found->second;
  }
  // "items.counts 1, reader.list 2"
  std::string text() const {
    const Lock lock{mutex_};
    std::string all;
    for (const auto& [read, count] : counts_)
      all += (all.empty() ? "" : ", ") + read + " " + std::to_string(count);
    return all;
  }

 private:
  mutable Mutex mutex_;
  std::map<std::string, int> counts_ GUARDED_BY(mutex_);
};

class CountingReader final : public Reader {
 public:
  CountingReader(Reader& reader, ReadCounts& counts) : reader_{reader}, counts_{counts} {}

  std::vector<std::optional<Job>> find(std::span<const JobId> ids) override {
    std::vector<std::optional<Job>> found = reader_.find(ids);
    if (!ids.empty()) counts_.add("reader.find");
    return found;
  }
  std::vector<std::optional<std::string>> requests(std::span<const JobId> ids) override {
    std::vector<std::optional<std::string>> read = reader_.requests(ids);
    if (!ids.empty()) counts_.add("reader.requests");
    return read;
  }
  std::vector<Loaded> load(std::span<const JobId> ids) override {
    if (!ids.empty()) counts_.add("reader.load");
    return reader_.load(ids);
  }
  JobPage list(const JobFilter& filter) override {
    counts_.add("reader.list");
    return reader_.list(filter);
  }
  std::vector<ReasonTally> reasons(const ReasonFilter& filter) override {
    counts_.add("reader.reasons");
    return reader_.reasons(filter);
  }
  JobId keyed(const Lifecycle& lifecycle, UserId owner, const std::string& key) override {
    counts_.add("reader.keyed");
    return reader_.keyed(lifecycle, owner, key);
  }
  std::vector<StateCount> tally(UserId owner) override {
    counts_.add("reader.tally");
    return reader_.tally(owner);
  }
  std::vector<Job> due(const std::string& lane, Time now, std::size_t limit,
                       std::span<const std::string_view> states) override {
    counts_.add("reader.due");
    return reader_.due(lane, now, limit, states);
  }
  LanePage lanes(const std::string& after, Time now, std::size_t limit) override {
    counts_.add("reader.lanes");
    return reader_.lanes(after, now, limit);
  }
  std::size_t running(const std::string& lane) override {
    counts_.add("reader.running");
    return reader_.running(lane);
  }
  std::vector<Job> running(const std::string& lane, std::size_t limit) override {
    counts_.add("reader.running");
    return reader_.running(lane, limit);
  }
  std::optional<Time> next_due() override {
    counts_.add("reader.next_due");
    return reader_.next_due();
  }
  std::vector<Job> expired(Time now, std::size_t limit) override {
    counts_.add("reader.expired");
    return reader_.expired(now, limit);
  }
  std::vector<Job> stuck(std::span<const StuckRule> rules, Time now, std::size_t limit,
                         UserId owner) override {
    counts_.add("reader.stuck");
    return reader_.stuck(rules, now, limit, owner);
  }
  std::vector<Job> leased(WorkerId worker, JobId after, std::size_t limit) override {
    counts_.add("reader.leased");
    return reader_.leased(worker, after, limit);
  }

 private:
  Reader& reader_;
  ReadCounts& counts_;
};

class CountingItems final : public Items {
 public:
  CountingItems(Items& items, ReadCounts& counts) : items_{items}, counts_{counts} {}

  std::expected<Counts, Refusal> add(const Hold& hold, std::span<const NewItem> items,
                                     Enumeration enumeration, Time now) override {
    return items_.add(hold, items, enumeration, now);
  }
  ItemAnswers write(const Hold& hold, std::span<const ItemMove> asks,
                    std::span<const ItemObservation> seen, Time now) override {
    return items_.write(hold, asks, seen, now);
  }
  std::vector<Item> list(JobId job, std::string_view state, std::int64_t after,
                         std::size_t limit) override {
    counts_.add("items.list");
    return items_.list(job, state, after, limit);
  }
  std::vector<ItemPast> past(JobId job, std::span<const std::string_view> keys,
                             PastParts parts) override {
    if (!keys.empty()) counts_.add("items.past");
    return items_.past(job, keys, parts);
  }
  std::vector<Counts> counts(std::span<const JobId> jobs) override {
    if (!jobs.empty()) counts_.add("items.counts");
    return items_.counts(jobs);
  }
  std::vector<std::optional<OpenBytes>> open_bytes(std::span<const JobId> jobs) override {
    if (!jobs.empty()) counts_.add("items.open_bytes");
    return items_.open_bytes(jobs);
  }

 private:
  Items& items_;
  ReadCounts& counts_;
};

class CountingIntents final : public Intents {
 public:
  CountingIntents(Intents& intents, ReadCounts& counts) : intents_{intents}, counts_{counts} {}

  std::expected<Intent, Refusal> begin(const Hold& hold, const NewIntent& intent,
                                       Time now) override {
    return intents_.begin(hold, intent, now);
  }
  std::expected<Intent, Refusal> record(JobId job, const NewIntent& intent, Time now) override {
    return intents_.record(job, intent, now);
  }
  std::expected<Intent, Refusal> wish(const JobVersion& version, const NewWish& wish,
                                      Time now) override {
    return intents_.wish(version, wish, now);
  }
  bool settle(IntentId intent, IntentState state, const std::string& outcome, Time now) override {
    return intents_.settle(intent, state, outcome, now);
  }
  std::vector<std::vector<Intent>> of(std::span<const JobId> jobs, std::size_t limit) override {
    if (!jobs.empty()) counts_.add("intents.of");
    return intents_.of(jobs, limit);
  }
  std::optional<Intent> newest(JobId job, std::string_view kind) override {
    counts_.add("intents.newest");
    return intents_.newest(job, kind);
  }
  std::vector<std::vector<Intent>> open_of(std::span<const JobId> jobs) override {
    if (!jobs.empty()) counts_.add("intents.open_of");
    return intents_.open_of(jobs);
  }
  std::vector<Intent> open(const std::string& kind, std::size_t limit, IntentId after) override {
    counts_.add("intents.open");
    return intents_.open(kind, limit, after);
  }

 private:
  Intents& intents_;
  ReadCounts& counts_;
};

class CountingWorkers final : public Workers {
 public:
  CountingWorkers(Workers& workers, ReadCounts& counts) : workers_{workers}, counts_{counts} {}

  WorkerId enlist(const std::string& name, Time now) override { return workers_.enlist(name, now); }
  bool beat(WorkerId worker, Time now) override { return workers_.beat(worker, now); }
  std::vector<std::optional<WorkerRow>> find(std::span<const WorkerId> workers) override {
    if (!workers.empty()) counts_.add("workers.find");
    return workers_.find(workers);
  }
  std::vector<WorkerRow> list(Time since, std::size_t limit) override {
    counts_.add("workers.list");
    return workers_.list(since, limit);
  }
  std::vector<WorkerRow> holders(std::size_t limit) override {
    counts_.add("workers.holders");
    return workers_.holders(limit);
  }
  std::size_t prune(Time before, std::size_t limit) override {
    return workers_.prune(before, limit);
  }

 private:
  Workers& workers_;
  ReadCounts& counts_;
};

class CountingCatalog final : public Catalog {
 public:
  CountingCatalog(Catalog& catalog, ReadCounts& counts) : catalog_{catalog}, counts_{counts} {}

  Ensured ensure_book(const std::string& id, const std::string& title) override {
    return catalog_.ensure_book(id, title);
  }
  std::optional<Book> book(const std::string& id) override {
    counts_.add("catalog.book");
    return catalog_.book(id);
  }
  BookPage books(const BookFilter& filter) override {
    counts_.add("catalog.books");
    return catalog_.books(filter);
  }
  ShelfCounts shelves() override {
    counts_.add("catalog.shelves");
    return catalog_.shelves();
  }
  std::vector<std::vector<JobId>> jobs_of(std::span<const BookJobs> which) override {
    if (!which.empty()) counts_.add("catalog.jobs_of");
    return catalog_.jobs_of(which);
  }
  std::vector<std::vector<Asset>> assets_of(std::span<const std::string> books) override {
    if (!books.empty()) counts_.add("catalog.assets_of");
    return catalog_.assets_of(books);
  }
  std::vector<Asset> assets_of(JobId job, FileId after) override {
    counts_.add("catalog.assets_of");
    return catalog_.assets_of(job, after);
  }
  std::vector<Asset> assets(const AssetFilter& filter) override {
    counts_.add("catalog.assets");
    return catalog_.assets(filter);
  }
  std::vector<Asset> shelved(FileId after, std::size_t limit) override {
    counts_.add("catalog.shelved");
    return catalog_.shelved(after, limit);
  }
  bool lose(FileId asset, AssetLoss loss, Time now) override {
    return catalog_.lose(asset, loss, now);
  }

 private:
  Catalog& catalog_;
  ReadCounts& counts_;
};

class CountingStore final : public Store {
 public:
  CountingStore(std::unique_ptr<Store> store, ReadCounts& counts)
      : store_{std::move(store)},
        reader_{store_->reader(), counts},
        items_{store_->items(), counts},
        intents_{store_->intents(), counts},
        workers_{store_->workers(), counts},
        catalog_{store_->catalog(), counts} {}

  Jobs& jobs() override { return store_->jobs(); }
  Reader& reader() override { return reader_; }
  Items& items() override { return items_; }
  Events& events() override { return store_->events(); }
  Workers& workers() override { return workers_; }
  Intents& intents() override { return intents_; }
  Catalog& catalog() override { return catalog_; }
  Users& users() override { return store_->users(); }
  Access& access() override { return store_->access(); }
  Ledger& ledger() override { return store_->ledger(); }
  Limits& limits() override { return store_->limits(); }
  Manifest& manifest() override { return store_->manifest(); }
  Purges& purges() override { return store_->purges(); }
  Deliveries& deliveries() override { return store_->deliveries(); }
  Identity& identity() override { return store_->identity(); }
  Uptime& uptime() override { return store_->uptime(); }
  Duties& duties() override { return store_->duties(); }
  Sealed& sealed() override { return store_->sealed(); }
  void begin_outage() override { store_->begin_outage(); }
  void end_outage() override { store_->end_outage(); }
  bool in_outage() const override { return store_->in_outage(); }
  BotRows& bot() override { return store_->bot(); }

 private:
  std::unique_ptr<Store> store_;
  CountingReader reader_;
  CountingItems items_;
  CountingIntents intents_;
  CountingWorkers workers_;
  CountingCatalog catalog_;
};

}  // namespace haul::testing
