#pragma once
// The screens of the catalogue: folders, searches, files, and the progress of a file. Pure.

#include <cstdint>
#include <optional>

#include "bot/screen.h"
#include "bot/texts.h"
#include "store/bot.h"
#include "store/job.h"

namespace haul::bot {

inline constexpr std::size_t kPageSize = 20;

constexpr PageRange range_of(std::size_t page) {
  return {.offset = page * kPageSize, .limit = kPageSize};
}

// A folder with its entries, or a file with its button.
BotScreen folder_screen(Language language, const BotEntry& folder, const EntryPage& shown,
                        std::size_t page);
BotScreen file_screen(Language language, const BotEntry& file);
BotScreen found_screen(Language language, const EntryPage& shown, std::size_t page);

struct JobBytes {
  std::int64_t have = 0;
  std::optional<std::int64_t> size{};
};

// What a job does. Its error is told in plain words, which name no file system and no server.
// Cancelling is offered only while it can be granted (A3-8).
BotScreen job_screen(Language language, const std::optional<BotEntry>& file, const Job& job,
                     const std::optional<JobBytes>& bytes);

// haul has paused the job: its file may have arrived, and the administrator decides whether haul
// sends it again (Z-27).
bool asks_to_send_again(const Job& job);

}  // namespace haul::bot
