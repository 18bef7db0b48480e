#include "conformance/sink/sink.h"

#include <algorithm>

namespace haul::conformance {
namespace {

bool is_answer(const What& what) {
  return !std::holds_alternative<Moving>(what) && !std::holds_alternative<Waiting>(what) &&
         !std::holds_alternative<CleanedSome>(what);
}

}  // namespace

std::string_view name_of(SinkRule rule) {
  switch (rule) {
    case SinkRule::keeps_one:
      return "keeps_one";
    case SinkRule::verifies:
      return "verifies";
    case SinkRule::lists_landed:
      return "lists_landed";
    case SinkRule::cleans:
      return "cleans";
    case SinkRule::checks_copies:
      return "checks_copies";
    case SinkRule::tells_progress:
      return "tells_progress";
    case SinkRule::stops:
      return "stops";
    case SinkRule::quiet_after_end:
      return "quiet_after_end";
    case SinkRule::fails:
      return "fails";
  }
  return "";  // Not reached: the switch is complete.
}

std::optional<What> SinkBench::told(const Parcel& parcel) const {
  for (const Sight& sight : sights.all())
    if (sight.fence == parcel.fence && is_answer(sight.what)) return sight.what;
  return std::nullopt;
}

int SinkBench::answers(const Parcel& parcel) const {
  const std::vector<Sight> all = sights.all();
  return static_cast<int>(std::ranges::count_if(all, [&](const Sight& sight) {
    return sight.fence == parcel.fence && is_answer(sight.what);
  }));
}

std::optional<What> SinkBench::await(const Parcel& parcel, Millis within) {
  until([&] { return told(parcel).has_value(); }, within);
  return told(parcel);
}

bool SinkBench::is_quiet() {
  const std::size_t before = sights.all().size();
  return !until([&] { return sights.all().size() > before; }, kQuiet);
}

std::optional<What> SinkBench::land(const Parcel& parcel) {
  sights.take();
  sink().land(parcel, sights);
  return await(parcel);
}

std::optional<What> SinkBench::verify(const Parcel& parcel) {
  sights.take();
  sink().verify(parcel, sights);
  return await(parcel);
}

std::optional<What> SinkBench::clean(const Parcel& parcel) {
  sights.take();
  sink().clean(parcel, sights);
  return await(parcel);
}

std::optional<Parcel> SinkBench::landed(const Parcel& parcel) {
  const auto answer = land(parcel);
  const Landed* landed = answer ? std::get_if<Landed>(&*answer) : nullptr;
  if (!landed) return std::nullopt;
  Parcel after = parcel;
  after.placed = landed->files;
  return after;
}

}  // namespace haul::conformance
