#pragma once
// The cloud disk that relays read, with an event loop of its own, and its tokens in the store.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "engine/yandexdisk/settings.h"
#include "io/file/room.h"
#include "seam/engine.h"
#include "seam/streams.h"
#include "seam/token_keeper.h"
#include "store/store.h"

namespace haul::app {

// Under which name the store keeps the disk's tokens.
inline constexpr const char* kDiskTokens = "yandex_disk";

// Keeps tokens in the store, sealed with the key in this file, which is made if it is not there.
// The store and the clock outlive it. Throws as ensure_seal_key does.
std::unique_ptr<TokenKeeper> make_sealed_tokens(Store& store, const Clock& clock,
                                                const std::filesystem::path& key_file,
                                                std::string name);

// Without settings, an engine that says what to configure. With settings there is a keeper. All
// arguments outlive it.
std::unique_ptr<RemoteEngine> make_disk(const Clock& clock, io::DiskSpace& space, Streams& streams,
                                        TokenKeeper* keeper,
                                        const std::optional<yandexdisk::DiskSettings>& settings);

}  // namespace haul::app
