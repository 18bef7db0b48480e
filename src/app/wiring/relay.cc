#include "app/wiring/relay.h"

#include <utility>

#include "app/config/relay.h"
#include "app/secret_file.h"
#include "base/ensure.h"
#include "engine/yandexdisk/yandexdisk.h"
#include "io/web/http.h"
#include "seam/not_configured.h"

namespace haul::app {
namespace {

Fault store_away(const StoreFault& fault) {
  return {FaultKind::environment, "store_unavailable", fault.what()};
}

class SealedTokens final : public TokenKeeper {
 public:
  SealedTokens(Store& store, const Clock& clock, const SealKey& key, std::string name)
      : store_{store}, clock_{clock}, key_{key}, name_{std::move(name)} {}

  Result<KeptToken> get() override {
    try {
      const auto sealed = store_.sealed().get(name_);
      if (!sealed) return KeptToken{};
      // A restored store may come without the key that sealed it. Then the next put replaces it.
      return KeptToken{key_.open(sealed->text).value_or(""), sealed->version};
    } catch (const StoreFault& fault) {
      return std::unexpected{store_away(fault)};
    }
  }

  Result<bool> put(const std::string& text, std::int64_t version) override {
    try {
      return store_.sealed().put(name_, {.text = key_.seal(text), .version = version},
                                 clock_.now());
    } catch (const StoreFault& fault) {
      return std::unexpected{store_away(fault)};
    }
  }

 private:
  Store& store_;
  const Clock& clock_;
  const SealKey key_;
  const std::string name_;
};

// The engine computes checksums on its loop's thread, so it shares its loop with no other.
class CloudDisk final : public RemoteEngine {
 public:
  CloudDisk(const Clock& clock, io::DiskSpace& space, Streams& streams, TokenKeeper& keeper,
            const yandexdisk::DiskSettings& settings)
      : loop_{io::make_http_loop(clock)},
        engine_{yandexdisk::make_disk_engine({*loop_, clock, space, streams, keeper}, settings)} {}

  void start(Order order, Inbox& inbox) override { engine_->start(std::move(order), inbox); }
  void look(std::span<const Order> orders, Inbox& inbox) override { engine_->look(orders, inbox); }
  void stop(const Order& order, Leftovers leftovers, Inbox& inbox) override {
    engine_->stop(order, leftovers, inbox);
  }

 private:
  std::unique_ptr<io::HttpLoop> loop_;
  std::unique_ptr<RemoteEngine> engine_;
};

}  // namespace

std::unique_ptr<TokenKeeper> make_sealed_tokens(Store& store, const Clock& clock,
                                                const std::filesystem::path& key_file,
                                                std::string name) {
  return std::make_unique<SealedTokens>(store, clock, ensure_seal_key(key_file), std::move(name));
}

std::unique_ptr<RemoteEngine> make_disk(const Clock& clock, io::DiskSpace& space, Streams& streams,
                                        TokenKeeper* keeper,
                                        const std::optional<yandexdisk::DiskSettings>& settings) {
  if (!settings) return std::make_unique<NotConfigured>(kConfigureDisk);
  ensure(keeper != nullptr, "a disk has a keeper of its tokens");
  return std::make_unique<CloudDisk>(clock, space, streams, *keeper, *settings);
}

}  // namespace haul::app
