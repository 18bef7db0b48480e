#include "flow/worker/lanes.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/ascii.h"
#include "base/host.h"
#include "base/url.h"
#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

constexpr std::size_t kHostMax = 253;

std::string first_address(const Lifecycle& lifecycle, std::span<const JsonField> request) {
  for (const RequestField& field : lifecycle.request.fields) {
    if (field.use != FieldUse::address) continue;
    const JsonField* given = find_field(request, field.name);
    if (!given) continue;
    if (field.type != FieldType::list) return given->text;
    const auto list = read_array(given->json);
    return list && !list->empty() ? list->front() : std::string{};
  }
  return {};
}

// True if canonical_host would leave the host as it is, which holds for most addresses. Then haul
// need not parse the URL.
bool is_plain_name(std::string_view host) {
  const auto plain = [](char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '-'; };
  return !host.empty() && host.size() <= kHostMax && is_letter(host.front()) &&
         is_letter(host.back()) && std::ranges::all_of(host, plain) &&
         host.find("..") == std::string_view::npos;
}

std::string host_in(const std::string& address) {
  const bool is_web = address.starts_with("https://") || address.starts_with("http://");
  if (std::string host = host_of(address); is_web && is_plain_name(host)) return host;
  const auto url = parse_url(address);
  return url ? host_of(url->text) : std::string{};
}

}  // namespace

bool has_host_lanes(const Lifecycle& lifecycle) { return lifecycle.lane == LaneBy::host; }

// A host may have the name of a lifecycle. Its lane then ends in a dot, which no host name does.
std::string lane_of(const Lifecycle& lifecycle, std::span<const JsonField> request) {
  if (!has_host_lanes(lifecycle)) return {};
  const std::string host = host_in(first_address(lifecycle, request));
  return find_lifecycle(host) ? host + "." : host;
}

std::vector<const Lifecycle*> lifecycles_in(std::string_view lane) {
  if (const Lifecycle* named = find_lifecycle(lane)) return {named};
  std::vector<const Lifecycle*> sharing;
  for (const Lifecycle* each : all_lifecycles())
    if (has_host_lanes(*each)) sharing.push_back(each);
  return sharing;
}

LaneRoom room_in_lane(const Lifecycle& lifecycle, const Capacity& capacity, std::size_t running,
                      std::size_t at_once) {
  if (has_host_lanes(lifecycle)) {
    const std::size_t per_host =
        capacity.is_ample() ? std::max<std::size_t>(capacity.per_host, 1) : 1;
    return {.limit = std::min(capacity.free, per_host - std::min(per_host, running)),
            .at_once = per_host};
  }
  const std::size_t left_to_others = capacity.all / 4;
  LaneRoom room{.limit = running == 0 ? std::min<std::size_t>(capacity.free, 1) : 0,
                .at_once = at_once};
  if (capacity.free > left_to_others) room.limit = capacity.free - left_to_others;
  if (at_once > 0) room.limit = std::min(room.limit, at_once - std::min(at_once, running));
  return room;
}

void HeldLanes::end(const std::string& lane) {
  const auto found = running_.find(lane);
  if (found == running_.end()) return;
  if (crowded_.contains(lane)) vacated_.insert(lane);
  if (--found->second > 0) return;
  running_.erase(found);
  crowded_.erase(lane);
}

std::size_t HeldLanes::running(const std::string& lane) const {
  const auto found = running_.find(lane);
  return found == running_.end() ? 0 : found->second;
}

std::vector<std::string> HeldLanes::take_vacated() {
  const std::set<std::string> lanes = std::exchange(vacated_, {});
  return {lanes.begin(), lanes.end()};
}

}  // namespace haul::flow
