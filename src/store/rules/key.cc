#include "store/rules/key.h"

#include "base/hash.h"
#include "base/planted_bug.h"

namespace haul::rules {
namespace {

struct Keyed {
  const Lifecycle& lifecycle;
  UserId owner;
  std::span<const JsonField> request;
};

std::string as_text(const Keyed& job, std::string_view field, std::int64_t minute) {
  if (field == "owner") return std::to_string(job.owner.value);
  if (field == "minute") return std::to_string(minute);
  const JsonField* found = find_field(job.request, field);
  return found ? found->text : "";
}

std::string as_json(const Keyed& job, std::string_view field, std::int64_t minute) {
  if (field == "owner" || field == "minute") return as_text(job, field, minute);
  const JsonField* found = find_field(job.request, field);
  return found ? found->json : "null";
}

std::string key_in(const Keyed& job, std::int64_t minute) {
  const Lifecycle::Key& key = job.lifecycle.key;
  const bool is_array = key.form == KeyForm::array;
  std::string text;
  for (const std::string_view& field : key.fields) {
    if (&field != key.fields.begin()) text += is_array ? "," : ":";
    text += is_array ? as_json(job, field, minute) : as_text(job, field, minute);
  }
  return sha256_hex(is_array ? "[" + text + "]" : text);
}

}  // namespace

NewJob::Key key_of(const Lifecycle& lifecycle, UserId owner, std::span<const JsonField> request,
                   Time now) {
  if (lifecycle.key.scope == KeyScope::none) return {};
  const Keyed job{lifecycle, owner, request};
  const std::int64_t minute =
      std::chrono::floor<std::chrono::minutes>(now).time_since_epoch().count();
  NewJob::Key key{.value = key_in(job, minute), .scope = lifecycle.key.scope};
  if (key.scope == KeyScope::window && !planted(PlantedBug::window_key_off)) {
    key.earlier = key_in(job, minute - 1);
    key.later = key_in(job, minute + 1);
  }
  return key;
}

std::string slot_of(const Lifecycle& lifecycle, UserId owner, std::span<const JsonField> request) {
  std::string slot;
  for (const std::string_view& field : lifecycle.slot)
    slot += (&field == lifecycle.slot.begin() ? "" : "\x1f") +
            as_text({lifecycle, owner, request}, field, 0);
  return slot;
}

}  // namespace haul::rules
