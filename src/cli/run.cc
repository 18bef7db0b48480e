// The command line. Only this file, declare_get.cc and declare_remote.cc use CLI11.

#include "cli/run.h"

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>
#include <span>

#include "api/json/openapi.h"
#include "base/environment.h"
#include "base/request_value.h"
#include "base/text.h"
#include "cli/api_examples.h"
#include "cli/commands/number_check.h"
#include "cli/declare_get.h"
#include "lifecycle/tables.h"

namespace haul::cli {
namespace {

// $XDG_STATE_HOME/haul, else ~/.local/state/haul.
std::filesystem::path default_data() {
  if (const std::string state = environment("XDG_STATE_HOME"); !state.empty())
    return std::filesystem::path{state} / "haul";
  const std::string home = environment("HOME");
  return std::filesystem::path{home.empty() ? "." : home} / ".local" / "state" / "haul";
}

struct Options {
  GetOptions get;
  LifecycleOptions lifecycle;
  BackupOptions backup{.data = default_data(), .file = {}};
  BackupOptions restore{.data = default_data(), .file = {}};
  ImportDbOptions import_db{.data = default_data(), .file = {}};
  SimOptions sim;
  BenchOptions bench;
  ServeOptions serve{.data = default_data(), .config = {}, .listen = {}};
  ConfigOptions config{.data = default_data(), .config = {}};
  ApiOptions api;
  VersionOptions version;
};

struct Commands {
  CLI::App* get;
  CLI::App* lifecycle;
  CLI::App* backup;
  CLI::App* restore;
  CLI::App* import_db;
  CLI::App* sim;
  CLI::App* bench;
  CLI::App* serve;
  CLI::App* config;
  CLI::App* api;
  CLI::App* version;
};

CLI::App* declare_lifecycle(CLI::App& app, LifecycleOptions& options) {
  CLI::App* command =
      app.add_subcommand("lifecycle", "Show the states and moves of each lifecycle");
  command->add_option("NAME", options.name, lifecycle_names(NamesOf::all) + " (default: all)");
  auto* json = command->add_flag_callback(
      "--json", [&options] { options.form = LifecycleForm::json; }, "Print JSON");
  auto* mermaid = command->add_flag_callback(
      "--mermaid", [&options] { options.form = LifecycleForm::mermaid; },
      "Print a Mermaid diagram");
  auto* markdown = command->add_flag_callback(
      "--markdown", [&options] { options.form = LifecycleForm::markdown; },
      "Print a Markdown page");
  json->excludes(mermaid)->excludes(markdown);
  mermaid->excludes(markdown);
  return command;
}

// Makes the option take a size such as "2M", in bytes and within the range.
void takes_size(CLI::Option* option, SizeRange range) {
  option->transform(CLI::AsSizeValue{false})->check([range](const std::string& text) {
    return wrong_with_bytes(text, range);
  });
}

void declare_filters(CLI::App& command, GetOptions& options) {
  constexpr SizeRange kAny{.least = 0, .most = kFileSizeMax};
  command.add_option("--exclude", options.exclude, "Skip files with these extensions: zip,exe")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--only", options.only, "Only images, videos, audio, archives or documents")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"images", "videos", "audio", "archives", "documents"}));
  takes_size(command.add_option("--min-size", options.min_size, "Skip smaller files: 100k"), kAny);
  takes_size(command.add_option("--max-size", options.max_size, "Skip larger files: 2G"), kAny);
  command.add_option("--since", options.since, "Skip older files: 2026-01-31");
  command.add_option("--until", options.until, "Skip newer files: 2026-01-31");
  command.add_flag("--discover", options.discover, "Download the media that the page links to");
  command
      .add_option("--pages-max", options.pages_max, "Follow at most this many pages (default: 1)")
      ->check(CLI::Range(1, 10'000));
}

void declare_connection(CLI::App& command, GetOptions& options) {
  command
      .add_option("--per-host", options.per_host, "Concurrent requests to one host (default: 2)")
      ->check(CLI::Range(1, 256));
  command.add_option("--delay", options.delay, "Time between requests to one host (default: 1s)");
  command.add_option("--segments", options.segments, "Connections for one large file")
      ->check(CLI::Range(1, 64));
  takes_size(command.add_option("--speed-limit,--limit-rate", options.speed_limit,
                                "Bytes per second in total: 2M"),
             {.least = kSpeedLimitMin, .most = kSpeedLimitMax});
  takes_size(command.add_option(
                 "--max-unknown-size", options.max_unknown_size,
                 "Stop a file of unknown size, or a live stream, beyond this (default: 64G)"),
             {.least = 1, .most = kFileSizeMax});
  takes_size(command.add_option("--keep-free", options.keep_free,
                                "Keep this much disk space free (default: 1G or 5 %, whichever is "
                                "smaller)"),
             {.least = 0, .most = kFileSizeMax});
  command.add_option("-H,--header", options.headers, "Add a request header: 'Name: value'")
      ->allow_extra_args(false);
  command
      .add_option("-b,--cookie,--cookies", options.cookies,
                  "Cookie file in Netscape format, or name=value")
      ->check([](const std::string& text) {
        return text.find('=') == std::string::npos ? CLI::ExistingFile(text) : std::string{};
      });
  command.add_flag("-n,--netrc", options.netrc, "Read logins from ~/.netrc");
  command.add_option("-x,--proxy", options.proxy, "Use this proxy");
  command.add_option("-A,--user-agent", options.user_agent, "Send this User-Agent");
}

// Z-24: what happens to a file that is here already. At most one of them.
void declare_existing(CLI::App& command, GetOptions& options) {
  struct Choice {
    const char* flag;
    const char* value;
    const char* about;
  };
  constexpr Choice kChoices[] = {
      {"--update", "update", "Replace a file of an earlier run if the server has a new version"},
      {"--overwrite", "overwrite", "Download one file always, and replace its namesake"},
      {"--no-clobber", "skip", "Skip files whose name exists"},
      {"--keep-both", "keep_both", "Download always; a file whose name exists gets a number"},
  };
  auto* group = command.add_option_group("existing files")->require_option(0, 1);
  for (const Choice& choice : kChoices)
    group->add_flag_callback(
        choice.flag, [&options, value = choice.value] { options.existing = value; }, choice.about);
}

CLI::App* declare_get(CLI::App& app, GetOptions& options) {
  CLI::App* command = app.add_subcommand("get", "Download files; run again to resume");
  command->add_option("URL", options.urls, "URLs to download");
  command->add_option("-d,--dir,--output-dir,-P,--directory-prefix", options.folder,
                      "Destination folder (default: the current one)");
  command->add_option("-o,--output", options.name,
                      "File name or path below -d, for a single file; - for standard output");
  command->add_option(
      "-i,--input,--input-file", options.input,
      "File with one URL per line, each followed by its options on indented lines; - "
      "reads standard input");
  command->add_option("--checksum", options.checksum,
                      "Expected checksum: sha256:…, or sha512, sha1, md5");
  command
      ->add_option("--engine", options.engine, "auto, http, yt-dlp or gallery-dl (default: auto)")
      ->check(CLI::IsMember({"auto", "http", "yt-dlp", "gallery-dl"}));
  command->add_option("--hash", options.hash, "Hash each file for haul verify: sha256")
      ->check(CLI::IsMember({"sha256"}));
  declare_existing(*command, options);
  command->add_flag("--discard", options.discard,
                    "Delete partial files on Ctrl-C; a second one leaves them to the next run");
  command->add_flag("--clean", options.clean,
                    "Remove the partial files of earlier downloads to the folder, and stop");
  declare_connection(*command, options);
  declare_filters(*command, options);
  declare_more(*command, options.more);
  command->set_version_flag("--version", "haul " HAUL_VERSION, "Print the version");
  command->add_flag("--json", options.json, "Print progress as JSON, one object per line");
  return command;
}

// Adds the options that come from the environment and the terminal.
GetOptions surrounded(GetOptions options) {
  options.state = default_data();
  options.home = environment("HOME");
  static const std::string term = environment("TERM");
  static const std::string no_color = environment("NO_COLOR");
  options.around = {
      .wants_json = options.json,
      .is_terminal = ::isatty(options.name == "-" ? STDERR_FILENO : STDOUT_FILENO) == 1,
      .term = term,
      .no_color = no_color};
  return options;
}

CLI::App* declare_copy(CLI::App& app, const char* name, const char* about, BackupOptions& options) {
  CLI::App* command = app.add_subcommand(name, about);
  command->add_option("FILE", options.file, "Backup file")->required();
  command->add_option("--data", options.data, "Data folder");
  command->add_flag("--json", options.json, "Print JSON");
  return command;
}

CLI::App* declare_import_db(CLI::App& app, ImportDbOptions& options) {
  CLI::App* command = app.add_subcommand(
      "import-db", "Take over the films of an older program's database; stop haul first");
  command->add_option("FILE", options.file, "Its SQLite file, which haul does not change")
      ->required();
  command->add_option("--data", options.data, "Data folder");
  command->add_flag("--dry-run", options.dry_run, "Say what would be taken over, and add nothing");
  command->add_flag("--json", options.json, "Print JSON");
  return command;
}

CLI::App* declare_sim(CLI::App& app, SimOptions& options) {
  CLI::App* command = app.add_subcommand("sim", "Simulate jobs with faults, in virtual time");
  command->add_option("--seed", options.seed, "First seed; a seed always gives the same run");
  command->add_option("--runs", options.runs, "Number of seeds")->check(CLI::Range(1, 10'000'000));
  command->add_option("--lifecycle", options.lifecycle, "Only this lifecycle");
  command->add_option("--workers", options.workers, "Number of workers")->check(CLI::Range(1, 16));
  command->add_option("--jobs", options.jobs, "Jobs per run")->check(CLI::Range(1, 1'000));
  command->add_option("--chaos", options.chaos, "Faults to inject, as a replay prints them");
  command->add_option("--crash-at", options.crash_at, "Crash a worker around this commit");
  command->add_flag("--json", options.json, "Print JSON");
  return command;
}

CLI::App* declare_bench(CLI::App& app, BenchOptions& options) {
  CLI::App* command = app.add_subcommand("bench", "Measure haul on this machine");
  command->require_subcommand(1);
  CLI::App* queue =
      command->add_subcommand("queue", "Measure store, worker and inbox in one process");
  queue->add_option("--jobs", options.jobs, "Number of jobs (default: 20,000 and 500,000)")
      ->check(CLI::Range(10, 10'000'000));
  queue->add_option("--part", options.part, "lives, clients or latency (default: all three)")
      ->check(CLI::IsMember({"lives", "clients", "latency"}));
  queue->add_option("--folder", options.folder, "Folder for temporary databases")
      ->check(CLI::ExistingDirectory);
  queue->add_flag("--json", options.json, "Print JSON");
  return command;
}

CLI::App* declare_serve(CLI::App& app, ServeOptions& options) {
  CLI::App* command = app.add_subcommand("serve", "Run the daemon with its API and web page");
  command->add_option("--data", options.data, "Data folder");
  command->add_option("--config", options.config, "Configuration file")->check(CLI::ExistingFile);
  command->add_option("--listen", options.listen, "Address and port (default: 127.0.0.1:4285)");
  command->add_flag("--show-key", options.show_key, "Also print the admin key");
  return command;
}

CLI::App* declare_config(CLI::App& app, ConfigOptions& options) {
  CLI::App* command = app.add_subcommand("config", "Show or check the configuration");
  command->require_subcommand(1);
  const auto declare_act = [&](const char* name, const char* about, ConfigAct act) {
    CLI::App* one = command->add_subcommand(name, about);
    one->add_option("--config", options.config, "Configuration file")->check(CLI::ExistingFile);
    if (act == ConfigAct::check) one->add_option("--data", options.data, "Data folder");
    one->callback([&options, act] { options.act = act; });
  };
  declare_act("show", "Show each setting and where it comes from", ConfigAct::show);
  declare_act("check", "Check that the configuration is valid", ConfigAct::check);
  declare_act("page", "Print all settings as a Markdown page", ConfigAct::document);
  return command;
}

Commands declare(CLI::App& app, Options& options) {
  app.require_subcommand(1);
  app.set_version_flag("--version", "haul " HAUL_VERSION, "Print the version");
  app.set_help_all_flag("--help-all", "Show help for every command");
  Commands commands{
      .get = declare_get(app, options.get),
      .lifecycle = declare_lifecycle(app, options.lifecycle),
      .backup = declare_copy(app, "backup", "Copy the database, even while haul is running",
                             options.backup),
      .restore = declare_copy(
          app, "restore", "Replace the database by a backup; stop haul first. Keeps the old file",
          options.restore),
      .import_db = declare_import_db(app, options.import_db),
      .sim = declare_sim(app, options.sim),
      .bench = declare_bench(app, options.bench),
      .serve = declare_serve(app, options.serve),
      .config = declare_config(app, options.config),
      .api = app.add_subcommand("api", "Print the documentation of the API"),
      .version = app.add_subcommand("version", "Print the version"),
  };
  commands.api->add_flag("--json", options.api.json, "Print OpenAPI 3.1");
  commands.version->add_flag("--json", options.version.json, "Print JSON");
  return commands;
}

// The error for the first word that names no command where one is required; empty if there is none.
// CLI11's own message does not name the word.
std::string unknown_command(CLI::App& app, std::span<const char* const> words) {
  CLI::App* at = &app;
  for (const char* word : words) {
    if (*word == '-') return {};
    std::vector<std::string_view> names;
    CLI::App* next = nullptr;
    for (CLI::App* each : at->get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(each->get_name());
      if (each->get_name() == word) next = each;
    }
    if (!next && at->get_require_subcommand_min() == 0) return {};
    if (next) {
      at = next;
      continue;
    }
    const std::string_view like = nearest(word, names);
    return fmt::format(
        "no such command \"{}\"; {}", printable(word),
        like.empty() ? "haul --help lists them" : fmt::format("did you mean \"{}\"?", like));
  }
  return {};
}

// The error for the first option that the command does not have, with the most similar one that it
// has.
std::string unknown_option(const CLI::App& app, const std::vector<std::string>& extras) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  const auto extra = std::ranges::find_if(
      extras, [](const std::string& word) { return word.size() > 1 && word.front() == '-'; });
  if (extra == extras.end()) return {};
  const std::string given = extra->substr(0, extra->find('='));
  std::vector<std::string> known;
  const auto add_known = [&known](const CLI::App& of) {
    for (const CLI::Option* option : of.get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  };
  add_known(*at);
  for (const CLI::App* group : at->get_subcommands([](const CLI::App*) { return true; }))
    if (group->get_name().empty()) add_known(*group);
  const std::vector<std::string_view> names{known.begin(), known.end()};
  const std::string_view like = nearest(given, names);
  return fmt::format("no such option \"{}\"; {}", printable(given),
                     like.empty() ? fmt::format("haul {} --help lists them", at->get_name())
                                  : fmt::format("did you mean \"{}\"?", like));
}

}  // namespace

int run_api(const ApiOptions& options, Terminal terminal) {
  terminal.out << (options.json ? api::openapi_json(HAUL_VERSION) + "\n"
                                : api::api_doc() + api_examples());
  return 0;
}

int run_version(const VersionOptions& options, Terminal terminal) {
  terminal.out << (options.json ? R"({"version":")" HAUL_VERSION "\"}\n"
                                : "haul " HAUL_VERSION "\n");
  return 0;
}

int run(int argc, const char* const* argv, const Makers& makers, Terminal terminal) {
  CLI::App app{"haul makes sure what you asked for arrives", "haul"};
  Options options;
  const Commands commands = declare(app, options);
  RemoteCommands remote{default_data()};
  remote.declare(app);
  const std::span<const char* const> words{argv, static_cast<std::size_t>(std::max(argc, 1))};
  if (const std::string unknown = unknown_command(app, words.subspan(1)); !unknown.empty()) {
    terminal.err << "haul: " << unknown << "\n";
    return 2;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError& error) {
    const std::string unknown = unknown_option(app, app.remaining(true));
    if (unknown.empty()) return app.exit(error, terminal.out, terminal.err) == 0 ? 0 : 2;
    terminal.err << "haul: " << unknown << "\n";
    return 2;
  } catch (const CLI::ParseError& error) {
    return app.exit(error, terminal.out, terminal.err) == 0 ? 0 : 2;
  }
  options.get.read_metalink = makers.read_metalink;
  try {
    if (const auto code =
            remote.run(makers.remote, surrounded(options.get), makers.standard_input, terminal))
      return *code;
    if (commands.get->parsed() && options.get.clean)
      return run_get_clean(surrounded(options.get), makers.clean_get, terminal);
    if (commands.get->parsed())
      return run_get(surrounded(options.get),
                     {makers.open_get, makers.plan_get, makers.cookies, makers.input},
                     makers.standard_input, terminal);
    if (commands.lifecycle->parsed()) return run_lifecycle(options.lifecycle, terminal);
    if (commands.backup->parsed()) return run_backup(options.backup, makers.maintenance, terminal);
    if (commands.restore->parsed())
      return run_restore(options.restore, makers.maintenance, terminal);
    if (commands.import_db->parsed())
      return run_import_db(options.import_db, makers.maintenance, terminal);
    if (commands.sim->parsed()) return run_sim(options.sim, terminal);
    if (commands.bench->parsed()) return run_bench(options.bench, terminal);
    if (commands.serve->parsed()) return makers.serve(options.serve, terminal);
    if (commands.config->parsed()) return makers.config(options.config, terminal);
    if (commands.api->parsed()) return run_api(options.api, terminal);
    return run_version(options.version, terminal);
  } catch (const std::exception& error) {
    terminal.err << "haul: " << printable(error.what()) << "\n";
    return 1;
  }
}

}  // namespace haul::cli
