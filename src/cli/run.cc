// The command line: the one file that knows CLI11.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <ostream>

#include "base/text.h"
#include "cli/commands.h"

namespace haul {
namespace {

// Asked before any thread is started.
std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value ? value : "";
}

// $XDG_STATE_HOME/haul, else ~/.local/state/haul.
std::filesystem::path default_data() {
  if (const std::string state = environment("XDG_STATE_HOME"); !state.empty())
    return std::filesystem::path{state} / "haul";
  const std::string home = environment("HOME");
  return std::filesystem::path{home.empty() ? "." : home} / ".local" / "state" / "haul";
}

struct Options {
  LifecycleOptions lifecycle;
  BackupOptions backup{.data = default_data(), .file = {}};
  BackupOptions restore{.data = default_data(), .file = {}};
  SimOptions sim;
  BenchOptions bench;
  VersionOptions version;
};

struct Commands {
  CLI::App* lifecycle;
  CLI::App* backup;
  CLI::App* restore;
  CLI::App* sim;
  CLI::App* bench;
  CLI::App* version;
};

CLI::App* declare_lifecycle(CLI::App& app, LifecycleOptions& options) {
  CLI::App* command = app.add_subcommand("lifecycle", "Show how jobs may move, as data");
  command->add_option("NAME", options.name,
                      "book, media, batch, item, relay or image; default all");
  auto* json = command->add_flag_callback(
      "--json", [&options] { options.form = LifecycleForm::json; }, "As JSON");
  auto* mermaid = command->add_flag_callback(
      "--mermaid", [&options] { options.form = LifecycleForm::mermaid; }, "As a Mermaid diagram");
  auto* markdown = command->add_flag_callback(
      "--markdown", [&options] { options.form = LifecycleForm::markdown; }, "As a page");
  json->excludes(mermaid)->excludes(markdown);
  mermaid->excludes(markdown);
  return command;
}

CLI::App* declare_copy(CLI::App& app, const char* name, const char* about, BackupOptions& options) {
  CLI::App* command = app.add_subcommand(name, about);
  command->add_option("FILE", options.file, "The backup file")->required();
  command->add_option("--data", options.data, "The data folder");
  command->add_flag("--json", options.json, "Answer in JSON");
  return command;
}

CLI::App* declare_sim(CLI::App& app, SimOptions& options) {
  CLI::App* command = app.add_subcommand("sim", "Run jobs through years of virtual trouble");
  command->add_option("--seed", options.seed, "The first seed; the same seed, the same trace");
  command->add_option("--runs", options.runs, "How many seeds")->check(CLI::Range(1, 10'000'000));
  command->add_option("--lifecycle", options.lifecycle, "Only this kind of job");
  command->add_option("--workers", options.workers, "How many workers")->check(CLI::Range(1, 16));
  command->add_option("--jobs", options.jobs, "How many jobs a run")->check(CLI::Range(1, 1'000));
  command->add_option("--chaos", options.chaos, "Which faults, as a replay prints them");
  command->add_option("--crash-at", options.crash_at, "Crash a worker around this commit");
  command->add_flag("--json", options.json, "Answer in JSON");
  return command;
}

CLI::App* declare_bench(CLI::App& app, BenchOptions& options) {
  CLI::App* command = app.add_subcommand("bench", "Measure what haul costs on this machine");
  command->require_subcommand(1);
  CLI::App* queue = command->add_subcommand("queue", "Store, worker and inbox in one process");
  queue->add_option("--jobs", options.jobs, "How many jobs; default 20,000 and 500,000")
      ->check(CLI::Range(10, 10'000'000));
  queue->add_option("--part", options.part, "lives, clients or latency; default all three")
      ->check(CLI::IsMember({"lives", "clients", "latency"}));
  queue->add_option("--folder", options.folder, "Where the databases are made and removed again")
      ->check(CLI::ExistingDirectory);
  queue->add_flag("--json", options.json, "Answer in JSON");
  return command;
}

Commands declare(CLI::App& app, Options& options) {
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "Show help for every command");
  Commands commands{
      .lifecycle = declare_lifecycle(app, options.lifecycle),
      .backup = declare_copy(app, "backup", "Copy the database, also while haul is running",
                             options.backup),
      .restore = declare_copy(app, "restore",
                              "Put a backup in place; haul must be stopped, the old file is kept",
                              options.restore),
      .sim = declare_sim(app, options.sim),
      .bench = declare_bench(app, options.bench),
      .version = app.add_subcommand("version", "Say which haul this is"),
  };
  commands.version->add_flag("--json", options.version.json, "Answer in JSON");
  return commands;
}

}  // namespace

int run_version(const VersionOptions& options, Terminal terminal) {
  terminal.out << (options.json ? R"({"version":")" HAUL_VERSION "\"}\n"
                                : "haul " HAUL_VERSION "\n");
  return 0;
}

int run(int argc, const char* const* argv, const Maintenance& maintenance, Terminal terminal) {
  CLI::App app{"haul makes sure what you asked for arrives", "haul"};
  Options options;
  const Commands commands = declare(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, terminal.out, terminal.err) == 0 ? 0 : 2;
  }
  try {
    if (commands.lifecycle->parsed()) return run_lifecycle(options.lifecycle, terminal);
    if (commands.backup->parsed()) return run_backup(options.backup, maintenance, terminal);
    if (commands.restore->parsed()) return run_restore(options.restore, maintenance, terminal);
    if (commands.sim->parsed()) return run_sim(options.sim, terminal);
    if (commands.bench->parsed()) return run_bench(options.bench, terminal);
    return run_version(options.version, terminal);
  } catch (const std::exception& error) {
    terminal.err << "haul: " << printable(error.what()) << "\n";
    return 1;
  }
}

}  // namespace haul
