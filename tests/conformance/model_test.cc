// Runs random sequences of writes on the store and on a small model of it, and compares the two. A
// failure prints its seed; RC_PARAMS="seed=… max_success=…" repeats it or runs more.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kPrice = 2;
constexpr const Lifecycle* kTables[] = {&kBatch, &kRelay, &kImage, &kMedia, &kBook};

double even() { return 0.5; }  // No jitter.

// A job waits only where its on_lost answer leads into a timed wait.
Millis wait_after(const Lifecycle& table, const Answer& answer, int attempt) {
  if (answer.kind != AnswerKind::go || table.find(answer.to)->step != Step::wait) return 0ms;
  return table.backoff.after(attempt, even());
}

bool is_live(std::string_view item) { return item == "PENDING" || item == "DOWNLOADING"; }

struct ModelJob {
  const Lifecycle* table = nullptr;
  std::string_view state = table->initial().name;
  std::int64_t seq = 0;
  std::int64_t fence = 0;
  int attempt = 0;
  int retries = 0;
  WorkerId worker{};
  bool paused = false;
  std::optional<Time> due_at{};
  std::string reason{};
  std::vector<std::string_view> items{};
  bool enumerated = false;

  const State& row() const { return *table->find(state); }
  std::int64_t count(std::string_view item) const { return std::ranges::count(items, item); }
  Counts counts() const {
    return {std::ssize(items), count("COMPLETED"), count("SKIPPED"),
            count("FAILED"),   count("CANCELLED"), enumerated};
  }
};

// The parameters of a move.
struct MoveFacts {
  On on;
  By by;
  WorkerId worker{};
  std::string reason{};
  Time due_at{};
  bool counts_loss = false;
};

struct Model {
  std::vector<ModelJob> jobs;
  Wallet wallet;

  bool may(const ModelJob& job, const MoveFacts& facts) const {
    const Move* move = job.table->find(job.state, facts.on);
    if (!move) return false;
    const bool stands_in = facts.by == By::system && move->by != By::user;
    if (facts.by != move->by && !stands_in) return false;
    const bool holds = job.worker == facts.worker && (facts.worker || !job.row().is_leased());
    if (facts.by == By::worker && !holds) return false;
    const int after = job.attempt + (move->has(Effect::count_attempt) ? 1 : 0);
    if (move->has(Guard::attempt_left) && after >= job.table->attempts_max) return false;
    const Counts c = job.counts();
    const bool all_done = job.items.empty() || (c.enumerated && c.processed() == c.total);
    return !move->has(Guard::every_item_processed) || all_done;
  }

  void move(ModelJob& job, const MoveFacts& facts) {
    const Move& move = *job.table->find(job.state, facts.on);
    for (std::string_view& item : job.items) {
      if (move.has(Effect::cancel_items) && is_live(item)) item = "CANCELLED";
      if (move.has(Effect::end_items) && is_live(item))
        item = facts.by == By::system ? "FAILED" : "CANCELLED";
      if (move.has(Effect::return_items) && item == "DOWNLOADING") item = "PENDING";
    }
    if (move.has(Effect::spend_credit)) wallet.spent += kPrice;
    if (move.has(Effect::refund_credit)) wallet.available += kPrice;
    wallet.reserved = wallet.granted - wallet.available - wallet.spent;
    job.attempt += move.has(Effect::count_attempt) || facts.counts_loss ? 1 : 0;
    if (move.has(Effect::count_retry)) {
      job.attempt = 0;
      job.retries += 1;
    }
    job.fence += facts.on == On::claim || facts.on == On::retry ? 1 : 0;
    job.seq += 1;
    job.state = move.to;
    const bool holds = job.row().is_leased() && facts.by == By::worker;
    job.worker = holds ? facts.worker : WorkerId{};
    job.due_at = job.row().is_open() ? std::optional{facts.due_at} : std::nullopt;
    if (!job.row().is_open() || !facts.reason.empty()) job.reason = facts.reason;
    if (move.has(Effect::forget_transfer)) job.reason.clear();
  }

  std::vector<ModelJob*> claimable(const Lifecycle& table, Time now) {
    std::vector<ModelJob*> found;
    for (ModelJob& job : jobs) {
      const bool works = job.row().is_leased() || table.find(job.state, On::claim);
      if (job.table == &table && works && !job.worker && !job.paused && job.due_at <= now)
        found.push_back(&job);
    }
    std::ranges::stable_sort(found, {}, [](const ModelJob* job) { return *job->due_at; });
    return found;
  }

