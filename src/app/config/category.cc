#include "app/config/category.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "app/config/config.h"
#include "app/config/value.h"
#include "base/request_value.h"
#include "base/size.h"

namespace haul::app {
namespace {

constexpr std::string_view kSection = "category";

std::string wrong_with_folder(const std::string& value) {
  const std::filesystem::path path{value};
  if (path.is_absolute() || std::ranges::find(path, "..") != path.end())
    return in_quotes(value) + " is not below transfer.folder (expected e.g. films/new)";
  return {};
}

std::string wrong_with_speed(const std::string& value) {
  if (value.empty() || read_size(value).value_or(0) >= kSpeedLimitMin) return {};
  return "expected at least 1K per second, or an empty value for no limit";
}

std::string wrong_with_label(const std::string& value) {
  constexpr std::size_t kLabelMax = 60;
  return value.size() <= kLabelMax ? "" : fmt::format("expected at most {} bytes", kLabelMax);
}

constexpr ConfigKey kKeys[] = {
    {.name = "category.NAME.folder",
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "Folder below transfer.folder for the files of batches with `category: \"NAME\"` "
              "that name no folder themselves. Default: transfer.folder. A name has a to z, 0 to "
              "9, - and _",
     .check = wrong_with_folder},
    {.name = "category.NAME.speed_limit",
     .kind = ConfigKind::size,
     .default_value = "",
     .about = "Bytes per second of each of its jobs, such as 2M. A request may only tighten this "
              "and the next two. Default: no limit besides transfer.speed_limit",
     .check = wrong_with_speed},
    {.name = "category.NAME.per_host",
     .kind = ConfigKind::number,
     .default_value = "0",
     .about = "Concurrent requests of each of its jobs to one host. Default: as transfer.per_host",
     .range = ConfigRange{0, kOwnAtOnceMax}},
    {.name = "category.NAME.delay",
     .kind = ConfigKind::duration,
     .default_value = "0",
     .about = "Time between requests of each of its jobs to one host, if longer than "
              "transfer.delay",
     .range = ConfigRange{0, kOwnApartMax}},
    {.name = "category.NAME.label",
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "What the page calls it. Default: its name",
     .check = wrong_with_label},
};

Result<void> check_categories(const Config& config) {
  const std::vector<std::string> names = config.names_in(kSection);
  if (names.size() <= kCategoriesMax) return {};
  return bad_config(kSection, fmt::format("expected at most {} categories", kCategoriesMax));
}

Category category_named(const Config& config, const std::string& name) {
  const auto key = [&](std::string_view last) {
    return fmt::format("{}.{}.{}", kSection, name, last);
  };
  Category category{
      .name = name, .label = config.text(key("label")), .folder = config.text(key("folder"))};
  const auto limit = [&](std::string_view field, std::string text, std::string json) {
    category.limits.push_back(
        {.name = std::string{field}, .text = std::move(text), .json = std::move(json)});
  };
  if (const auto speed = config.size(key("speed_limit")))
    limit("speed_limit", std::to_string(*speed), std::to_string(*speed));
  if (const std::int64_t most = config.number(key("per_host")); most > 0)
    limit("per_host", std::to_string(most), std::to_string(most));
  if (const Millis delay = config.duration(key("delay")); delay.count() > 0)
    limit("delay", duration_text(delay), json_quoted(duration_text(delay)));
  return category;
}

}  // namespace

ConfigArea category_area() { return {.keys = kKeys, .check = check_categories}; }

std::vector<Category> categories(const Config& config) {
  std::vector<Category> all;
  for (const std::string& name : config.names_in(kSection))
    all.push_back(category_named(config, name));
  return all;
}

}  // namespace haul::app
