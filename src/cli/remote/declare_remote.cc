#include "cli/remote/declare_remote.h"

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <ostream>

#include "base/environment.h"
#include "base/text.h"
#include "cli/commands/number_check.h"
#include "cli/draw/screen.h"

namespace haul::cli {
namespace {

std::size_t columns_from(const std::string& text) {
  std::size_t columns = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, columns);
  return error == std::errc{} && at == end && columns < 10'000 ? columns : 0;
}

// The width of the output. Zero means unlimited: no terminal, and COLUMNS is not set.
std::size_t columns_of_output(bool is_terminal, const Screen& screen) {
  const std::size_t given = columns_from(environment("COLUMNS"));
  if (!is_terminal) return given;
  const std::size_t columns = screen.size().columns;
  if (columns > 0) return columns;
  return given > 0 ? given : 80;
}

void add_page(CLI::App& command, PageOptions& page) {
  auto* limit = command.add_option("--limit", page.limit, "Number of rows, at most 100")
                    ->check(CLI::Range(1, 100));
  command.add_flag("--all", page.all, "Show all pages")->excludes(limit);
}

// Filters instead of ids.
CLI::Option_group* add_match(CLI::App& command, MatchOptions& match) {
  CLI::Option_group* group = command.add_option_group("Jobs that match, instead of ids");
  group->add_option("--lifecycle", match.lifecycle, "Jobs of this lifecycle: batch, book, …")
      ->check(wrong_if_empty);
  group->add_option("--state", match.state, "Jobs in this state")->check(wrong_if_empty);
  group->add_option("--end", match.end, "Jobs with this end: open, good, bad or stopped")
      ->check(CLI::IsMember({"open", "good", "bad", "stopped"}));
  group->add_option("--outcome", match.outcome, "Jobs with this outcome: whole, partly or nothing")
      ->check(CLI::IsMember({"whole", "partly", "nothing"}));
  group->add_option("--reason", match.reason, "Jobs whose last fault has this code")
      ->check(wrong_if_empty);
  group->add_option("--owner", match.owner, "Jobs of this user id")->check(wrong_with_count);
  group->add_flag("--stuck", match.stuck, "Jobs that are in a state for too long");
  group->add_option("--category", match.category, "Jobs of this category")->check(wrong_if_empty);
  group->add_option("--search", match.search, "Jobs with this text in a URL or title")
      ->check(wrong_if_empty);
  group->add_flag("--every", match.every, "All jobs that you may change");
  group->add_flag("--dry-run", match.dry_run, "Change nothing; say what would happen");
  return group;
}

}  // namespace

RemoteCommands::RemoteCommands(std::filesystem::path default_data) {
  address_.data = std::move(default_data);
  if (const std::string url = environment("HAUL_URL"); !url.empty()) set_url(url);
  address_.key = environment("HAUL_KEY");
}

void RemoteCommands::set_url(const std::string& url) {
  address_.url = url;
  address_.url_given = true;
}

CLI::App* RemoteCommands::command(CLI::App& app, const char* name, const char* about,
                                  const Chosen& chosen) {
  CLI::App* made = app.add_subcommand(name, about);
  add_common(*made, "--url");
  made->add_flag("--json", json_, "Print the API's JSON");
  made->callback([this, chosen] { chosen_ = chosen; });
  return made;
}

void RemoteCommands::add_common(CLI::App& command, const char* address) {
  command.add_option_function<std::string>(
      address, [this](const std::string& url) { set_url(url); },
      "The daemon's URL (default: http://127.0.0.1:4285)");
  command.add_option_function<std::filesystem::path>(
      "--data",
      [this](const std::filesystem::path& data) {
        address_.data = data;
        address_.data_given = true;
      },
      "The daemon's data folder, which contains admin.key");
}

void RemoteCommands::declare(CLI::App& app) {
  declare_looks(app);
  declare_acts(app);
  declare_priority(app);
  declare_image(app);
  declare_import(app);
  declare_relay(app);
  declare_book(app);
  declare_trash(app);
  declare_users(app);
  declare_keys(app);
  declare_credits(app);
  declare_doctor(app);
  declare_verify(app);
  CLI::App* get = app.get_subcommand("get");
  get->add_flag("--daemon", by_daemon_, "Let the daemon download into its folder, and watch");
  add_common(*get, "--daemon-url");  // To get, --url is a file's, as in curl.
  get->callback([this] {
    if (!by_daemon_) return;
    chosen_ = [](const Run& run) {
      const auto screen = open_screen(STDOUT_FILENO);
      return run_get_by_daemon(run.get, run.standard_input, run.remote, *screen);
    };
  });
}

