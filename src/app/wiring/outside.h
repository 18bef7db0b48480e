#pragma once
// All engines and sinks of this process. A new one is its settings, its slot and one line in
// open().

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "app/config/bucket.h"
#include "app/config/media_library.h"
#include "app/config/transfer.h"
#include "base/clock.h"
#include "engine/imageapi/settings.h"
#include "engine/qbittorrent/settings.h"
#include "engine/yandexdisk/settings.h"
#include "flow/outside.h"
#include "seam/forward.h"
#include "seam/gate.h"
#include "seam/linked_jobs.h"
#include "seam/streams.h"
#include "seam/token_keeper.h"
#include "sink/telegram/settings.h"

namespace haul::app {

struct OutsideSettings {
  TransferSettings transfer;
  std::optional<qbittorrent::QbittorrentSettings> client{};  // Nothing if none is configured.
  std::optional<MediaLibrarySettings> library{};             // Likewise.
  std::optional<imageapi::ImageSettings> images{};           // Likewise.
  std::vector<std::filesystem::path> download_roots{};       // Films come from below one of them.
  std::optional<telegram::ChatSettings> chat{};              // Nothing if none is configured.
  std::optional<yandexdisk::DiskSettings> disk{};            // Likewise.
  std::filesystem::path secret_key{};                        // Seals the disk's tokens.
  TokenKeeper* disk_tokens = nullptr;                        // Null without a disk.
  std::optional<BucketSettings> bucket{};                    // Nothing where no images are kept.
  LinkedJobs* linked = nullptr;  // The jobs that fetch films over HTTP. Null if there is no root.
};

// A worker needs references to its engines, engines need the gate of their worker, and they push
// sights into its inbox. So this is made before the worker, opened after it, and closed before it
// is destroyed.
class OutsideParts {
 public:
  OutsideParts(const Clock& clock, OutsideSettings settings);
  ~OutsideParts();
  OutsideParts(const OutsideParts&) = delete;
  OutsideParts& operator=(const OutsideParts&) = delete;

  // References to all engines and sinks. They may be called between open() and close().
  flow::Outside outside();
  // Makes the engines and sinks: all, or none if one throws. The gate must outlive them.
  void open(Gate& gate);
  // Destroys them, in the opposite order.
  void close();
  bool is_open() const { return items_ != nullptr; }

 private:
  void make(Gate& gate);

  const Clock& clock_;
  const OutsideSettings settings_;
  io::DiskSpace space_{settings_.transfer.keep_free};
  Streams streams_;  // From the disk to the chat.
  std::unique_ptr<ItemEngine> items_;
  std::unique_ptr<RemoteEngine> client_;
  std::unique_ptr<RemoteEngine> disk_;
  std::unique_ptr<RemoteEngine> images_;
  const std::unique_ptr<Trash> trash_;  // Needs no gate. Null without a library.
  std::unique_ptr<Sink> library_;
  std::unique_ptr<Sink> chat_;
  std::unique_ptr<Sink> bucket_;
  ForwardItems to_items_{items_};
  ForwardRemote to_client_{client_};
  ForwardRemote to_disk_{disk_};
  ForwardRemote to_images_{images_};
  ForwardSink to_library_{library_};
  ForwardSink to_chat_{chat_};
  ForwardSink to_bucket_{bucket_};
};

}  // namespace haul::app