  void lose(ModelJob& job, Time now, Rescued& done) {
    const Answer& answer = job.row().on_lost;
    const Time due_at = now + wait_after(*job.table, answer, job.attempt + 1);
    const Move* lost = job.table->find(job.state, On::lost);
    const bool bounded = answer.kind == AnswerKind::adopt || lost->has(Guard::attempt_left);
    if (bounded && job.attempt + 1 >= job.table->attempts_max) {
      const bool counts = job.table->find(job.state, On::fail)->has(Effect::count_attempt);
      move(job, {On::fail, By::system, {}, "worker_crashed", now, !counts});
      done.failed += 1;
    } else if (answer.kind == AnswerKind::adopt) {
      job.worker = {};
      job.fence += 1;
      job.attempt += 1;
      job.due_at = due_at;
      job.reason = "worker_lost";
      done.adopted += 1;
    } else {
      move(job, {On::lost, By::system, {}, "worker_lost", due_at});
      done.moved += 1;
    }
  }
};

std::string shown(const ModelJob& job, const Counts& c, Time now) {
  std::string text =
      fmt::format("{} {} seq {} fence {} attempt {} {} worker {} {} '{}' due ", job.table->name,
                  job.state, job.seq, job.fence, job.attempt, job.retries, job.worker.value,
                  job.paused ? "paused" : "", job.reason);
  text += job.due_at ? std::to_string((*job.due_at - now).count()) : "never";
  text += fmt::format(" counts {} {} {} {} {} {}:", c.total, c.downloaded, c.skipped, c.failed,
                      c.cancelled, c.enumerated);
  for (const std::string_view item : job.items) text += fmt::format(" {}", item);
  return text;
}

using Act = std::array<int, 4>;

class Play {
 public:
  void step(const Act& act) {
    const auto [what, a, b, c] = act;
    if (what < 8 || model_.jobs.empty()) return add(a, b);
    const std::size_t i = pick(a, c);
    if (what < 22) return claim(a, b, c);
    if (what < 55) return move(i, b, c);
    if (what < 59) return spoil(i, b, c);
    if (what < 63) return release(i, b, c);
    if (what < 67) return rescue(a, b, c);
    if (what < 70) return pause(i, b);
    if (what < 76) return find_items(i, b, c);
    if (what < 90) return move_item(i, b, c);
    bench_.after(Millis{a * 10});
  }

  void compare() {
    for (std::size_t i = 0; i < model_.jobs.size(); ++i) {
      const ModelJob& job = model_.jobs[i];
      RC_ASSERT(shown(stored(i), bench_.store().items().counts(id(i)), bench_.now()) ==
                shown(job, job.counts(), bench_.now()));
    }
    RC_ASSERT((bench_.store().ledger().wallet(kAdmin) == model_.wallet));
  }

  // F09: replaying a job's events gives its row.
  void fold() {
    for (std::size_t i = 0; i < model_.jobs.size(); ++i) {
      ModelJob folded{.table = model_.jobs[i].table};
      for (const Event& e : bench_.store().events().of(id(i), {}, kListMax)) {
        if (e.type == "PAUSED" || e.type == "RESUMED") folded.paused = e.type == "PAUSED";
        if (e.type == "LOST") folded.attempt += 1;
        if (e.type == "ADOPTED") folded.worker = e.worker;
        if (e.type == "LOST" || e.type == "RELEASED") folded.worker = {};
        if (e.type != "MOVED") continue;
        RC_ASSERT(e.from == folded.state);
        RC_ASSERT(e.seq == folded.seq + 1);
        folded.state = folded.table->find(e.to)->name;
        folded.seq = e.seq;
        const bool by_holder = e.by == "worker" && folded.row().is_leased();
        folded.worker = by_holder ? e.worker : WorkerId{};
        const Move* move = nullptr;
        for (const Move& m : folded.table->moves)
          if (name(m.on) == e.on && m.from.contains(e.from)) move = &m;
        const bool lost = move->has(Effect::count_attempt) || e.reason == "worker_crashed";
        folded.attempt += lost ? 1 : 0;
        if (move->has(Effect::count_retry)) folded.attempt = 0;
      }
      const ModelJob& job = model_.jobs[i];
      RC_ASSERT(folded.state == job.state);
      RC_ASSERT(folded.seq == job.seq);
      RC_ASSERT(folded.attempt == job.attempt);
      RC_ASSERT((folded.worker == job.worker));
      RC_ASSERT(folded.paused == job.paused);
    }
  }

