#include "app/config/transfer.h"

#include <fmt/core.h>

#include "app/config/config.h"
#include "app/config/download_folder.h"
#include "app/config/importer.h"
#include "app/config/value.h"
#include "base/environment.h"
#include "base/request_value.h"
#include "base/size.h"

namespace haul::app {
namespace {

std::string wrong_with_speed(const std::string& value) {
  if (value.empty() || read_size(value).value_or(0) >= kSpeedLimitMin) return {};
  return "expected at least 1K per second, or an empty value for no limit";
}

std::string wrong_with_window(const std::string& value) {
  const auto window = read_speed_window(value);
  return window ? std::string{} : window.error();
}

std::string wrong_with_max_size(const std::string& value) {
  if (read_size(value).value_or(0) >= 1) return {};
  return "expected at least 1 byte, such as 64G";
}

constexpr std::string_view kSpeedSchedule = "transfer.speed_schedule";
constexpr std::string_view kAllowPrivate = "transfer.allow_private";
constexpr std::string_view kDurabilities[] = {"each", "batch", "off"};

constexpr ConfigKey kKeys[] = {
    {.name = "transfer.folder",
     .kind = ConfigKind::path,
     .default_value = "",
     .about = "Folder for downloads. Default: `downloads` in the data folder. Must not be /, the "
              "data folder or a folder above it"},
    {.name = "transfer.per_host",
     .kind = ConfigKind::number,
     .default_value = "2",
     .about = "Concurrent requests to one host, and concurrent jobs per host",
     .range = ConfigRange{1, 1'000}},
    {.name = "transfer.delay",
     .kind = ConfigKind::duration,
     .default_value = "1s",
     .about = "Time between requests to one host",
     .range = between(Millis{0}, std::chrono::hours{1})},
    {.name = "transfer.speed_limit",
     .kind = ConfigKind::size,
     .default_value = "",
     .about = "Bytes per second for all downloads together, such as 2M. Default: no limit. A job's "
              "own limit also applies",
     .check = wrong_with_speed},
    {.name = kSpeedSchedule,
     .kind = ConfigKind::list,
     .default_value = "",
     .about = "Speed limits by time of day, in local time: `\"08:00-18:00 2M\"`, `\"mon-fri "
              "22:00-06:00 unlimited\"`. The first window that holds wins; a window over midnight "
              "belongs to the day on which it begins; outside every window transfer.speed_limit "
              "holds. Running downloads follow",
     .check = wrong_with_window},
    {.name = "transfer.keep_free",
     .kind = ConfigKind::size,
     .default_value = "",
     .about = "Disk space to keep free, such as 500M. A download that needs it waits. Default: 1G "
              "or 5 % of the disk, whichever is smaller"},
    {.name = "transfer.max_size",
     .kind = ConfigKind::size,
     .default_value = "64G",
     .about = "Largest download of unknown size, such as a live stream",
     .check = wrong_with_max_size},
    {.name = "transfer.durability",
     .kind = ConfigKind::text,
     .default_value = "batch",
     .about = "When haul flushes files to disk: each, batch or off",
     .words = kDurabilities},
    {.name = kAllowPrivate,
     .kind = ConfigKind::list,
     .default_value = "",
     .about = "Private networks that downloads may reach: 192.168.1.0/24",
     .check = wrong_with_network},
};

io::Durability durability_named(std::string_view name) {
  if (name == "each") return io::Durability::each;
  return name == "off" ? io::Durability::off : io::Durability::batch;
}

Result<void> check_transfer(const Config& config) {
  if (config.list(kSpeedSchedule).size() <= kSpeedWindowsMax) return {};
  return bad_config(config.from(kSpeedSchedule), fmt::format("{}: expected at most {} windows",
                                                             kSpeedSchedule, kSpeedWindowsMax));
}

SpeedPlan speed_plan(const Config& config) {
  SpeedPlan plan{.otherwise = config.size("transfer.speed_limit").value_or(0),
                 .zone = local_offset};
  for (const std::string& each : config.list(kSpeedSchedule))
    if (const auto window = read_speed_window(each)) plan.windows.push_back(*window);
  return plan;
}

}  // namespace

ConfigArea transfer_area() { return {.keys = kKeys, .check = check_transfer}; }

Result<io::Reach> transfer_reach(const Config& config) {
  auto allowed = networks_in(kAllowPrivate, config.list(kAllowPrivate));
  if (!allowed) return std::unexpected{allowed.error()};
  return io::Reach{.private_too = false, .allowed = *std::move(allowed)};
}

Result<TransferSettings> transfer_settings(const Config& config,
                                           const std::filesystem::path& data) {
  const auto reach = transfer_reach(config);
  if (!reach) return std::unexpected{reach.error()};
  return TransferSettings{
      .reach = *reach,
      .destinations = {.root = download_folder(config, data),
                       .barred = {std::filesystem::absolute(data)},
                       .also = download_roots(config)},
      .durability = durability_named(config.text("transfer.durability")),
      .apart = config.duration("transfer.delay"),
      .speed = speed_plan(config),
      .max_size = config.size("transfer.max_size").value_or(TransferSettings{}.max_size),
      .keep_free = {config.size("transfer.keep_free")},
      .ca_file = environment("SSL_CERT_FILE"),
      .programs = program_settings(config),
  };
}

HostRule host_rule(const Config& config) {
  return {.at_once = static_cast<std::size_t>(config.number("transfer.per_host")),
          .apart = config.duration("transfer.delay")};
}

}  // namespace haul::app
