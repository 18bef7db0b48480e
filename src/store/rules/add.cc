#include "store/rules/add.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/json.h"
#include "store/rules/event_data.h"
#include "store/rules/guards.h"

namespace haul::rules {
namespace {

std::optional<KeyedJob> find_keyed(const NewJob::Key& key, KeyFacts& facts, Time now) {
  if (key.value.empty()) return std::nullopt;
  if (auto found = facts.find(key.value)) return found;
  if (key.earlier.empty()) return std::nullopt;
  const auto found = facts.find(key.earlier);
  return found && now - found->created_at < key.window ? found : std::nullopt;
}

// The text of a field; empty if it is missing or null.
std::string text_of(const std::vector<JsonField>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &JsonField::name);
  return found == fields.end() || found->is_null ? std::string{} : found->text;
}

// Nothing for a request that names no book.
std::optional<EnterBook> book_of(std::string_view request) {
  const auto fields = read_object(request);
  if (!fields) return std::nullopt;
  EnterBook entry{.book = text_of(*fields, "book_id"), .title = text_of(*fields, "title")};
  return entry.book.empty() ? std::nullopt : std::optional{std::move(entry)};
}

NoteAdded note_of(const NewJob& job) {
  if (!job.lifecycle->add.effects.contains(Effect::note_added))
    return {.type = "ADDED", .data = {}};
  return {.type = "JOB_ADDED", .data = added_data({.request = job.request, .engine = job.engine})};
}

}  // namespace

bool asks_credit(const NewJob& job) {
  return job.lifecycle->add.guards.contains(Guard::credit_left);
}

std::vector<AddWrite> writes_of(const NewJob& job) {
  const auto& effects = job.lifecycle->add.effects;
  std::vector<AddWrite> writes;
  writes.emplace_back(note_of(job));
  if (effects.contains(Effect::enter_book))
    if (auto book = book_of(job.request)) writes.emplace_back(*std::move(book));
  if (effects.contains(Effect::reserve_credit))
    writes.emplace_back(ReserveCredit{.amount = job.price});
  return writes;
}

std::optional<Refusal> check_add(const NewJob& job, std::int64_t available) {
  for (const Guard guard : job.lifecycle->add.guards) {
    if (guard != Guard::credit_left) {
      if (auto refusal = check_held(guard, job.holds)) return refusal;
      continue;
    }
    if (job.price < 0) return Refusal{RefusalKind::guarded, "bad_price", "a price is not negative"};
    if (available < job.price)
      return Refusal{RefusalKind::guarded, "no_credit",
                     fmt::format("{} credits are needed", job.price)};
  }
  return std::nullopt;
}

std::optional<AddAnswer> find_existing(const NewJob::Key& key, KeyFacts& facts, Time now) {
  const auto found = find_keyed(key, facts, now);
  if (!found) return std::nullopt;
  if (found->has_same_request) return Added{found->id, true};
  return std::unexpected{
      Refusal{RefusalKind::guarded, "key_reused",
              fmt::format("job {} has this key with another request", found->id.value)}};
}

}  // namespace haul::rules
