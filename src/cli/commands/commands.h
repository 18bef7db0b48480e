#pragma once
// The commands of haul, one function each. Each prints to the streams it is given and returns the
// exit code: 0 done, 1 failed or refused, 2 wrong usage.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace haul::cli {

struct Terminal {
  std::ostream& out;
  std::ostream& err;
};

// Functions of app/ that work on the data folder without a daemon.
struct Maintenance {
  using Path = std::filesystem::path;
  std::function<void(const Path& data, const Path& file)> backup;
  struct Restored {
    Path old;  // Where the replaced database is now; empty if there was none.
    // Keys revoked and users blocked since the backup, which the restore revoked and blocked again.
    // Nullopt: the replaced database cannot be read.
    std::optional<std::size_t> keys{};
    std::optional<std::size_t> users{};
  };
  std::function<Restored(const Path& data, const Path& file)> restore;

  // What became of the rows of an old database.
  struct TakenOver {
    struct LeftOut {
      std::string row;
      std::string code;
      std::string detail;
    };
    std::size_t rows = 0;
    std::map<std::string, std::size_t> added{};  // By state.
    std::size_t already = 0;
    std::size_t over = 0;  // Finished there.
    std::size_t left_out = 0;
    std::vector<LeftOut> problems{};  // Some of those left out.
  };
  struct TakeOver {
    Path data;
    Path file;
    bool dry_run = false;
    std::function<void(std::size_t done, std::size_t rows)> tell;
  };
  std::function<TakenOver(const TakeOver&)> import_db;
};

enum class LifecycleForm : std::uint8_t { text, json, mermaid, markdown };

struct LifecycleOptions {
  std::string name;  // Empty: all.
  LifecycleForm form = LifecycleForm::text;
};
int run_lifecycle(const LifecycleOptions& options, Terminal terminal);

struct BackupOptions {
  std::filesystem::path data;
  std::filesystem::path file;
  bool json = false;
};
int run_backup(const BackupOptions& options, const Maintenance& maintenance, Terminal terminal);
int run_restore(const BackupOptions& options, const Maintenance& maintenance, Terminal terminal);

struct ImportDbOptions {
  std::filesystem::path data;
  std::filesystem::path file;
  bool dry_run = false;
  bool json = false;
};
int run_import_db(const ImportDbOptions& options, const Maintenance& maintenance,
                  Terminal terminal);

struct SimOptions {
  std::uint64_t seed = 1;
  int runs = 100;
  std::string lifecycle;  // Empty: all five.
  std::optional<int> workers;
  std::optional<int> jobs;
  std::optional<std::uint32_t> chaos;  // Bits, as a replay prints them.
  std::optional<int> crash_at;
  bool json = false;
};
int run_sim(const SimOptions& options, Terminal terminal);

struct BenchOptions {
  std::size_t jobs = 0;  // Zero: 20,000, and for lives 500,000 too.
  std::string part;      // lives, clients or latency; empty: all three.
  std::filesystem::path folder = std::filesystem::temp_directory_path();
  bool json = false;
};
int run_bench(const BenchOptions& options, Terminal terminal);

struct ServeOptions {
  std::filesystem::path data;
  std::filesystem::path config;  // Empty: the default file, if it exists.
  std::string listen;            // Empty: as configured.
  bool show_key = false;
};

enum class ConfigAct : std::uint8_t { check, show, document };
struct ConfigOptions {
  std::filesystem::path data;  // `check` compares the download folder with it.
  std::filesystem::path config;
  ConfigAct act = ConfigAct::show;
};

struct ApiOptions {
  bool json = false;
};
int run_api(const ApiOptions& options, Terminal terminal);

struct VersionOptions {
  bool json = false;
};
int run_version(const VersionOptions& options, Terminal terminal);

}  // namespace haul::cli
