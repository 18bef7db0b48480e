#pragma once
// The engines that run third-party programs, yt-dlp and gallery-dl, as child processes.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/child/program.h"
#include "io/file/destination.h"
#include "io/file/lander.h"
#include "io/file/room.h"
#include "io/process/poll.h"
#include "io/process/sandbox.h"
#include "io/web/address.h"
#include "io/web/throttle.h"
#include "seam/engine.h"
#include "seam/gate.h"

namespace haul::child {

struct ChildSettings {
  std::string program;      // A path. If empty, the program is looked up by name in search_path.
  std::string search_path;  // In the format of PATH.
  std::filesystem::path keeper = "/proc/self/exe";
  io::Reach reach{.private_too = true, .allowed = {}};
  std::string ca_file;  // CA certificates to trust. If empty, the system's.
  Millis apart{1'000};  // Delay between requests inside a tunnel.
  Millis stall_timeout{30'000};
  std::int64_t max_size = std::int64_t{64} << 30U;  // The most it may write for an item whose size
                                                    // is not known.
  io::DiskSpace* space = nullptr;    // Shared with other engines; null: no disk is watched.
  io::Throttle* throttle = nullptr;  // Speed limits; null: none. It outlives the engine.
  io::Destinations destinations;
  io::Confine confine = io::Confine::prefer;
  std::uint64_t file_bytes_max = std::uint64_t{64} << 30U;  // Of one file that a program writes.
  std::size_t listers_max = 4;                              // Processes at once that find items,
  std::size_t matchers_max = 4;                             // that say whether they know a page,
  std::size_t fetchers_max = 8;                             // and that fetch.
};

// `sandbox_missing` if the settings require a sandbox that this kernel lacks.
Result<void> check_walls(const ChildSettings& settings, int landlock);

// The path of the program. No value if it is not installed.
std::optional<std::filesystem::path> find_program(const Program& program,
                                                  const ChildSettings& settings);

// Asks the program for its version, with the same environment and sandbox as every other call.
// Blocks for at most ten seconds. Faults, all of which name the package: program_missing,
// program_broken, program_too_old.
Result<std::string> program_version(const Program& program, const ChildSettings& settings,
                                    const Clock& clock);

// An engine that also says whether it can handle a page.
class ChildEngine : public ItemEngine {
 public:
  virtual bool is_installed() const = 0;
  // Whether the program has an extractor for this page. Does not use the network. `tell` runs on
  // the loop.
  virtual void knows(const Order& order, const std::string& page,
                     std::function<void(bool)> tell) = 0;
};

// Engines may share the loop and the lander. The gate is the http engine's, because the limits per
// host apply to all engines together.
std::unique_ptr<ChildEngine> make_child_engine(const Program& program, io::PollLoop& loop,
                                               Gate& gate, io::Lander& lander, const Clock& clock,
                                               ChildSettings settings);

}  // namespace haul::child
