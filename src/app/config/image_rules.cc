#include "app/config/image_rules.h"

#include <fmt/core.h>

#include <fstream>
#include <memory>
#include <stdexcept>

#include "app/config/config.h"
#include "app/config/value.h"
#include "base/blocklist.h"

namespace haul::app {
namespace {

constexpr std::string_view kBlocklist = "image.blocklist";
constexpr std::size_t kBlocklistMax = std::size_t{1} << 20U;

Result<Blocklist> read_blocklist(const Config& config) {
  const std::string path = config.text(kBlocklist);
  if (path.empty()) return Blocklist{};
  const auto refuse = [&](std::string_view why) {
    return bad_config(config.from(kBlocklist), fmt::format("{}: {}: {}", kBlocklist, path, why));
  };
  std::ifstream file{path, std::ios::binary};
  if (!file) return refuse("cannot be read");
  std::string text(kBlocklistMax + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  auto list = Blocklist::read(text);
  if (!list) return refuse(list.error().detail);
  return list;
}

}  // namespace

Result<void> check_blocklist(const Config& config) {
  const auto list = read_blocklist(config);
  if (!list) return std::unexpected{list.error()};
  return {};
}

flow::ImageRules image_rules(const Config& config) {
  auto list = read_blocklist(config);
  if (!list) throw std::runtime_error{list.error().detail};
  const auto number = [&](std::string_view key) {
    return static_cast<std::size_t>(config.number(key));
  };
  const bool gives_up = config.text("image.on_unknown") == "give_up";
  return {.price = config.number("image.price"),
          .prompt = {.length_max = number("image.prompt_max"),
                     .blocklist = std::make_shared<const Blocklist>(*std::move(list))},
          .quota = {.open_max = number("image.open_max"), .per_minute = number("image.per_minute")},
          .limits = {.at_once = number("image.at_once"), .per_owner = number("image.per_owner")},
          .retries_max = static_cast<int>(config.number("image.retries_max")),
          .wait_max = config.duration("image.wait_max"),
          .on_unknown = gives_up ? flow::UnknownCall::give_up : flow::UnknownCall::retry,
          .refund_rejected = config.is_on("image.refund_rejected")};
}

}  // namespace haul::app
