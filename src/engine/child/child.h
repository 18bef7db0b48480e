#pragma once
// The engines that are programs of somebody else's: yt-dlp and gallery-dl, run as child processes.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/child/program.h"
#include "engine/engine.h"
#include "engine/http/http.h"
#include "engine/http/lander.h"
#include "io/gate.h"
#include "io/poll.h"

namespace haul {

struct ChildSettings {
  std::string program;      // A path; empty: the one of its name on the search path.
  std::string search_path;  // As PATH has it.
  std::filesystem::path keeper = "/proc/self/exe";
  Reach reach{.private_too = true, .allowed = {}};
  std::string ca_file;  // Whom to trust; empty: whom the system trusts.
  Millis apart{1'000};  // Between requests inside a tunnel.
  Millis stall_timeout{30'000};
  std::int64_t max_size = std::int64_t{64} << 30U;  // The most it may write for an item whose size
                                                    // is not known.
  DiskSpace* space = nullptr;    // Shared with other engines; null: no disk is watched.
  Throttle* throttle = nullptr;  // Speed limits; null: none. It outlives the engine.
  Destinations destinations;
  Confine confine = Confine::prefer;
  std::uint64_t file_bytes_max = std::uint64_t{64} << 30U;  // Of one file that a program writes.
  std::size_t listers_max = 4;                              // Processes at once that find items,
  std::size_t askers_max = 4;                               // that say whether they know a page,
  std::size_t fetchers_max = 8;                             // and that fetch.
};

// `sandbox_missing` where the settings require walls that this kernel lacks.
Result<void> check_walls(const ChildSettings& settings, int landlock);

// Where a program of this name is; nothing: nowhere.
std::optional<std::filesystem::path> find_program(const Program& program,
                                                  const ChildSettings& settings);

// What the program says its version is, run as every call of it is. Waits, ten seconds at most.
// Faults, all of which name the package: program_missing, program_broken, program_too_old.
Result<std::string> program_version(const Program& program, const ChildSettings& settings,
                                    const Clock& clock);

// An engine that also says what it would do.
class ChildEngine : public Engine {
 public:
  virtual bool is_installed() const = 0;
  // Whether it has something made for this page, found out without asking the net. `tell` runs on
  // the loop.
  virtual void knows(const Order& order, const std::string& page,
                     std::function<void(bool)> tell) = 0;
};

// Everybody may share the loop. The gate and the lander are those of the http engine.
std::unique_ptr<ChildEngine> make_child_engine(const Program& program, PollLoop& loop, Gate& gate,
                                               Lander& lander, const Clock& clock,
                                               ChildSettings settings);

}  // namespace haul
