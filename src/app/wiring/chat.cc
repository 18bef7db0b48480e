#include "app/wiring/chat.h"

#include "io/web/http.h"
#include "seam/not_configured.h"
#include "sink/telegram/chat.h"

namespace haul::app {
namespace {

class ChatOnLoop final : public Sink {
 public:
  ChatOnLoop(const Clock& clock, Gate& gate, Streams& streams,
             const telegram::ChatSettings& settings)
      : loop_{io::make_http_loop(clock)},
        sink_{telegram::make_telegram_chat(*loop_, clock, gate, streams, settings)} {}

  void land(const Parcel& parcel, Inbox& inbox) override { sink_->land(parcel, inbox); }
  void verify(const Parcel& parcel, Inbox& inbox) override { sink_->verify(parcel, inbox); }
  void clean(const Parcel& parcel, Inbox& inbox) override { sink_->clean(parcel, inbox); }
  void stop(const Parcel& parcel, Inbox& inbox) override { sink_->stop(parcel, inbox); }

 private:
  std::unique_ptr<io::HttpLoop> loop_;
  std::unique_ptr<Sink> sink_;  // Destroyed first: it uses the loop.
};

}  // namespace

std::optional<telegram::ChatSettings> telegram_settings(const std::optional<ChatConfig>& config) {
  if (!config) return std::nullopt;
  return telegram::ChatSettings{.url = config->url,
                                .token = config->token,
                                .max_size = config->max_size,
                                .ca_file = config->ca_file};
}

std::unique_ptr<Sink> make_chat(const Clock& clock, Gate& gate, Streams& streams,
                                const std::optional<telegram::ChatSettings>& settings) {
  if (!settings) return std::make_unique<NotConfigured>(kConfigureChat);
  return std::make_unique<ChatOnLoop>(clock, gate, streams, *settings);
}

}  // namespace haul::app
