#include "flow/worker/lifecycle_work.h"

#include <algorithm>

#include "base/json.h"

namespace haul::flow {

const LifecycleWork* find_work(std::span<const LifecycleWork> all, const Lifecycle& lifecycle) {
  const auto found = std::ranges::find(all, &lifecycle, &LifecycleWork::lifecycle);
  return found == all.end() ? nullptr : &*found;
}

std::optional<Refusal> refusal_of_new(const LifecycleWork* entry, std::string_view request) {
  if (!entry) return std::nullopt;
  auto refusal = entry->refuses ? entry->refuses(request) : std::nullopt;
  if (!refusal && entry->refuses_new) refusal = entry->refuses_new(request);
  return refusal;
}

std::string not_ready(std::span<const LifecycleWork> all, const Lifecycle& lifecycle,
                      std::string_view engine) {
  const LifecycleWork* work = find_work(all, lifecycle);
  return work ? work->not_ready(engine) : std::string{};
}

std::string lacks_for(std::span<const LifecycleWork> all, const Lifecycle& lifecycle,
                      std::string_view request) {
  const LifecycleWork* work = find_work(all, lifecycle);
  return work ? work->lacks_for(request) : std::string{};
}

Trash* find_trash(std::span<const LifecycleWork> all) {
  const auto found =
      std::ranges::find_if(all, [](const LifecycleWork& work) { return work.trash != nullptr; });
  return found == all.end() ? nullptr : found->trash;
}

std::optional<Time> expires_at(std::span<const LifecycleWork> all, const Lifecycle& lifecycle,
                               Time now) {
  const LifecycleWork* work = find_work(all, lifecycle);
  if (!work || work->expires_after <= Millis{0}) return std::nullopt;
  return now + work->expires_after;
}

bool is_ready(std::span<const LifecycleWork> all, const Lifecycle& lifecycle) {
  const LifecycleWork* work = find_work(all, lifecycle);
  if (!work) return false;
  const auto can_begin = [work](std::string_view engine) {
    return work->not_ready(engine).empty();
  };
  if (can_begin({})) return true;
  const RequestField* engine = field_with(lifecycle.request, FieldUse::engine);
  return engine && std::ranges::any_of(engine->values, can_begin);
}

std::string engine_in(const Lifecycle& lifecycle, std::string_view request) {
  if (!field_with(lifecycle.request, FieldUse::engine)) return {};
  const auto fields = read_object(request);
  const JsonField* engine =
      fields ? find_field(*fields, lifecycle.request, FieldUse::engine) : nullptr;
  return engine ? engine->text : std::string{};
}

std::string both_not_ready(const Lack& first, const Lack& second) {
  if (first.text.empty() || first == second) return second.text;
  if (second.text.empty()) return first.text;
  if (first.remedy != second.remedy)
    return first.remedy == Lack::Remedy::none ? first.text : second.text;
  return first.text + "; " + second.text;
}

}  // namespace haul::flow
