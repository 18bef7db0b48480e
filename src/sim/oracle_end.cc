// The oracles that judge a run once faults have stopped and every job had time to settle.

#include <fmt/core.h>

#include <algorithm>

#include "sim/edges.h"
#include "sim/oracle.h"

namespace haul::sim {
namespace {

constexpr std::size_t kPage = 1'000;
constexpr Millis kApart{1'000};

}  // namespace

void Oracles::judge_end() {
  watch();
  for (const auto& [id, added] : record_.added) {
    if (const auto job = store_.reader().find(added.job))
      judge_job(*job);
    else
      violated("events", fmt::format("job {} was added and is gone", id));
  }
  for (const auto& [id, fold] : folds_)
    if (!record_.added.contains(id))
      violated("one_job", fmt::format("there is a job {} that the simulator did not add", id));
  judge_wallet();
  judge_hosts();
}

void Oracles::judge_job(const Job& job) {
  const std::int64_t id = job.version.id.value;
  const Fold& fold = folds_[id];
  if (fold.state != job.version.state || fold.seq != job.version.seq)
    violated("events", fmt::format("job {} is '{}' at {}, its events say '{}' at {}", id,
                                   job.version.state, job.version.seq, fold.state, fold.seq));
  if (job.paused != fold.paused)
    violated("pause", fmt::format("job {} and its events differ on whether it is paused", id));
  if (!is_end(fold.lifecycle, fold.state))
    violated("liveness",
             fmt::format("job {} ({}) is still '{}', reason '{}', due in {} s, worker {}", id,
                         job.version.lifecycle->name, job.version.state, job.reason,
                         std::chrono::duration_cast<std::chrono::seconds>(
                             job.due_at.value_or(clock_.now()) - clock_.now())
                             .count(),
                         job.worker.value));
  if (job.version.attempt != fold.counted)
    violated("attempts",
             fmt::format("job {} ({}) says attempt {}, its events say {}", id,
                         job.version.lifecycle->name, job.version.attempt, fold.counted));
  judge_effects(job);
  if (fold.lifecycle == "book" || fold.lifecycle == "media") judge_client(job);
  if (fold.lifecycle == "media") judge_film(job);
  if (fold.lifecycle == "batch") judge_items(job);
  if (fold.lifecycle == "image") judge_credit(job);
}

void Oracles::judge_effects(const Job& job) {
  const std::int64_t id = job.version.id.value;
  const WorldLedger& ledger = world_.ledger();
  const auto count = [id](const std::map<std::int64_t, int>& of) {
    const auto found = of.find(id);
    return found == of.end() ? 0 : found->second;
  };
  int sends = 0;
  int unknown_sends = 0;
  int calls = 0;
  int ended_calls = 0;  // A4-13: with a recorded failure or an unknown outcome.
  for (const Intent& intent : store_.intents().of(job.version.id, kPage)) {
    const bool is_act = intent.kind == "chat_send" || intent.kind == "paid_call";
    if (is_act && intent.state == IntentState::open && !job.state().is_open())
      violated("effects", fmt::format("job {} ended, its {} is still open", id, intent.kind));
    sends += intent.kind == "chat_send" ? 1 : 0;
    unknown_sends += intent.kind == "chat_send" && intent.state == IntentState::unknown ? 1 : 0;
    calls += intent.kind == "paid_call" ? 1 : 0;
    const bool has_ended =
        intent.state == IntentState::failed || intent.state == IntentState::unknown;
    ended_calls += intent.kind == "paid_call" && has_ended ? 1 : 0;
  }
  if (count(ledger.sent) > sends || count(ledger.sent) > 1 + unknown_sends)
    violated("effects", fmt::format("job {} was sent {} times, {} written down, {} unknown", id,
                                    count(ledger.sent), sends, unknown_sends));
  if (job.version.state == "DELIVERED" && count(ledger.sent) == 0)
    violated("effects", fmt::format("job {} says delivered, the chat has nothing", id));
  if (count(ledger.charged) > calls || count(ledger.charged) > 1 + ended_calls)
    violated("effects", fmt::format("job {} was charged {} times, {} written down, {} ended", id,
                                    count(ledger.charged), calls, ended_calls));
  if (ledger.calls_stopped.contains(id))  // No user can cancel an image (A3-8).
    violated("effects", fmt::format("job {} stopped a paid call that it could ask for", id));
  if (job.version.lifecycle->name == "image" && job.version.state == "completed" &&
      count(ledger.kept) != 1)
    violated("effects", fmt::format("job {} says completed, the bucket is empty", id));
  if (ledger.cleaned_unproven.contains(id))
    violated("proof", fmt::format("job {}: source removed before the server listed the file", id));
}

// Promise 9: every file that the client ever fetched has a whole copy somewhere. A film that is
// cleaned has none of its sources left.
void Oracles::judge_film(const Job& job) {
  const std::int64_t id = job.version.id.value;
  const auto film = world_.ledger().films.find(id);
  if (film == world_.ledger().films.end()) return;
  for (const auto& [name, file] : film->second) {
    if (!file.has_source && clock_.steady() < file.in_library)
      violated("one_copy", fmt::format("job {}: there is no whole copy of {}", id, name));
    if (folds_[id].state == "cleaned" && file.has_source)
      violated("effects",
               fmt::format("job {} says cleaned, its source {} is still there", id, name));
  }
}

void Oracles::judge_client(const Job& job) {
  const std::int64_t id = job.version.id.value;
  const Fold& fold = folds_[id];
  const WorldLedger& ledger = world_.ledger();
  const bool with_client = fold.from == "queued" || fold.from == "downloading";
  if (fold.on == "cancel" && with_client && ledger.present.contains(id))
    violated("effects", fmt::format("job {} is canceled, its torrent goes on", id));
  if (record_.cancel_wished.contains(id) && fold.lifecycle == "book" && fold.state == "completed")
    violated("cancel", fmt::format("job {} completed after its cancel was accepted", id));
  const bool arrived =
      fold.lifecycle == "book" ? fold.state == "completed" : fold.state == "cleaned";
  if (arrived && !ledger.fetched.contains(id))
    violated("proof", fmt::format("job {} is '{}', its torrent never finished", id, fold.state));
}

// A completed image costs its price once, and so does one that the provider blocked (S4-10). Every
// other image costs nothing.
void Oracles::judge_wallet() {
  std::int64_t spent = 0;
  std::int64_t reserved = 0;
  for (const auto& [id, fold] : folds_) {
    if (fold.lifecycle != "image") continue;
    const bool blocked = fold.state == "rejected" && fold.from == "running";
    spent += fold.state == "completed" || blocked ? record_.price : 0;
    reserved += is_end(fold.lifecycle, fold.state) ? 0 : record_.price;
  }
  const Wallet wallet = store_.ledger().wallet(kAdmin);
  if (wallet.granted != record_.granted || wallet.spent != spent || wallet.reserved != reserved ||
      wallet.available != record_.granted - spent - reserved)
    violated("credits", fmt::format("granted {}, spent {}, reserved {}; the wallet says {} + {} + "
                                    "{} of {}",
                                    record_.granted, spent, reserved, wallet.available,
                                    wallet.reserved, wallet.spent, wallet.granted));
}

void Oracles::judge_items(const Job& job) {
  const std::int64_t id = job.version.id.value;
  const Fold& fold = folds_[id];
  const WorldLedger& ledger = world_.ledger();
  Counts seen;
  std::int64_t live = 0;
  std::int64_t after = 0;
  for (auto page = store_.items().list(job.version.id, "", after, kPage); !page.empty();
       page = store_.items().list(job.version.id, "", after, kPage)) {
    for (const Item& item : page) {
      ++seen.total;
      seen.downloaded += item.state == "COMPLETED" ? 1 : 0;
      seen.bytes += item.state == "COMPLETED" ? item.size.value_or(0) : 0;
      seen.skipped += item.state == "SKIPPED" ? 1 : 0;
      seen.failed += item.state == "FAILED" ? 1 : 0;
      seen.cancelled += item.state == "CANCELLED" ? 1 : 0;
      live += is_item_end(item.state) ? 0 : 1;
      if (item.state == "COMPLETED" && !ledger.landed.contains({id, item.n}))
        violated("proof",
                 fmt::format("item {}.{} is COMPLETED, its file never landed", id, item.n));
      const auto told = fold.told.find(item.key);
      const bool is_told = told != fold.told.end();
      const bool wanted = is_item_end(item.state) && item.state != "CANCELLED";
      if (is_told != wanted || (is_told && told->second.front() == (item.state == "FAILED")))
        violated("events", fmt::format("item {}.{} is {}, its ITEM_DONE says otherwise", id, item.n,
                                       item.state));
    }
    after = page.back().n;
  }
  Counts told = store_.items().counts(job.version.id);
  told.enumerated = false;
  if (seen != told)
    violated("counters",
             fmt::format("job {}: the counters are not its items", job.version.id.value));
  if (is_end(fold.lifecycle, fold.state) && live > 0)
    violated("counters", fmt::format("job {} ended with {} live items", id, live));
  const auto listed = ledger.listed.find(id);
  const bool all_anew = !record_.added.at(id).is_repetition;  // A retry has failed items only.
  if (fold.state == "COMPLETED" && all_anew &&
      (listed == ledger.listed.end() || listed->second != seen.total))
    violated("counters", fmt::format("job {} is COMPLETED with {} items, its site lists others", id,
                                     seen.total));
}

void Oracles::judge_credit(const Job& job) {
  int reserved = 0;
  int resolved = 0;
  std::int64_t after = 0;
  for (auto page = store_.ledger().entries(kAdmin, after, kPage); !page.empty();
       page = store_.ledger().entries(kAdmin, after, kPage)) {
    for (const Credit& credit : page) {
      if (credit.job != job.version.id) continue;
      reserved += credit.kind == "reserve" ? 1 : 0;
      resolved += credit.kind == "spend" || credit.kind == "refund" ? 1 : 0;
    }
    after = page.back().id;
  }
  if (reserved != 1 || resolved != (is_end("image", job.version.state) ? 1 : 0))
    violated("credits", fmt::format("job {} ('{}'): {} reserved, {} resolved", job.version.id.value,
                                    job.version.state, reserved, resolved));
}

// A host sees at most two requests at once, and one second between their starts. haul measures that
// second by the wall clock, which all processes share, so a run that sets the clock proves nothing.
void Oracles::judge_hosts() {
  for (const auto& [host, spans] : world_.ledger().requests) {
    std::vector<Steady> starts;
    for (const Span& span : spans) starts.push_back(span.from);
    std::ranges::sort(starts);
    for (std::size_t i = 1; i < starts.size() && !record_.clock_was_set; ++i)
      if (starts[i] - starts[i - 1] < kApart)
        return violated("limits", fmt::format("{} saw two requests start {} ms apart", host,
                                              (starts[i] - starts[i - 1]).count()));
    for (const Span& one : spans) {
      const auto at_once = std::ranges::count_if(
          spans, [&](const Span& other) { return other.from <= one.from && one.from < other.to; });
      if (at_once > 2)
        return violated("limits", fmt::format("{} saw {} requests at once", host, at_once));
    }
  }
}

}  // namespace haul::sim
