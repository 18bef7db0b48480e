// A process to be killed: opens a store and runs several threads that do what workers and users do.
// Prints every acknowledged write on standard output, one line each, after the call has returned.
// Ends only when it is killed, when nothing reads its output any more, or when the store is gone.
//
//   job ID STATE SEQ        the job was in this state at this seq
//   key KEY ID              the relay key belongs to this job for ever
//   note ID SEQ TYPE        the note was written for this job
//   item JOB N STATE        the item was moved to this state
//   total JOB N             the batch has found this many items
//   grant USER AMOUNT       the user was granted these credits
//   credit JOB KIND AMOUNT  the credits were reserved, spent or refunded
//
// haul_victim FOLDER SEED [CHECKPOINT_PAGES], or haul_victim FOLDER hold, which only
// keeps the store open.

#include <fmt/core.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <random>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "lifecycle/tables.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"
#include "support/store/bench.h"

namespace haul::testing {
namespace {

constexpr std::size_t kThreads = 4;
constexpr std::size_t kKnownMax = 48;
constexpr int kUsers = 3;
constexpr int kActsMax = 1'000'000;
const std::vector<const Lifecycle*> kJobTables = {&kBook, &kMedia, &kBatch, &kRelay, &kImage};

// One write per line, short enough that the pipe takes it whole: a line is printed or not.
void tell(const std::string& line) {
  const std::string text = line + "\n";
  if (::write(STDOUT_FILENO, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    ::_exit(3);
}

class Actor {
 public:
  Actor(Store& store, unsigned seed)
      : store_{store}, random_{seed}, worker_{store.workers().enlist("victim", now())} {}

  void act() {
    static constexpr std::size_t kKinds = 16;
    switch (pick(kKinds)) {
      case 0:
        return grant();
      case 1:
        return pause_or_resume();
      case 2:
      case 3:
      case 4:
        return add();
      case 5:
      case 6:
        return claim();
      default:
        return move();
    }
  }

 private:
  static Time now() { return system_clock().now(); }
  std::size_t pick(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>{0, count - 1}(random_);
  }
  UserId user() { return {static_cast<std::int64_t>(pick(kUsers)) + 1}; }

  void know(JobId id) {
    known_.push_back(id);
    if (known_.size() > kKnownMax) known_.erase(known_.begin());
  }
  std::optional<Job> known() {
    return known_.empty() ? std::nullopt : store_.reader().find(known_[pick(known_.size())]);
  }

  static void tell_job(const JobVersion& seen) {
    tell(fmt::format("job {} {} {}", seen.id.value, seen.state, seen.seq));
  }

  void add() {
    const Lifecycle& table = *kJobTables[pick(kJobTables.size())];
    const int number = static_cast<int>(pick(300));
    NewJob job{.lifecycle = &table, .owner = user(), .request = request_for(table, number)};
    if (table.name == "book") job.slot = fmt::format("1/b{}/text", number);
    if (table.name == "media") job.key = {fmt::format("film{}", number), KeyScope::while_open};
    if (table.name == "relay")
      job.key = {fmt::format("click{}-{}", job.owner.value, number), KeyScope::forever};
    if (table.name == "image") job.price = static_cast<std::int64_t>(pick(4));
    const AddAnswer added = store_.jobs().add({&job, 1}, now()).front();
    if (!added) return;
    tell(fmt::format("job {} {} 0", added->id.value, table.initial().name));
    if (table.name == "relay") tell(fmt::format("key {} {}", job.key.value, added->id.value));
    if (table.name == "image")
      tell(fmt::format("credit {} reserve {}", added->id.value, job.price));
    know(added->id);
  }

  void claim() {
    const Lifecycle& table = *kJobTables[1 + pick(kJobTables.size() - 1)];  // A book has no lease.
    const ClaimRequest request{.lifecycle = &table, .worker = worker_, .limit = 1 + pick(4)};
    for (const Claim& claim : store_.jobs().claim(request, now())) {
      tell_job(claim.version);
      know(claim.version.id);
    }
  }

  Ask draft(const Job& job, const Move& move) {
    Ask ask{.version = job.version, .on = move.on, .by = move.by};
    if (move.by == By::worker) ask.worker = job.worker;
    ask.reason = "victim";
    ask.proof = {move.terms.needs, move.terms.needs == Proof::none ? "" : R"({"size":1})"};
    ask.holds = move.terms.guards;
    if (move.has(Effect::record_asset))
      ask.assets = {AssetFacts{.book = job.version.lifecycle->name == "book" ? "b1" : "",
                               .media_type = "text",
                               .path = fmt::format("/library/{}", job.version.id.value)}};
    return ask;
  }

  void move() {
    const std::optional<Job> job = known();
    if (!job || (job->worker && job->worker != worker_)) return;
    if (job->version.state == "RUNNING" && pick(4) != 0) return work_on_items(*job);
    std::vector<const Move*> open;
    for (const Move& move : job->version.lifecycle->moves)
      if (move.from.contains(job->version.state) && move.on != On::claim && move.on != On::lost)
        open.push_back(&move);
    if (open.empty()) return;
    // The tables list the way forward first.
    const Move& move = *open[pick(3) != 0 ? 0 : pick(open.size())];
    const Ask ask = draft(*job, move);
    const MoveAnswer moved = store_.jobs().move({&ask, 1}, now()).front();
    if (!moved) return;
    tell_job(*moved);
    for (const auto& [effect, kind] :
         {std::pair{Effect::spend_credit, "spend"}, {Effect::refund_credit, "refund"}})
      if (move.has(effect)) tell(fmt::format("credit {} {} -1", job->version.id.value, kind));
  }

  void work_on_items(const Job& job) {
    const Hold hold{job.version.id, worker_, job.version.fence};
    if (!store_.items().counts(hold.job).enumerated) return find_items(hold);
    std::vector<ItemMove> asks;
    for (const Item& item : store_.items().list(hold.job, "", 0, 100))
      if (kItem.find(item.state)->is_open()) asks.push_back(draft(item));
    if (asks.empty()) return;
    const auto answers = store_.items().move(hold, asks, now());
    for (std::size_t i = 0; i < asks.size(); ++i)
      if (answers[i]) tell(fmt::format("item {} {} {}", hold.job.value, asks[i].n, *answers[i]));
  }

  void find_items(const Hold& hold) {
    std::vector<NewItem> found;
    for (std::size_t i = 1 + pick(4); i > 0; --i)
      found.push_back({fmt::format("k{}", pick(1000)), "https://h/x", {}});
    const auto enumeration = pick(2) == 0 ? Enumeration::complete : Enumeration::goes_on;
    if (const auto counts = store_.items().add(hold, found, enumeration, now()))
      tell(fmt::format("total {} {}", hold.job.value, counts->total));
  }

  ItemMove draft(const Item& item) {
    if (item.state == "PENDING")
      return {.n = item.n,
              .from = item.state,
              .on = pick(4) == 0 ? On::skip : On::start,
              .holds = {Guard::filtered_out}};
    if (pick(4) == 0) return {.n = item.n, .from = item.state, .on = On::fail, .reason = "victim"};
    return {.n = item.n,
            .from = item.state,
            .on = On::landed,
            .path = "/in/x",
            .proof = {Proof::evidence, R"({"size":1})"},
            .holds = {Guard::file_exists}};
  }

  void pause_or_resume() {
    const std::optional<Job> job = known();
    if (!job) return;
    const MoveAnswer flagged = job->paused ? store_.jobs().resume(job->version, now())
                                           : store_.jobs().pause(job->version, now());
    if (flagged)
      tell(fmt::format("note {} {} {}", flagged->id.value, flagged->seq,
                       job->paused ? "RESUMED" : "PAUSED"));
  }

  void grant() {
    const UserId owner = user();
    if (store_.ledger().grant(owner, 7, "victim", now()))
      tell(fmt::format("grant {} 7", owner.value));
  }

  Store& store_;
  std::mt19937 random_;
  WorkerId worker_;
  std::vector<JobId> known_;
};

// As at every start: all earlier workers are dead.
void recover(Store& store) {
  const Time now = system_clock().now();
  for (int i = 2; i <= kUsers; ++i)
    if (!store.users().find(fmt::format("user{}", i)))
      (void)store.users().add(fmt::format("user{}", i), Role::adder, now);
  for (const WorkerRow& worker : store.workers().holders(1000))
    for (const Lifecycle* table : kJobTables)
      store.jobs().rescue({.worker = worker.id, .beat = worker.beat, .lifecycle = table}, {}, now);
}

// Exits as a daemon must, with the code for a lost store (F22). First checks that the store really
// refuses writes: a grant now would be acknowledged on a file that cannot be trusted.
[[noreturn]] void end(Store& store, const StoreFault& fault) {
  if (fault.kind() != StoreFault::Kind::gone) {
    fmt::print(stderr, "haul_victim: {}\n", fault.what());
    ::_exit(1);
  }
  for (int i = 0; i < 20; ++i) try {
      if (store.ledger().grant(kAdmin, 1, "after the end", system_clock().now()))
        tell("written after the end");
    } catch (const StoreFault&) {
    }
  ::_exit(70);
}

int run(const std::string& folder, const std::string& how, int checkpoint_pages) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // Dies with its parent, also when that is a tracer.
  const auto store =
      open_sqlite(folder, {.sqlite = {.checkpoint_pages = checkpoint_pages}}, system_clock().now());
  if (how == "hold") {
    tell("held");
    for (;;) ::pause();
  }
  recover(*store);
  const auto seed = static_cast<unsigned>(std::stoul(how));
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < kThreads; ++i)
    threads.emplace_back([&store, seed, i] {
      try {
        Actor actor{*store, seed * 31 + i};
        for (int acts = 0; acts < kActsMax; ++acts) actor.act();
      } catch (const StoreFault& fault) {
        end(*store, fault);
      }
    });
  return 0;
}

}  // namespace
}  // namespace haul::testing

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  try {
    // A short log is checkpointed into the file often, also during a kill.
    return haul::testing::run(argv[1], argv[2], argc > 3 ? std::stoi(argv[3]) : 150);
  } catch (const haul::StoreFault& fault) {
    fmt::print(stderr, "haul_victim: {}\n", fault.what());
    return fault.kind() == haul::StoreFault::Kind::gone ? 70 : 1;
  }
}