void RemoteCommands::declare_looks(CLI::App& app) {
  CLI::App* jobs = command(app, "jobs", "List jobs, newest first",
                           [this](const Run& run) { return run_jobs(jobs_, run.remote); });
  jobs->add_option("--lifecycle", jobs_.lifecycle, "Only this lifecycle: batch, book, …");
  jobs->add_option("--state", jobs_.state, "Only this state");
  jobs->add_option("--end", jobs_.end, "Only this end: open, good, bad or stopped")
      ->check(CLI::IsMember({"open", "good", "bad", "stopped"}));
  jobs->add_option("--outcome", jobs_.outcome, "Only this outcome: whole, partly or nothing")
      ->check(CLI::IsMember({"whole", "partly", "nothing"}));
  jobs->add_option("--owner", jobs_.owner, "Only jobs of this user id")->check(wrong_with_count);
  jobs->add_flag("--stuck", jobs_.stuck, "Only jobs that are in a state for too long");
  jobs->add_option("--search", jobs_.search, "Only jobs with this text in a URL or title");
  jobs->add_option("--sort", jobs_.sort, "Order: created, moved, ended or priority")
      ->check(CLI::IsMember({"created", "moved", "ended", "priority"}));
  jobs->add_option("--category", jobs_.category, "Only jobs of this category");
  jobs->add_flag("--csv", jobs_.csv, "Print CSV, for spreadsheets")
      ->excludes(jobs->get_option("--json"));
  add_page(*jobs, jobs_.page);

  CLI::App* stuck = command(app, "stuck", "List jobs that are in a state for too long",
                            [this](const Run& run) { return run_stuck(stuck_, run.remote); });
  stuck->add_option("--limit", stuck_.limit, "Number of rows, at most 100")
      ->check(CLI::Range(1, 100));

  CLI::App* show = command(app, "show", "Show a job, its items and its result",
                           [this](const Run& run) { return run_show(show_, run.remote); });
  show->add_option("ID", show_.id, "Job id")->required()->check(wrong_with_count);
  show->add_flag("--all", show_.all, "Show every item, not only the first 100");
  show->add_flag("--receipts", show_.receipts,
                 "Show the receipt of every file, also of more than 3");

  CLI::App* events = command(app, "events", "List the events of a job",
                             [this](const Run& run) { return run_events(events_, run.remote); });
  events->add_option("ID", events_.id, "Job id")->required()->check(wrong_with_count);
  events->add_flag("-f,--follow", events_.follow, "Print new events until the job ends");

  CLI::App* why = command(app, "why", "Explain a job's state and what happens next",
                          [this](const Run& run) { return run_why(why_, run.remote); });
  why->add_option("ID", why_, "Job id")->required()->check(wrong_with_count);

  CLI::App* audit = command(app, "audit", "List the audit log",
                            [this](const Run& run) { return run_audit(audit_, run.remote); });
  add_page(*audit, audit_);
}

void RemoteCommands::declare_priority(CLI::App& app) {
  CLI::App* priority =
      command(app, "priority", "Set the priority of open jobs",
              [this](const Run& run) { return run_priority(priority_, run.remote); });
  priority->add_option("PRIORITY", priority_.priority, "low, normal or high")
      ->required()
      ->check(wrong_priority);
  priority->add_option("ID", priority_.ids, "Job ids")->required()->check(wrong_with_count);
  CLI::App* link = command(app, "replace-url", "Give a file whose link has expired another link",
                           [this](const Run& run) { return run_replace_url(link_, run.remote); });
  link->add_option("ID", link_.id, "Job id")->required()->check(wrong_with_count);
  link->add_option("ITEM", link_.item, "Number of the item, or its expired URL")->required();
  link->add_option("URL", link_.url, "Where the same file is now")->required();
}

