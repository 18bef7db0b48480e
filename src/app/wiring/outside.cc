#include "app/wiring/outside.h"

#include <fmt/core.h>

#include <string_view>
#include <utility>

#include "app/wiring/bucket.h"
#include "app/wiring/chat.h"
#include "app/wiring/client.h"
#include "app/wiring/image.h"
#include "app/wiring/items.h"
#include "app/wiring/library.h"
#include "app/wiring/relay.h"
#include "base/ensure.h"
#include "seam/not_configured.h"
#include "sink/library/trash.h"

namespace haul::app {
namespace {

// Stands in for an engine or a sink that haul does not have yet.
std::unique_ptr<NotConfigured> not_built(std::string_view what) {
  return std::make_unique<NotConfigured>(fmt::format("{} is not available in this build", what),
                                         Lack::Remedy::none);
}

// Needed even if new files no longer go to the trash: an earlier setting may have put some there.
std::unique_ptr<Trash> make_trash_of(const OutsideSettings& settings) {
  if (!settings.library || settings.download_roots.empty()) return nullptr;
  return library::make_trash({.root = settings.download_roots.front(),
                              .store = settings.library->library.store,
                              .keeps_for = settings.library->trash_keeps_for});
}

}  // namespace

OutsideParts::OutsideParts(const Clock& clock, OutsideSettings settings)
    : clock_{clock}, settings_{std::move(settings)}, trash_{make_trash_of(settings_)} {}

OutsideParts::~OutsideParts() { ensure(!is_open(), "engines are closed before their gate ends"); }

flow::Outside OutsideParts::outside() {
  return {.client = to_client_,
          .items = to_items_,
          .disk = to_disk_,
          .images = to_images_,
          .library = to_library_,
          .chat = to_chat_,
          .bucket = to_bucket_,
          .trash = trash_.get()};
}

void OutsideParts::open(Gate& gate) {
  ensure(!is_open(), "engines are made once");
  try {
    make(gate);
  } catch (...) {
    close();
    throw;
  }
}

void OutsideParts::make(Gate& gate) {
  items_ = make_item_engine(gate, clock_, space_, settings_.transfer);
  client_ = make_client(clock_, {.torrents = settings_.client,
                                 .linked = settings_.linked,
                                 .roots = settings_.download_roots});
  disk_ = make_disk(clock_, space_, streams_, settings_.disk_tokens, settings_.disk);
  images_ = make_images(clock_, space_, settings_.images);
  library_ = make_media_library(clock_, space_, settings_.library);
  chat_ = make_chat(clock_, gate, streams_, settings_.chat);
  if (settings_.bucket)
    bucket_ = make_bucket(clock_, space_, *settings_.bucket);
  else
    bucket_ = not_built("keeping images in a bucket");
}

void OutsideParts::close() {
  bucket_.reset();
  chat_.reset();
  library_.reset();
  images_.reset();
  disk_.reset();
  client_.reset();
  items_.reset();
}

}  // namespace haul::app
