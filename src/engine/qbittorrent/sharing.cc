#include "engine/qbittorrent/sharing.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

namespace haul::qbittorrent {
namespace {

constexpr double kGlobal = -2;  // The torrent has no limit of its own.
constexpr double kSecondsPerMinute = 60;
constexpr double kLeftMax = 100 * 365 * 24 * 60;  // A hundred years in minutes.

std::unexpected<Fault> unclear(std::string_view what) {
  return std::unexpected{
      Fault{FaultKind::retryable, "client_garbage",
            fmt::format("qBittorrent does not say which {} limit is in force", what)}};
}

// The limit that counts; no value if there is none.
Result<std::optional<double>> limit_of(const ShareLimit& limit, std::string_view what) {
  if (limit.own && *limit.own >= 0) return limit.own;
  if (limit.own && *limit.own != kGlobal) return std::nullopt;
  if (limit.in_force) return *limit.in_force >= 0 ? limit.in_force : std::nullopt;
  if (limit.own) return unclear(what);
  return std::nullopt;  // A version that does not know this limit.
}

// "90 min", "36 h"
std::string time_text(double minutes) {
  return minutes < 120 ? fmt::format("{:.0f} min", minutes)
                       : fmt::format("{:.0f} h", minutes / kSecondsPerMinute);
}

bool is_ratio_reached(const Sharing& sharing, double limit) {
  return sharing.ratio && (*sharing.ratio < 0 || *sharing.ratio >= limit);
}

double minutes_of(std::int64_t seconds) { return static_cast<double>(seconds) / kSecondsPerMinute; }

}  // namespace

Result<std::optional<Seeding>> judge_sharing(const Sharing& sharing, Time now) {
  const auto ratio_limit = limit_of(sharing.ratio_limit, "ratio");
  if (!ratio_limit) return std::unexpected{ratio_limit.error()};
  const auto time_limit = limit_of(sharing.time_limit, "seeding time");
  if (!time_limit) return std::unexpected{time_limit.error()};
  const auto inactive_limit = limit_of(sharing.inactive_limit, "inactive seeding time");
  if (!inactive_limit) return std::unexpected{inactive_limit.error()};
  const std::optional<double>& ratio = *ratio_limit;
  const std::optional<double>& time = *time_limit;
  const std::optional<double>& inactive = *inactive_limit;
  if (!ratio && !time && !inactive) return std::nullopt;

  if (ratio && is_ratio_reached(sharing, *ratio)) return std::nullopt;
  const double seeded = minutes_of(sharing.seeded_s.value_or(0));
  if (time && seeded >= *time) return std::nullopt;
  const std::int64_t now_s = to_unix_ms(now) / 1'000;
  const double idle = sharing.active_at_s ? minutes_of(now_s - *sharing.active_at_s) : 0;
  if (inactive && idle >= *inactive) return std::nullopt;

  Seeding seeding;
  const auto add = [&](const std::string& part) {
    seeding.detail += (seeding.detail.empty() ? "" : ", ") + part;
  };
  if (ratio) add(fmt::format("ratio {:.2f} of {:.2f}", sharing.ratio.value_or(0), *ratio));
  if (time) add(fmt::format("seeded {} of {}", time_text(seeded), time_text(*time)));
  if (inactive) add(fmt::format("inactive {} of {}", time_text(idle), time_text(*inactive)));
  if (sharing.is_stopped) {
    add("stopped in the client, so it does not go on");
  } else if (time) {
    const double left = std::min(*time - seeded, kLeftMax);
    seeding.left = Millis{static_cast<std::int64_t>(left * 60'000)};
  }
  return seeding;
}

}  // namespace haul::qbittorrent
