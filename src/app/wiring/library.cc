#include "app/wiring/library.h"

#include "app/config/library.h"
#include "io/web/http.h"
#include "seam/not_configured.h"
#include "sink/jellyfin/jellyfin.h"
#include "sink/plex/plex.h"

namespace haul::app {
namespace {

// Null if none is configured.
std::unique_ptr<MediaServer> make_server(io::HttpLoop& loop, const Clock& clock,
                                         const MediaServerSettings& settings) {
  if (const auto* plex = std::get_if<plex::PlexSettings>(&settings))
    return plex::make_plex_server(loop, clock, *plex);
  if (const auto* jellyfin = std::get_if<jellyfin::JellyfinSettings>(&settings))
    return jellyfin::make_jellyfin_server(loop, clock, *jellyfin);
  return nullptr;
}

class MediaLibrary final : public Sink {
 public:
  MediaLibrary(const Clock& clock, io::DiskSpace& space, const MediaLibrarySettings& settings)
      : lacks_{settings.lacks},
        loop_{io::make_http_loop(clock)},
        server_{make_server(*loop_, clock, settings.server)},
        sink_{library::make_library(settings.library, space, clock, server_.get())} {}

  void land(const Parcel& parcel, Inbox& inbox) override { sink_->land(parcel, inbox); }
  void verify(const Parcel& parcel, Inbox& inbox) override { sink_->verify(parcel, inbox); }
  void clean(const Parcel& parcel, Inbox& inbox) override { sink_->clean(parcel, inbox); }
  void stop(const Parcel& parcel, Inbox& inbox) override { sink_->stop(parcel, inbox); }
  ImportPreview preview(const Parcel& parcel) const override { return sink_->preview(parcel); }
  Lack not_ready() const override { return lacks_.empty() ? sink_->not_ready() : Lack{lacks_}; }
  Lack lack_for(std::string_view request) const override {
    return lacks_.empty() ? sink_->lack_for(request) : Lack{lacks_};
  }

 private:
  const std::string lacks_;
  std::unique_ptr<io::HttpLoop> loop_;
  std::unique_ptr<MediaServer> server_;
  std::unique_ptr<Sink> sink_;  // Destroyed first: it asks the server.
};

}  // namespace

std::unique_ptr<Sink> make_media_library(const Clock& clock, io::DiskSpace& space,
                                         const std::optional<MediaLibrarySettings>& settings) {
  if (!settings) return std::make_unique<NotConfigured>(kConfigureLibrary);
  return std::make_unique<MediaLibrary>(clock, space, *settings);
}

}  // namespace haul::app
