#include "app/wiring/bot.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "app/wiring/relay.h"
#include "engine/yandexdisk/catalogue.h"
#include "flow/user/user.h"
#include "io/web/http.h"
#include "lifecycle/tables.h"

namespace haul::app {
namespace {

constexpr const char* kDuty = "bot";
constexpr Millis kWaitsAtMost{250};

// An incomplete listing says so, and then the catalogue loses nothing (S3-25).
Result<bot::ListedPage> as_page(const Result<yandexdisk::DiskListing>& listing) {
  if (!listing) return std::unexpected{listing.error()};
  bot::ListedPage page{.entries = {}, .total = listing->entries.size()};
  if (!listing->is_complete) page.lacks = listing->why_not;
  for (const yandexdisk::DiskMeta& entry : listing->entries)
    page.entries.push_back({entry.path, entry.name, !entry.is_file, entry.size});
  return page;
}

class OwnBot final : public BotService {
 public:
  OwnBot(BotServiceParts parts, const BotServiceSettings& settings)
      : parts_{std::move(parts)},
        loop_{io::make_http_loop(parts_.clock)},
        tokens_{tokens_of(settings)},
        disk_{catalogue_of(settings)},
        bot_{bot_parts(), bot_settings_of(settings)},
        duty_{kDuty, parts_.store, parts_.duties, [this] { return step(); }} {}

  void begin() override { duty_.begin(); }
  void end() override { duty_.end(); }

 private:
  Millis step() {
    bot_.tick();
    bot_.wait(kWaitsAtMost);
    return Millis{0};
  }

  std::unique_ptr<TokenKeeper> tokens_of(const BotServiceSettings& settings) {
    if (!settings.disk) return nullptr;
    return make_sealed_tokens(parts_.store, parts_.clock, settings.key_file, kDiskTokens);
  }
  std::unique_ptr<yandexdisk::DiskCatalogue> catalogue_of(const BotServiceSettings& settings) {
    if (!settings.disk) return nullptr;
    return yandexdisk::make_disk_catalogue({*loop_, parts_.clock, *tokens_}, *settings.disk);
  }

  static bot::BotSettings bot_settings_of(const BotServiceSettings& settings) {
    return {.access = {.url = settings.chat.url,
                       .token = settings.chat.token,
                       .ca_file = settings.chat.ca_file},
            .admin = settings.bot.admin,
            .access_for = settings.bot.access_for,
            .root = settings.bot.folder,
            .lease = settings.lease};
  }

  bot::BotParts bot_parts() {
    return {
        .store = parts_.store,
        .clock = parts_.clock,
        .loop = *loop_,
        .add = [this](const flow::AddRequest& to_add, Time now) { return add(to_add, now); },
        .bytes = parts_.bytes,
        .list = [this](const bot::ListRequest& ask, const bot::ListThen& then) { list(ask, then); },
        .held_by = [this] { return held_by(); },
        .may_go_on = [this] { return duty_.may_go_on(); },
        .say = [this](const bot::BotNotice& notice) { say(notice); }};
  }

  // Z-30: refused as the API refuses it.
  std::expected<Added, Refusal> add(const flow::AddRequest& to_add, Time now) {
    const std::string lack = flow::not_ready(parts_.work, kRelay);
    if (!lack.empty())
      return std::unexpected{Refusal{RefusalKind::guarded, "not_configured", lack}};
    flow::AddRequest timed = to_add;
    if (const auto limit = flow::expires_at(parts_.work, kRelay, now))
      timed.expires_at = std::min(timed.expires_at.value_or(*limit), *limit);
    auto added = flow::add(parts_.store, timed, now, nullptr, parts_.work);
    if (added && parts_.wake) parts_.wake();
    return added;
  }

  std::optional<Fault> held_by() const {
    const flow::LifecycleWork* relays = flow::find_work(parts_.work, kRelay);
    const auto told = relays ? relays->hold->find() : std::nullopt;
    return told ? std::optional{told->why} : std::nullopt;
  }

  void list(const bot::ListRequest& ask, const bot::ListThen& then) {
    if (!disk_)
      return then(std::unexpected{
          Fault{FaultKind::environment, "not_configured", std::string{kConfigureDisk}}});
    disk_->list(ask.path,
                [then](const Result<yandexdisk::DiskListing>& listing) { then(as_page(listing)); });
  }

  void say(const bot::BotNotice& notice) const {
    const Level level = notice.is_warning ? Level::warning : Level::info;
    if (notice.detail.empty()) return parts_.log.say(level, notice.event);
    parts_.log.say(level, notice.event, {{"detail", notice.detail}});
  }

  const BotServiceParts parts_;
  const std::unique_ptr<io::HttpLoop> loop_;
  const std::unique_ptr<TokenKeeper> tokens_;  // The same that the relay's disk has.
  const std::unique_ptr<yandexdisk::DiskCatalogue> disk_;
  bot::Bot bot_;
  DutyThread duty_;  // Ends first.
};

}  // namespace

std::optional<BotServiceSettings> bot_service_settings(const Config& config,
                                                       const std::filesystem::path& data) {
  const auto bot = bot_settings(config);
  const auto chat = chat_settings(config);
  if (!bot || !chat) return std::nullopt;
  return BotServiceSettings{.bot = *bot,
                            .chat = *chat,
                            .disk = disk_settings(config),
                            .key_file = data / "secret.key",
                            .lease = relay_lease(config).timeout};
}

std::unique_ptr<BotService> make_bot_service(BotServiceParts parts,
                                             const BotServiceSettings& settings) {
  return std::make_unique<OwnBot>(std::move(parts), settings);
}

}  // namespace haul::app