 private:
  static JobId id(std::size_t i) { return JobId{static_cast<std::int64_t>(i) + 1}; }
  // Picks a job, mostly an open one.
  std::size_t pick(int a, int c) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < model_.jobs.size(); ++i)
      if (model_.jobs[i].row().is_open() || c % 7 == 0) found.push_back(i);
    return found.empty() ? 0 : found[static_cast<std::size_t>(a) % found.size()];
  }
  WorkerId worker(int n) const { return n % 2 ? other_ : bench_.worker(); }

  ModelJob stored(std::size_t i) {
    const Job job = bench_.job(id(i));
    ModelJob seen{.table = job.version.lifecycle,
                  .state = job.version.state,
                  .seq = job.version.seq,
                  .fence = job.version.fence,
                  .attempt = job.version.attempt,
                  .retries = job.retries,
                  .worker = job.worker,
                  .paused = job.paused,
                  .due_at = job.due_at,
                  .reason = job.reason};
    for (const Item& item : bench_.store().items().list(id(i), "", 0, kListMax))
      seen.items.push_back(item.state);
    return seen;
  }

  void add(int a, int b) {
    if (b % 4 == 0) {
      RC_ASSERT(bench_.store().ledger().grant(kAdmin, 3, "", bench_.now()).has_value());
      model_.wallet.granted += 3;
      model_.wallet.available += 3;
    }
    if (std::ranges::count_if(model_.jobs, [](const auto& j) { return j.row().is_open(); }) >= 8)
      return;
    const Lifecycle& table = *kTables[a % 5];
    const std::int64_t price = &table == &kImage ? kPrice : 0;
    const bool can = model_.wallet.available >= price;
    const NewJob job{.lifecycle = &table, .request = "{}", .price = price};
    RC_ASSERT(bench_.add(job).has_value() == can);
    if (!can) return;
    model_.jobs.push_back({.table = &table, .due_at = bench_.now()});
    model_.wallet.available -= price;
    model_.wallet.reserved += price;
  }

  void claim(int a, int b, int c) {
    const Lifecycle& table = *kTables[a % 5];
    const std::size_t limit = static_cast<std::size_t>(c) % 3 + 1;
    std::vector<ModelJob*> expected = model_.claimable(table, bench_.now());
    if (expected.size() > limit) expected.resize(limit);
    const auto claims = bench_.jobs().claim(
        {.lifecycle = &table, .worker = worker(b), .limit = limit}, bench_.now());
    RC_ASSERT(claims.size() == expected.size());
    for (std::size_t i = 0; i < claims.size(); ++i) {
      RC_ASSERT(&model_.jobs[static_cast<std::size_t>(claims[i].version.id.value - 1)] ==
                expected[i]);
      const bool moves = table.find(expected[i]->state, On::claim);
      if (moves) {
        model_.move(*expected[i], {On::claim, By::worker, worker(b), "", bench_.now()});
      } else {
        expected[i]->fence += 1;
        expected[i]->worker = worker(b);
      }
    }
  }

  // Mostly a move that the state has, in the role the table says, and mostly forwards. Sometimes
  // any.
  MoveFacts facts(const ModelJob& job, int b, int c) const {
    std::vector<On> fits;
    for (const Move& move : job.table->moves)
      if (move.from.contains(job.state) && move.on != On::claim)
        if (c % 4 == 0 || move.on < On::fail || move.on == On::retry) fits.push_back(move.on);
    MoveFacts w{.on = On::fail, .by = By::worker, .due_at = bench_.now() + Millis{b % 4 ? 0 : b}};
    if (!fits.empty() && c % 16) w.on = fits[static_cast<std::size_t>(b) % fits.size()];
    if (const Move* move = job.table->find(job.state, w.on)) w.by = move->by;
    if (c % 11 == 0) w.by = static_cast<By>(b % 4);
    if (w.by == By::worker) w.worker = c % 13 ? job.worker : worker(b);
    if (b % 3 == 0) w.reason = fmt::format("r{}", b);
    return w;
  }

  Ask draft(std::size_t i, const MoveFacts& w) {
    Ask ask = bench_.draft(id(i), w.on);
    ask.by = w.by;
    ask.worker = w.worker;
    ask.reason = w.reason;
    ask.due_at = w.due_at;
    return ask;
  }

  void move(std::size_t i, int b, int c) {
    ModelJob& job = model_.jobs[i];
    const MoveFacts w = facts(job, b, c);
    const bool granted = model_.may(job, w);
    RC_LOG() << name(w.on) << " of " << job.table->name << " " << job.state << std::endl;
    RC_ASSERT(bench_.ask(draft(i, w)).has_value() == granted);
    if (granted) model_.move(job, w);
  }

  void spoil(std::size_t i, int b, int c) {
    Ask ask = draft(i, facts(model_.jobs[i], b, c));
    if (c % 2) ask.version.seq += c % 4 == 1 ? 1 : -1;
    if (c % 2 == 0) ask.version.fence += c % 4 == 0 ? 1 : -1;
    RC_ASSERT(!bench_.ask(ask).has_value());
  }

  void release(std::size_t i, int b, int c) {
    ModelJob& job = model_.jobs[i];
    const Release back{.version = bench_.version(id(i)),
                       .worker = c % 5 && job.worker ? job.worker : worker(b),
                       .reason = "released",
                       .due_at = bench_.now() + Millis{b}};
    const bool holds = job.worker == back.worker;
    RC_ASSERT(bench_.jobs().release({&back, 1}, bench_.now())[0].has_value() == holds);
    if (!holds) return;
    if (job.table->find(job.state, On::release))
      return model_.move(job, {On::release, By::system, {}, back.reason, *back.due_at});
    job.worker = {};
    job.due_at = back.due_at;
    job.reason = back.reason;
  }

  void rescue(int a, int b, int c) {
    const Lifecycle& table = *kTables[b % 5];
    if (c % 4 == 0) RC_ASSERT(bench_.store().workers().beat(worker(a), bench_.now()));
    const std::int64_t beat = bench_.store().workers().find(worker(a))->beat;
    const Silence silence{.worker = worker(a), .beat = beat - (c % 8 ? 0 : 1), .lifecycle = &table};
    Rescued expected;
    for (ModelJob& job : model_.jobs)
      if (job.table == &table && job.worker == worker(a) && c % 8)
        model_.lose(job, bench_.now(), expected);
    RC_ASSERT((bench_.jobs().rescue(silence, even, bench_.now()) == expected));
  }

  void pause(std::size_t i, int b) {
    ModelJob& job = model_.jobs[i];
    const bool can = job.row().is_open() && !job.worker;
    const JobVersion seen = bench_.version(id(i));
    const MoveAnswer answer =
        b % 2 ? bench_.jobs().pause(seen, bench_.now()) : bench_.jobs().resume(seen, bench_.now());
    RC_ASSERT(answer.has_value() == can);
    if (can) job.paused = b % 2;
  }

  void find_items(std::size_t i, int b, int c) {
    ModelJob& job = model_.jobs[i];
    if (job.table != &kBatch) return;
    std::vector<NewItem> found;
    for (int n = 0; n <= b % 3; ++n)
      found.push_back({.key = std::to_string(std::ssize(job.items) + n), .url = "u"});
    const auto enumeration = c % 3 ? Enumeration::goes_on : Enumeration::complete;
    const bool can = job.worker && !job.enumerated;
    const Hold hold{id(i), job.worker, job.fence};
    RC_ASSERT(bench_.store().items().add(hold, found, enumeration, bench_.now()).has_value() ==
              can);
    if (!can) return;
    job.items.resize(job.items.size() + found.size(), "PENDING");
    job.enumerated = enumeration == Enumeration::complete;
  }

  void move_item(std::size_t i, int b, int c) {
    ModelJob& job = model_.jobs[i];
    if (job.items.empty()) return;
    std::string_view& item = job.items[static_cast<std::size_t>(b) % job.items.size()];
    const On on =
        std::array{On::start, On::landed, On::fail, On::skip}.at(static_cast<std::size_t>(c) % 4);
    const ItemMove ask{.n = b % std::ssize(job.items) + 1,
                       .from = item,
                       .on = on,
                       .path = "/f",
                       .proof = {Proof::evidence, "{}"},
                       .holds = {Guard::filtered_out, Guard::file_exists}};
    const Move* move = kItem.find(item, on);
    const Hold hold{id(i), job.worker, job.fence};
    const ItemAnswer answer = bench_.store().items().move(hold, {&ask, 1}, bench_.now())[0];
    RC_ASSERT(answer.has_value() == (job.worker && move));
    if (answer) item = move->to;
  }

  Bench bench_;
  WorkerId other_ = bench_.store().workers().enlist("other", bench_.now());
  Model model_;
};

}  // namespace

TEST_CASE(
    "F09, promise 2: after any history rows, counters and wallet are the model's, and the events "
    "fold to the rows") {
  const auto number = rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, 100));
  const auto steps =
      rc::gen::scale(5.0, rc::gen::container<std::vector<Act>>(rc::gen::container<Act>(number)));

  CHECK(rc::check([&] {
    const std::vector<Act> history = *steps;
    Play play;
    for (const Act& act : history) {
      play.step(act);
      play.compare();
    }
    play.fold();
  }));
}
