// The oracles that watch acts on the outside and the items of batches while a run goes on.

#include <fmt/core.h>

#include <algorithm>

#include "base/json.h"
#include "sim/edges.h"
#include "sim/oracle.h"

namespace haul::sim {
namespace {

constexpr std::size_t kPage = 1'000;

// Each act, the state its job must be in, and the intent that must be open.
struct Rule {
  Act::Kind kind;
  std::string_view name;
  std::string_view state;
  std::string_view intent;
};
constexpr Rule kRules[] = {
    {Act::Kind::clean, "cleaned", "imported", "clean"},
    {Act::Kind::send, "sent", "STREAMING", "chat_send"},
    {Act::Kind::charge, "charged", "running", "paid_call"},
};

std::string field(const std::string& json, std::string_view name) {
  const auto fields = read_object(json);
  for (const JsonField& each : fields.value_or(std::vector<JsonField>{}))
    if (each.name == name) return each.text;
  return {};
}

}  // namespace

bool Oracles::is_written_down(JobId job, std::string_view kind) {
  return std::ranges::any_of(store_.intents().of(job, kPage), [&](const Intent& intent) {
    return intent.kind == kind && intent.state == IntentState::open;
  });
}

// Only the worker that holds the job may do an act that cannot be undone, only in the state the act
// is for, and only after it has stored the intent.
void Oracles::see_act(const Act& act) {
  read();
  const std::int64_t id = act.job.value;
  const Fold& fold = folds_[id];
  if (act.kind == Act::Kind::add_torrent) {
    if (fold.state != "queued" && fold.state != "downloading")
      violated("effects",
               fmt::format("a torrent of job {} was added while it is '{}'", id, fold.state));
    if (!is_written_down(act.job, "hand_over"))
      violated("effects", fmt::format("a torrent of job {} was added, not written down", id));
    if (record_.cancel_wished.contains(id))
      violated("cancel", fmt::format("a torrent of job {} was added after its cancel", id));
    if (world_.ledger().torrents.at(id) > fold.lives)
      violated("effects", fmt::format("job {} added {} torrents in {} lives", id,
                                      world_.ledger().torrents.at(id), fold.lives));
    return;
  }
  if (act.kind == Act::Kind::import) return see_import(act.job);
  const Rule& rule = *std::ranges::find(kRules, act.kind, &Rule::kind);
  const std::int64_t worker = record_.workers.at(act.of).value;
  if (fold.holder != worker)
    violated("effects", fmt::format("job {} was {} by worker {}, held by {}", id, rule.name, worker,
                                    fold.holder));
  if (fold.state != rule.state)
    violated("effects", fmt::format("job {} was {} while it is '{}'", id, rule.name, fold.state));
  if (!is_written_down(act.job, rule.intent))
    violated("effects", fmt::format("job {} was {}, not written down", id, rule.name));
  if (act.kind == Act::Kind::clean) see_removal(act);
}

bool Oracles::is_listed(JobId job, const std::string& path) {
  return std::ranges::any_of(store_.manifest().all(job, {}, kPage), [&](const ManifestFile& file) {
    return file.entry.root + "/" + file.entry.path == path;
  });
}

// Z-4: the manifest has every file that the client fetched before the library touches one.
void Oracles::see_import(JobId job) {
  const auto film = world_.ledger().films.find(job.value);
  if (film == world_.ledger().films.end()) return;
  for (const auto& [name, file] : film->second)
    if (!is_listed(job, film_path(job.value, name)))
      violated("effects",
               fmt::format("job {} was imported before its file {} was listed", job.value, name));
}

// Promises 9 and 10: a source is the job's own and listed. Whosever it is, it goes only while the
// library has a whole copy of it.
void Oracles::see_removal(const Act& act) {
  const std::int64_t id = act.job.value;
  if (!act.path.starts_with(film_path(id, "")) || !is_listed(act.job, act.path))
    violated("effects", fmt::format("job {} cleaned '{}', which is not its source", id, act.path));
  const auto key = film_of(act.path);
  if (!key) return;
  const auto film = world_.ledger().films.find(key->job);
  if (film == world_.ledger().films.end()) return;
  const auto file = film->second.find(key->name);
  if (file == film->second.end() || !file->second.has_source) return;
  if (clock_.steady() < file->second.in_library)
    violated("one_copy", fmt::format("job {} removed '{}', of which the library has no whole copy",
                                     id, act.path));
}

void Oracles::see_item_done(const Event& event, Fold& fold) {
  const bool success = field(event.data, "success") == "true";
  std::vector<bool>& told = fold.told[field(event.data, "file_id")];
  told.push_back(success);
  fold.told_good += success ? 1 : 0;
  if (told.size() > 1)
    violated("events", fmt::format("job {}: a second ITEM_DONE of one item: {}", event.job.value,
                                   event.data));
}

void Oracles::see_progress(const Event& event, const Fold& fold) {
  if (field(event.data, "completed_items") != std::to_string(fold.told_good))
    violated("counters", fmt::format("job {}: {} after {} good ITEM_DONE", event.job.value,
                                     event.data, fold.told_good));
}

// An ended item never changes, and no item disappears. The oracle does not see the moves between
// open states that an item makes between two looks; all of them are allowed.
void Oracles::watch_items() {
  for (auto& [id, fold] : folds_) {
    if (fold.lifecycle != "batch" || fold.items_over || !fold.has_news) continue;
    fold.has_news = false;
    std::map<std::int64_t, std::string> now;
    std::int64_t after = 0;
    for (auto page = store_.items().list(JobId{id}, "", after, kPage); !page.empty();
         page = store_.items().list(JobId{id}, "", after, kPage)) {
      for (const Item& item : page) now[item.n] = item.state;
      after = page.back().n;
    }
    for (const auto& [n, before] : fold.items) {
      const auto found = now.find(n);
      const std::string state = found == now.end() ? "gone" : found->second;
      const bool was_over = is_item_end(before);
      if ((was_over && state != before) || state == "gone" ||
          (!was_over && state == "SKIPPED"))  // Items are skipped only when found.
        violated("legal_moves", fmt::format("item {}.{}: {} > {}", id, n, before, state));
    }
    fold.items = std::move(now);
    fold.items_over = is_end(fold.lifecycle, fold.state);
  }
}

}  // namespace haul::sim