void RemoteCommands::declare_acts(CLI::App& app) {
  CLI::App* add = command(app, "add", "Add a job: URLs, or LIFECYCLE field=value…",
                          [this](const Run& run) { return run_add(add_, run.remote); });
  add->add_option("WHAT", add_.words, "URL…, or LIFECYCLE field=value…")->required();
  add->add_option("--key", add_.key, "Idempotency key: repeating it adds no second job");
  add->add_option("--owner", add_.owner, "Add the job for this user id")->check(wrong_with_count);
  add->add_flag("--paused", add_.paused, "Add the job paused");
  add->add_option(
      "--not-before", add_.not_before,
      "Begin no earlier: a time such as 2026-02-03T04:05:06Z, or a duration such as 2h");
  add->add_option("--priority", add_.priority,
                  "low, normal or high: which of your jobs in its lane begins first")
      ->check(wrong_priority);
  add->add_option("--category", add_.category,
                  "For URLs: use the folder and the limits of this category");

  struct Act {
    const char* name;
    const char* about;
    JobAct act;
  };
  for (const Act& each : {Act{"cancel", "Cancel jobs", JobAct::cancel},
                          Act{"retry", "Retry jobs that failed, wholly or in part", JobAct::retry},
                          Act{"pause", "Pause jobs", JobAct::pause},
                          Act{"delete", "Hide ended jobs from lists and counts", JobAct::remove}}) {
    CLI::App* act = command(app, each.name, each.about, [this, what = each.act](const Run& run) {
      return run_act_on(what, act_, run.remote);
    });
    act->add_option("ID", act_.ids, "Job ids")->check(wrong_with_count);
    add_match(*act, act_.match);
    if (each.act == JobAct::remove)
      act->add_flag("--files", act_.files,
                    "Also remove the files that they have downloaded. Default: the files stay");
  }
  CLI::App* resume = command(app, "resume", "Resume paused jobs", [this](const Run& run) {
    return resume_all_ ? run_resume_all(run.remote) : run_act_on(JobAct::resume, act_, run.remote);
  });
  CLI::Option* ids = resume->add_option("ID", act_.ids, "Job ids")->check(wrong_with_count);
  CLI::Option* all = resume->add_flag(
      "--all", resume_all_,
      "After haul restore: send, pay, delete and add at clients again. Paused jobs stay "
      "paused");
  all->excludes(ids);
  add_match(*resume, act_.match)->excludes(all);

  CLI::App* watch =
      command(app, "watch", "Watch a job until it ends, or all jobs", [this](const Run& run) {
        const auto screen = open_screen(STDOUT_FILENO);
        return run_watch(watch_, run.remote, run.get.around, *screen);
      });
  watch->add_option("ID", watch_.id, "Job id")->check(wrong_with_count);
}

void RemoteCommands::declare_image(CLI::App& app) {
  CLI::App* image =
      command(app, "image", "Make an image from a prompt and save it", [this](const Run& run) {
        const bool is_for_stdout = image_.output == "-";
        const auto screen = open_screen(is_for_stdout ? STDERR_FILENO : STDOUT_FILENO);
        return run_image(image_, run.remote, run.get.around, *screen);
      });
  image->add_option("PROMPT", image_.prompt, "What the image shows");
  image
      ->add_option("-o,--output", image_.output,
                   "File or folder for the image (default: image-JOB.png here)")
      ->check(wrong_if_empty);
  image
      ->add_option("--params", image_.params,
                   "A parameter of the provider: size=1024x1024. Repeat it for more")
      ->allow_extra_args(false);
  image->add_flag("--force", image_.force, "Replace an existing file");
  image->add_option("--key", image_.key, "Idempotency key: repeating it adds no second job");
  image->add_option("--job", image_.job, "Save the image of this job instead")
      ->check(wrong_with_count);
}

void RemoteCommands::declare_import(CLI::App& app) {
  CLI::App* import = command(app, "import", "Say what the files of a job are, and import them",
                             [this](const Run& run) { return run_import(import_, run.remote); });
  import->add_option("ID", import_.id, "Job id")->required()->check(wrong_with_count);
  import->add_option("--as", import_.as, "What the job is: S01E02, S01, 2024-01-15 or movie");
  import
      ->add_option("--file", import_.files,
                   "What a file is: PATH=S01E02, PATH=movie or PATH=skip. Repeat it for more files")
      ->allow_extra_args(false);
  import->add_flag("--dry-run", import_.dry_run, "Only show where each file would go");
}

