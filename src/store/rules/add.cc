#include "store/rules/add.h"

#include <fmt/core.h>

#include "base/hash.h"
#include "base/json.h"
#include "lifecycle/category.h"
#include "lifecycle/tables.h"
#include "store/rules/event_data.h"
#include "store/rules/guards.h"
#include "store/rules/priority.h"

namespace haul::rules {
namespace {

constexpr std::size_t kRequestMax = std::size_t{16} << 20U;
constexpr std::size_t kKeyMax = 255;
constexpr std::size_t kSlotMax = 1'000;
constexpr Millis kPace{60'000};  // Of Quota::per_minute.

Refusal guarded(std::string_view code, std::string detail) {
  return {RefusalKind::guarded, std::string{code}, std::move(detail)};
}

Refusal key_reused(JobId job) {
  return guarded("key_reused", fmt::format("job {} has this key with another request", job.value));
}

// The caller sent no key: haul made it from these fields.
Refusal already_asked(const Lifecycle::Key& key, JobId job) {
  if (key.fields.empty()) return key_reused(job);
  std::string fields;
  for (const std::string_view field : key.fields)
    fields += fmt::format("{}{}", fields.empty() ? "" : ", ", field);
  const bool ends = key.scope == KeyScope::while_open;
  return guarded("already_asked",
                 fmt::format("job {} has the same {} but differs in another field; {}", job.value,
                             fields, ends ? "cancel it first" : "change one of them"));
}

std::optional<KeyedJob> find_keyed(const NewJob::Key& key, KeyFacts& facts, Time now) {
  if (key.value.empty()) return std::nullopt;
  if (auto found = facts.find(key.value)) return found;
  for (const std::string& beside : {key.earlier, key.later}) {
    if (beside.empty()) continue;
    const auto found = facts.find(beside);
    if (found && now - found->created_at < key.window) return found;
  }
  return std::nullopt;
}

// Nothing for a request that names no book.
std::optional<EnterBook> book_of(const NewJob& job) {
  const auto fields = read_object(job.request);
  if (!fields) return std::nullopt;
  const auto text_of = [&](FieldUse use) {
    const JsonField* given = find_field(*fields, job.lifecycle->request, use);
    return given ? given->text : std::string{};
  };
  EnterBook entry{.book = text_of(FieldUse::book), .title = text_of(FieldUse::book_title)};
  return entry.book.empty() ? std::nullopt : std::optional{std::move(entry)};
}

NoteAdded note_of(const NewJob& job) {
  if (!job.lifecycle->add.effects.contains(Effect::note_added))
    return {.type = "ADDED", .data = {}};
  Note note =
      added_note({.form = job.lifecycle->request, .request = job.request, .engine = job.engine});
  return {.type = note.type, .data = std::move(note.data)};
}

// Z-26, Z-16: an operator who adds a job for another user may spend that user's credits.
AuditAdd audit_of(const NewJob& job) {
  const bool costs = job.price > 0 && job.lifecycle->add.effects.contains(Effect::reserve_credit);
  return {fmt::format("job of user {}{}", job.owner.value,
                      costs ? fmt::format(", {} credits", job.price) : "")};
}

std::optional<Refusal> check_quota(const NewJob& job, const AddUse& use, Time now) {
  const Quota& quota = job.quota;
  if (quota.open_max > 0 && use.open >= quota.open_max)
    return guarded(quota.owner_code,
                   fmt::format("its owner has {} open {} jobs, the limit; wait until one ends",
                               quota.open_max, job.lifecycle->name));
  if (quota.open_in_all > 0 && use.open_in_all >= quota.open_in_all)
    return guarded(quota.all_code, fmt::format("{} {} jobs are open, the limit; try again later",
                                               quota.open_in_all, job.lifecycle->name));
  const bool is_paced = quota.per_minute > 0 && use.paced_at && *use.paced_at <= now;
  const Millis left = is_paced ? kPace - (now - *use.paced_at) : Millis{0};
  if (left <= Millis{0}) return std::nullopt;
  const std::int64_t wait_s = std::chrono::ceil<std::chrono::seconds>(left).count();
  Refusal refusal = guarded("too_fast", fmt::format("{} {} jobs a minute are the limit; wait {} s",
                                                    quota.per_minute, job.lifecycle->name, wait_s));
  refusal.wait_s = wait_s;
  return refusal;
}

}  // namespace

std::optional<Refusal> check_new(const NewJob& job, const NewJobFacts& facts) {
  if (job.request.size() > kRequestMax)
    return guarded("request_too_large", fmt::format("{} bytes", job.request.size()));
  if (is_item(*job.lifecycle))
    return guarded("not_a_job", "items are added to a job, not beside it");
  if (job.lane.size() > kKeyMax || job.slot.size() > kSlotMax || job.key.earlier.size() > kKeyMax ||
      job.key.later.size() > kKeyMax)
    return guarded("too_long", "lane, slot or key is too long");
  if (job.caller_key.size() > kKeyMax)
    return guarded("bad_key", fmt::format("a key has at most {} bytes", kKeyMax));
  if (job.key.value.size() > kKeyMax || job.key.value.empty() != (job.key.scope == KeyScope::none))
    return guarded("bad_key", fmt::format("a key has a scope and at most {} bytes", kKeyMax));
  if (auto refusal = check_priority(job.priority)) return refusal;
  if (!is_json_text(job.request)) return guarded("bad_request", "the request is not JSON");
  if (!facts.has_owner) return guarded("no_such_user", fmt::format("user {}", job.owner.value));
  if (job.retry_of && !facts.has_retried)
    return guarded("no_such_job", fmt::format("job {}", job.retry_of.value));
  return std::nullopt;
}

bool asks_credit(const NewJob& job) {
  return job.lifecycle->add.guards.contains(Guard::credit_left);
}

std::string category_of(const NewJob& job) {
  return haul::category_of(job.lifecycle->request, job.request);
}

std::vector<AddWrite> writes_of(const NewJob& job) {
  const auto& effects = job.lifecycle->add.effects;
  std::vector<AddWrite> writes;
  writes.emplace_back(note_of(job));
  if (job.note) writes.emplace_back(*job.note);
  if (effects.contains(Effect::enter_book))
    if (auto book = book_of(job)) writes.emplace_back(*std::move(book));
  if (effects.contains(Effect::reserve_credit))
    writes.emplace_back(ReserveCredit{.amount = job.price});
  if (job.asker && job.asker != job.owner) writes.emplace_back(audit_of(job));
  return writes;
}

std::optional<Refusal> check_add(const NewJob& job, const AddUse& use, Time now) {
  if (job.refused) return job.refused;
  for (const Guard guard : job.lifecycle->add.guards) {
    if (guard != Guard::credit_left) {
      if (auto refusal = check_held(guard, job.holds)) return refusal;
      continue;
    }
    if (job.price < 0) return Refusal{RefusalKind::guarded, "bad_price", "a price is not negative"};
    if (use.available < job.price)
      return Refusal{
          RefusalKind::guarded, "no_credit",
          fmt::format("{} credit{} needed", job.price, job.price == 1 ? " is" : "s are")};
  }
  return check_quota(job, use, now);
}

std::string fingerprint_of(const NewJob& job) {
  return sha256_hex(std::string{job.lifecycle->name} + "\x1f" + job.request);
}

std::optional<AddAnswer> find_by_caller_key(const NewJob& job, KeyFacts& facts) {
  if (job.caller_key.empty()) return std::nullopt;
  const CallerKey known = facts.find_caller_key(job.caller_key);
  if (known.is_of_list)
    return std::unexpected{guarded("key_reused", "a list of jobs came with this key")};
  if (!known.job) return std::nullopt;
  if (known.fingerprint == fingerprint_of(job)) return Added{known.job, true};
  return std::unexpected{key_reused(known.job)};
}

std::optional<AddAnswer> find_existing(const NewJob& job, KeyFacts& facts, Time now) {
  if (const auto found = find_keyed(job.key, facts, now)) {
    if (found->has_same_request) return Added{found->id, true};
    return std::unexpected{already_asked(job.lifecycle->key, found->id)};
  }
  if (job.slot.empty()) return std::nullopt;
  if (const auto id = facts.find_slot(job.slot)) return Added{*id, true};
  return std::nullopt;
}

}  // namespace haul::rules
