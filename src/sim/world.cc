#include "sim/world.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/ensure.h"
#include "sim/fakes.h"

namespace haul::sim {
namespace {

constexpr std::string_view kDownloads = "/downloads/";

}  // namespace

std::string film_path(std::int64_t job, const std::string& name) {
  return fmt::format("{}{}/{}", kDownloads, job, name);
}

std::optional<FilmKey> film_of(std::string_view path) {
  if (!path.starts_with(kDownloads)) return std::nullopt;
  path.remove_prefix(kDownloads.size());
  FilmKey key;
  const auto read = std::from_chars(path.data(), path.data() + path.size(), key.job);
  path.remove_prefix(static_cast<std::size_t>(read.ptr - path.data()));
  if (!path.starts_with('/')) return std::nullopt;
  key.name = path.substr(1);
  return key;
}

World::World(VirtualClock& clock, std::uint64_t seed, ChaosSet chaos)
    : clock_{clock}, random_{seed ^ 0x576f726c64U}, chaos_{chaos} {
  fakes_ = std::make_unique<Fakes>(*this);
}

World::~World() = default;

flow::Outside World::outside() { return fakes_->outside(); }

std::set<const Inbox*> World::deliver() {
  std::set<const Inbox*> got;
  while (!coming_.empty() && coming_.top().at <= clock_.steady()) {
    const Coming coming = coming_.top();
    coming_.pop();
    if (gone_.contains(coming.inbox)) continue;
    coming.inbox->push(coming.sight);
    got.insert(coming.inbox);
  }
  return got;
}

std::optional<Steady> World::next() const {
  if (coming_.empty()) return std::nullopt;
  return coming_.top().at;
}

void World::forget(const Inbox* inbox) {
  gone_.insert(inbox);
  cut(inbox);
}

void World::cut(const Inbox* inbox) {
  const Steady now = clock_.steady();
  for (auto& [host, spans] : ledger_.requests)
    for (Span& span : spans)
      if (span.of == inbox) span.to = std::min(span.to, std::max(now, span.from));
}

void World::tell(Inbox& inbox, const Order& order, What what, Millis after) {
  push(inbox, {order.job, order.item, order.fence, order.start, std::move(what)}, after);
}

void World::tell(Inbox& inbox, const Parcel& parcel, What what, Millis after) {
  push(inbox, {parcel.job, 0, parcel.fence, 0, std::move(what)}, after);
}

void World::push(Inbox& inbox, Sight sight, Millis after) {
  ensure(sight.job && after >= Millis{0}, "a sight is about a job, and comes after its cause");
  if (strikes(Chaos::late_sights, 8)) after += some(1'000, 60'000);
  if (strikes(Chaos::double_sights, 8))
    coming_.push({clock_.steady() + after + some(1, 5'000), ++order_, &inbox, sight});
  coming_.push({clock_.steady() + after, ++order_, &inbox, std::move(sight)});
}

bool World::strikes(Chaos chaos, std::uint64_t one_in) {
  const bool strikes = random_.one_in(one_in);  // Always drawn: a switch then shifts little else.
  return strikes && chaos_.has(chaos);
}

Millis World::some(int from_ms, int to_ms) {
  ensure(from_ms < to_ms, "a random time has a range");
  return Millis{from_ms +
                static_cast<int>(random_.below(static_cast<std::uint64_t>(to_ms - from_ms)))};
}

}  // namespace haul::sim