void RemoteCommands::declare_relay(CLI::App& app) {
  CLI::App* relay = command(app, "relay", "Send a file of the cloud disk into a chat",
                            [this](const Run& run) { return run_relay(relay_, run.remote); });
  relay->add_option("PATH", relay_.path, "Path on the disk, such as disk:/Films/a.mp4")
      ->required()
      ->check(wrong_if_empty);
  relay->add_option("--to", relay_.chat, "The chat's number, or @name")
      ->required()
      ->check(wrong_if_empty);
  relay->add_option("--user", relay_.user, "User id or name of the receiver (default: you)");
  relay->add_option("--nonce", relay_.nonce,
                    "Repeating it adds no second job (default: a random one)");
  relay->add_flag("--paused", relay_.paused, "Add the job paused");
}

void RemoteCommands::declare_book(CLI::App& app) {
  CLI::App* book = command(app, "book", "List books, add or show one",
                           [this](const Run& run) { return run_book(book_, run.remote); });

  CLI::App* list = book->add_subcommand("ls", "List books, by title")->fallthrough();
  list->callback([this] { book_.act = BookAct::list; });
  list->add_option("--shelf", book_.shelf, "archive or library")
      ->check(CLI::IsMember({"archive", "library"}));
  list->add_option("--search", book_.search, "Only books with this text in the title or id");
  add_page(*list, book_.page);

  CLI::App* add = book->add_subcommand("add", "Add a book without downloading it")->fallthrough();
  add->callback([this] { book_.act = BookAct::add; });
  add->add_option("ID", book_.id, "Book id: an ISBN, or any other word")->required();
  add->add_option("--title", book_.title, "Title");

  CLI::App* show =
      book->add_subcommand("show", "Show a book with its files and jobs")->fallthrough();
  show->callback([this] { book_.act = BookAct::show; });
  show->add_option("ID", book_.id, "Book id")->required();
}

void RemoteCommands::declare_trash(CLI::App& app) {
  CLI::App* trash = command(app, "trash", "List removed downloads, restore or delete them",
                            [this](const Run& run) { return run_trash(trash_, run.remote); });

  CLI::App* list = trash->add_subcommand("ls", "List the files in the trash")->fallthrough();
  list->callback([this] { trash_.act = TrashAct::list; });
  add_page(*list, trash_.page);

  CLI::App* restore =
      trash->add_subcommand("restore", "Move files of a job back to where they were")
          ->fallthrough();
  restore->callback([this] { trash_.act = TrashAct::restore; });
  restore->add_option("JOB", trash_.job, "Job id")->required()->check(wrong_with_count);
  restore->add_option("PATH", trash_.path, "Only this file, as haul trash ls shows it")
      ->check(wrong_if_empty);

  CLI::App* empty =
      trash->add_subcommand("empty", "Delete files in the trash for good")->fallthrough();
  empty->callback([this] { trash_.act = TrashAct::empty; });
  empty->add_option("--job", trash_.job, "Only files of this job")->check(wrong_with_count);
  empty
      ->add_option("--older-than", trash_.older_than,
                   "Only files that are in the trash for longer, such as 7d")
      ->check(wrong_if_empty);
}

void RemoteCommands::declare_users(CLI::App& app) {
  CLI::App* users = command(app, "users", "List users, add or change one", [this](const Run& run) {
    return run_users(users_, run.standard_input, run.remote);
  });
  add_page(*users, users_.page);
  const auto roles = CLI::IsMember({"viewer", "adder", "operator", "admin"});

  CLI::App* add = users->add_subcommand("add", "Add a user")->fallthrough();
  add->callback([this] { users_.act = UsersAct::add; });
  add->add_option("NAME", users_.user, "User name")->required();
  add->add_option("--role", users_.role, "viewer, adder, operator or admin")->check(roles);

  CLI::App* set = users->add_subcommand("set", "Change a user")->fallthrough();
  set->callback([this] { users_.act = UsersAct::set; });
  set->add_option("USER", users_.user, "User id or name")->required();
  set->add_option("--role", users_.role, "viewer, adder, operator or admin")->check(roles);
  set->add_option("--status", users_.status, "active, blocked or deleted")
      ->check(CLI::IsMember({"active", "blocked", "deleted"}));
  set->add_flag("--password", users_.password, "Read a new password from standard input");
}

