#include "sim/oracle.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "sim/edges.h"

namespace haul::sim {
namespace {

constexpr std::size_t kPage = 1'000;
constexpr Millis kGrace{60'000};
constexpr Millis kPoll{15'000};
constexpr Millis kSlack{30'000};
constexpr Millis kShortLease{8'000};
constexpr Millis kRelayLease{30'000};

bool is_edge(std::string_view lifecycle, std::string_view from, std::string_view to) {
  return std::ranges::any_of(kEdges, [&](const Edge& edge) {
    return edge.lifecycle == lifecycle && edge.from == from && edge.to == to;
  });
}

// The states in which a worker holds the job.
bool is_held(std::string_view lifecycle, std::string_view state) {
  return (lifecycle == "batch" && state == "RUNNING") ||
         (lifecycle == "media" && (state == "completed" || state == "imported")) ||
         (lifecycle == "image" && state == "running") ||
         (lifecycle == "relay" &&
          (state == "CLAIMED" || state == "DOWNLOADING" || state == "STREAMING"));
}

// The states in which a download client has the job.
bool is_at_client(std::string_view lifecycle, std::string_view state) {
  return (lifecycle == "book" || lifecycle == "media") &&
         (state == "queued" || state == "downloading");
}

}  // namespace

Oracles::Oracles(Store& store, const World& world, const RunRecord& record,
                 const VirtualClock& clock)
    : store_{store}, world_{world}, record_{record}, clock_{clock} {}

void Oracles::violated(const std::string& oracle, const std::string& what) {
  violations_.push_back({oracle, what});
}

std::string Oracles::trace() const { return sha256_hex(trace_).substr(0, 16); }

// S0-20, F08: whatever other jobs do, a worker looks at every job at a client in its turn, unless
// the job is paused. The jobs at the client since the last look decide when the turn comes: a job
// that ends meanwhile does not bring it forward. A job that ended and was retried waits from then.
void Oracles::judge_fairness() {
  if (!record_.one_process || record_.clock_was_set) return;
  const Steady now = clock_.steady();
  std::vector<std::pair<std::int64_t, Fold*>> at_client;
  for (auto& [id, fold] : folds_)
    if (is_at_client(fold.lifecycle, fold.state)) at_client.emplace_back(id, &fold);
  for (const auto& [id, fold] : at_client) {
    const auto looked = world_.ledger().looked.find(id);
    const Steady last =
        looked == world_.ledger().looked.end() ? record_.added.at(id).at : looked->second;
    if (std::exchange(fold->looked, last) != last) fold->most_at_client = 0;
    fold->most_at_client = std::max(fold->most_at_client, at_client.size());
    if (fold->paused) continue;
    const auto cycles = static_cast<int>(fold->most_at_client / record_.poll_max) + 2;
    const Millis waited = now - std::max(last, fold->came);
    if (waited > cycles * kPoll + kSlack)
      return violated("fairness",
                      fmt::format("job {} was not looked at for {} s", id, waited.count() / 1'000));
  }
}

void Oracles::watch() {
  read();
  watch_items();
  judge_fairness();
}

void Oracles::read() {
  for (auto page = store_.events().after(seen_, kPage); !page.empty();
       page = store_.events().after(seen_, kPage)) {
    for (const Event& event : page) see(event);
    seen_ = page.back().id;
  }
}

void Oracles::see(const Event& event) {
  trace_ += fmt::format("{}.{}.{}.{}.{}.{}.{}.{};", event.job.value, event.seq, event.type,
                        to_unix_ms(event.at), event.from, event.to, event.on, event.reason);
  if (trace_.size() > (std::size_t{1} << 16U)) trace_ = sha256_hex(trace_);

  Fold& fold = folds_[event.job.value];
  fold.has_news = true;
  if (event.type == "ADDED" || event.type == "JOB_ADDED") {
    fold.lifecycle = record_.added.at(event.job.value).lifecycle;
    fold.state = event.to;
    return;
  }
  if (fold.done)
    violated("events", fmt::format("job {}: {} after JOB_DONE", event.job.value, event.type));
  if (event.type == "JOB_DONE") fold.done = true;
  if (event.type == "ITEM_DONE" && event.worker && event.worker.value != fold.holder)
    violated("fence", fmt::format("an item of job {} was ended by worker {}, held by {}",
                                  event.job.value, event.worker.value, fold.holder));
  if (event.type == "ITEM_DONE") see_item_done(event, fold);
  if (event.type == "JOB_PROGRESS") see_progress(event, fold);
  if (event.type == "PAUSED") fold.paused = true;
  if (event.type == "RESUMED") {
    fold.paused = false;
    fold.came = clock_.steady();
  }
  if (fold.paused && (event.type == "ADOPTED" || event.on == "claim" || event.on == "start"))
    violated("pause", fmt::format("job {} was taken up while it was paused", event.job.value));
  if (event.type == "ADOPTED") fold.holder = event.worker.value;
  if (event.type == "RELEASED") fold.holder = 0;
  if (event.type == "LOST") {
    see_clock(event, fold);
    fold.holder = 0;
    ++fold.counted;
  }
  if (event.type == "MOVED") see_move(event, fold);
}

void Oracles::see_move(const Event& event, Fold& fold) {
  ++moves_;
  const std::string where =
      fmt::format("job {} ({}) {} > {}", event.job.value, fold.lifecycle, event.from, event.to);
  if (event.from != fold.state || !is_edge(fold.lifecycle, event.from, event.to))
    violated("legal_moves", where + fmt::format(", but it was '{}'", fold.state));
  if (event.seq != fold.seq + 1)
    violated("seq", where + fmt::format(": seq {} after {}", event.seq, fold.seq));
  const bool by_holder = event.by == "worker" && is_held(fold.lifecycle, event.from);
  if (by_holder && event.worker.value != fold.holder)
    violated("fence",
             where + fmt::format(" by worker {}, held by {}", event.worker.value, fold.holder));
  see_clock(event, fold);
  const bool burnt = event.reason == "disk_full" || event.reason == "bucket_unreachable";
  if (burnt && (event.on == "requeue" || event.on == "fail") && event.by == "worker")
    violated("attempts", where + " burnt by the environment");

  const bool failed_relay =
      fold.lifecycle == "relay" && event.on == "fail" && event.from != "CLAIMED";
  const bool failed_image = fold.lifecycle == "image" && event.on == "fail";
  const bool failed_film = fold.lifecycle == "media" && event.on == "fail";
  if (event.on == "lost" || event.on == "requeue" || failed_relay || failed_image || failed_film ||
      event.reason == "worker_crashed")
    fold.counted += fold.lifecycle == "image" && event.on == "requeue" ? 0 : 1;
  if (event.on == "retry") fold.counted = 0;  // Z-29: attempts start over.
  if (event.on == "claim") fold.holder = event.worker.value;
  if (!is_held(fold.lifecycle, event.to)) fold.holder = 0;
  if (is_held(fold.lifecycle, event.to) && event.by != "worker") fold.holder = 0;
  if (!is_held(fold.lifecycle, event.from) && event.on != "claim") fold.holder = 0;
  if (event.on == "retry" && event.by == "user") ++fold.lives;
  if (!is_at_client(fold.lifecycle, event.from) && is_at_client(fold.lifecycle, event.to))
    fold.came = clock_.steady();
  fold.on = event.on;
  fold.from = event.from;
  fold.state = event.to;
  fold.seq = event.seq;
}

// Setting the wall clock may delay a decision but never make it too early.
void Oracles::see_clock(const Event& event, const Fold& fold) {
  const Steady now = clock_.steady();
  const std::int64_t id = event.job.value;
  const bool lost = event.on == "lost" || event.type == "LOST" || event.reason == "worker_crashed";
  if (lost) {
    const auto beat = record_.beats.find(event.worker.value);
    const Millis lease = fold.lifecycle == "relay" ? kRelayLease : kShortLease;
    if (beat != record_.beats.end() && beat->second.count > 0 && now - beat->second.at < lease)
      violated("early", fmt::format("job {} rescued {} ms after its worker's last beat", id,
                                    (now - beat->second.at).count()));
  }
  if (!record_.one_process) return;
  if (event.reason == "missing_external_job") {
    const auto first = world_.ledger().missing_first.find(id);
    if (first == world_.ledger().missing_first.end() || now - first->second < kGrace)
      violated("early", fmt::format("job {} failed as missing before the grace was over", id));
  }
  if (event.on == "expire") {
    const RunRecord::Added& added = record_.added.at(id);
    if (!added.ttl || now - added.at < *added.ttl)
      violated("early", fmt::format("job {} expired before its time", id));
  }
}

}  // namespace haul::sim