void RemoteCommands::declare_keys(CLI::App& app) {
  CLI::App* keys = command(app, "keys", "List API keys, add or revoke one",
                           [this](const Run& run) { return run_keys(keys_, run.remote); });
  add_page(*keys, keys_.page);

  CLI::App* add =
      keys->add_subcommand("add", "Create a key; haul shows it only once")->fallthrough();
  add->callback([this] { keys_.act = KeysAct::add; });
  add->add_option("NAME", keys_.name, "What the key is for")->required();
  add->add_option("--scopes", keys_.scopes, "read,add,operate,admin (default: all of yours)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"read", "add", "operate", "admin"}));
  add->add_option("--user", keys_.user, "Owner's id or name (default: you)");

  CLI::App* revoke = keys->add_subcommand("revoke", "Revoke a key for good")->fallthrough();
  revoke->callback([this] { keys_.act = KeysAct::revoke; });
  revoke->add_option("ID", keys_.id, "Key id")->required()->check(wrong_with_count);
}

void RemoteCommands::declare_credits(CLI::App& app) {
  CLI::App* credits = command(app, "credits", "Show a user's credits, or grant some",
                              [this](const Run& run) { return run_credits(credits_, run.remote); });
  credits->add_option("USER", credits_.user, "User id or name")->required();
  CLI::App* grant = credits->add_subcommand("grant", "Grant credits")->fallthrough();
  grant->callback([this] { credits_.act = CreditsAct::grant; });
  grant->add_option("AMOUNT", credits_.amount, "Number of credits")
      ->required()
      ->check(wrong_with_count);
  grant->add_option("--detail", credits_.detail, "What the grant is for");
  grant->add_option("--key", credits_.key,
                    "Idempotency key: repeating it grants only once (default: random)");
  CLI::App* history =
      credits
          ->add_subcommand("history", "List grants, reservations, spends and refunds, newest first")
          ->fallthrough();
  history->callback([this] { credits_.act = CreditsAct::history; });
  add_page(*history, credits_.page);
}

void RemoteCommands::declare_doctor(CLI::App& app) {
  CLI::App* doctor = app.add_subcommand("doctor", "Find problems and say how to fix them");
  add_common(*doctor, "--url");
  doctor->add_option("--config", doctor_options_.config, "Configuration file");
  doctor->add_flag("--json", json_, "Print JSON");
  doctor->callback([this] { doctor_ = true; });
  doctor
      ->add_subcommand("paths",
                       "Prove with a file in each folder that haul, the torrent client and the "
                       "media server mean the same folders")
      ->fallthrough()
      ->callback([this] { doctor_options_.scope = DoctorScope::paths; });
}

void RemoteCommands::declare_verify(CLI::App& app) {
  CLI::App* verify = app.add_subcommand(
      "verify",
      "Read downloaded files again, or all files of a job, and compare them with the "
      "receipts");
  add_common(*verify, "--url");
  verify->add_option("WHAT", verify_options_.what, "Paths of files, or a job's number")->required();
  verify->add_flag("--json", json_, "Print JSON, one object per file");
  verify->footer(
      "Exit code 0 only if every file is proven by its recorded hash. A receipt without a hash\n"
      "(no --hash, no checksum) proves no bytes: its file is unchanged at best, which is 1.");
  verify->callback([this] { verify_ = true; });
}

std::optional<int> RemoteCommands::run(const RemoteMakers& makers, const GetOptions& get,
                                       std::istream& standard_input, Terminal terminal) {
  if (!chosen_ && !doctor_ && !verify_) return std::nullopt;
  GetOptions surrounded = get;
  surrounded.json = surrounded.around.wants_json = json_ || get.json;
  const OutputForm form = surrounded.json ? OutputForm::json : OutputForm::text;
  const Colour colour = colour_for(surrounded.around);
  if (doctor_) {
    doctor_options_.address = address_;
    return run_doctor(makers.examine(doctor_options_),
                      {.terminal = terminal, .form = form, .colour = colour});
  }
  if (verify_ && !is_job(verify_options_))
    return run_verify_files(verify_options_, makers.verifier, {get.state, address_.data},
                            {.terminal = terminal, .form = form});
  const auto client = makers.open_client(address_);
  if (!client) {
    terminal.err << "haul: " << printable(client.error().detail) << "\n";
    return client.error().code == "bad_usage" ? 2 : 1;
  }
  const auto screen = open_screen(STDOUT_FILENO);
  const Remote remote{.client = **client,
                      .clock = makers.clock,
                      .terminal = terminal,
                      .form = form,
                      .colour = colour,
                      .columns = columns_of_output(surrounded.around.is_terminal, *screen)};
  if (verify_) return run_verify_job(verify_options_, makers.verifier, remote);
  return chosen_({remote, surrounded, standard_input});
}

}  // namespace haul::cli
