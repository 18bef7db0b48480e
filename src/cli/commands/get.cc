#include "cli/commands/get.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <istream>
#include <optional>
#include <ostream>
#include <sstream>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "cli/commands/failed_list.h"
#include "cli/commands/get_feed.h"
#include "cli/commands/get_input.h"
#include "cli/commands/get_metalink.h"
#include "cli/commands/output_spool.h"
#include "cli/draw/pace.h"
#include "cli/draw/progress_forms.h"

namespace haul::cli {
namespace {

constexpr Millis kStep{100};
constexpr Millis kShowEvery{100};  // Collecting the view costs more than downloading a small file.

std::unexpected<Fault> refuse(std::string detail) {
  return std::unexpected{Fault{FaultKind::rejected, "bad_usage", std::move(detail)}};
}

Result<GetBatch> all_urls(const GetOptions& options, std::istream& input) {
  GetBatch batch{.request = {},
                 .input = options.input,
                 .urls = options.urls,
                 .lines = std::vector<std::size_t>(options.urls.size())};
  if (options.input == "-") {
    if (auto read = read_input(input, batch); !read) return std::unexpected{read.error()};
  } else if (!options.input.empty()) {
    std::ifstream file{options.input};
    if (!file) return refuse(fmt::format("cannot read {}", options.input));
    if (auto read = read_input(file, batch); !read) return std::unexpected{read.error()};
  }
  add_files(options.metalink, batch);
  if (batch.urls.empty()) return refuse("no URL given: expected haul get URL…, or -i FILE");
  return batch;
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) {
    list += list.empty() ? '[' : ',';
    append_quoted(list, text);
  }
  return list.empty() ? "[]" : list += ']';
}

std::string json_object(const std::map<std::size_t, std::string>& members) {
  std::string out;
  for (const auto& [name, json] : members)
    out += fmt::format("{}\"{}\":{}", out.empty() ? "" : ",", name, json);
  return "{" + out + "}";
}

std::string filters(const GetOptions& options) {
  std::string out;
  const auto field = [&out](std::string_view name, const std::string& json) {
    out += fmt::format("{}\"{}\":{}", out.empty() ? "" : ",", name, json);
  };
  if (!options.exclude.empty()) field("exclude_extensions", json_list(options.exclude));
  if (!options.only.empty()) field("only_types", json_list(options.only));
  if (options.min_size) field("min_size", std::to_string(*options.min_size));
  if (options.max_size) field("max_size", std::to_string(*options.max_size));
  if (!options.since.empty()) field("date_from", json_quoted(options.since));
  if (!options.until.empty()) field("date_to", json_quoted(options.until));
  return out;
}

std::string limits(const GetOptions& options, GetBy by) {
  std::string out;
  const auto field = [&out](std::string_view name, const std::string& json) {
    out += fmt::format("{}\"{}\":{}", out.empty() ? "" : ",", name, json);
  };
  if (options.speed_limit > 0) field("speed_limit", std::to_string(options.speed_limit));
  if (options.more.retries) field("retries", std::to_string(*options.more.retries));
  if (by == GetBy::itself) return out;
  if (options.per_host) field("per_host", std::to_string(*options.per_host));
  if (options.delay) field("delay", json_quoted(*options.delay));
  return out;
}

// What is wrong with options that the request does not check. Empty: nothing.
std::string wrong_with(const GetOptions& options, const GetBatch& batch) {
  const bool has_many = batch.urls.size() > 1;
  const bool has_own = !batch.each.empty();
  if (!options.name.empty() && has_own) return "-o names one file, but the list has options, too";
  if (!options.name.empty() && has_many) return "-o names one file, but there is more than one URL";
  if (!options.checksum.empty() && has_many)
    return "--checksum checks one file, but there is more than one URL";
  if (options.folder.empty()) return "-d: expected a folder, not an empty text";
  return {};
}

// True if the command line or a variable was wrong, false if the download failed.
bool is_wrong_usage(std::string_view code) {
  return code == "bad_usage" || code == "bad_request" || code == "wrong_type" ||
         code == "not_for_this_engine" || code == "bad_config" || code.starts_with("bad_url") ||
         code == "url_too_long";
}

int exit_code(const GetSummary& summary) {
  const bool all_here = summary.ending == GetEnding::finished && summary.failed == 0 &&
                        summary.total == summary.downloaded + summary.skipped && summary.total > 0;
  return all_here ? 0 : 1;
}

// Ctrl-C keeps partial files, or with --discard deletes them.
void interrupt(GetSession& session, Progress& progress, bool discard) {
  if (discard) {
    progress.say("Cancelling. Deleting partial files. Ctrl-C again stops at once.");
    return session.cancel();
  }
  progress.say(
      "Stopping. Partial files are kept: run the same command again to resume. "
      "Ctrl-C again stops at once.");
  session.keep();
}

struct Following {
  std::function<bool()> is_wanted;  // The download goes on while it says so.
  bool discard = false;
  Feeder* feeder = nullptr;                            // Null if the list is complete.
  std::function<void(const std::string&)> complain{};  // Prints a line, also with -q.
};

// Reads more of the list. False if a line is wrong: then what was read before it is downloaded.
bool feed_more(const Following& how, Steady now) {
  const auto fed = how.feeder->step(now);
  if (!fed) how.complain(fmt::format("{}; the list ends here", fed.error().detail));
  return fed.has_value();
}

GetView view_of(GetSession& session, const Feeder* feeder) {
  GetView view = session.view();
  if (feeder != nullptr && !feeder->is_closed() && view.active.empty() && view.remark.empty())
    view.remark = "Waiting for URLs on standard input";
  return view;
}

int follow(GetSession& session, Progress& progress, const Following& how) {
  bool interrupted = false;
  bool is_fed = true;
  Pace shown{kShowEvery};
  while (session.step(kStep)) {
    if (how.feeder != nullptr) is_fed = feed_more(how, session.now()) && is_fed;
    progress.ended(session.ended());
    if (shown.is_due(session.now())) progress.show(view_of(session, how.feeder), session.now());
    if (!how.is_wanted()) session.cancel();
    const int presses = session.interrupts();
    if (presses > 0 && !std::exchange(interrupted, true)) interrupt(session, progress, how.discard);
    if (presses > 1 && how.discard) session.keep();
  }
  progress.ended(session.ended());
  const GetSummary summary = session.summary();
  if (summary.total == 0 && !session.metalinks().empty()) return is_fed ? 0 : 1;
  progress.finish(summary);
  return is_fed ? exit_code(summary) : 1;
}

// With -o -, makes the options download into a temporary folder. Null without.
Result<std::unique_ptr<OutputSpool>> open_spool(GetOptions& options) {
  if (options.name != "-") {
    if (options.more.stream) return refuse("--stream: needs -o -");
    return nullptr;
  }
  if (options.more.dry_run) return refuse("--dry-run: not with -o -");
  if (options.more.stream && !options.more.mirrors.empty())
    return refuse("--stream: not with --mirror, whose bytes arrive out of order");
  if (options.engine != "auto" && options.engine != "http")
    return refuse("-o -: works with the http engine only");
  options.engine = "http";
  std::error_code ignored;
  const auto temporary = std::filesystem::temp_directory_path(ignored);
  auto spool = OutputSpool::open(temporary.empty() ? "/tmp" : temporary, STDOUT_FILENO);
  if (!spool) return spool;
  options.folder = (*spool)->folder();
  options.state = (*spool)->state();
  options.name = OutputSpool::kName;
  if (options.more.stream) options.segments = 1;  // So that the bytes arrive in their order.
  return spool;
}

// With --cookies-from-browser, makes the options use its file. Null without.
Result<CookieFile> read_cookies(GetOptions& options, const ReadCookies& read) {
  if (options.more.browser.empty()) return nullptr;
  if (!options.cookies.empty()) return refuse("--cookies-from-browser: not with a file of -b");
  auto file = read(options.more.browser);
  if (file) options.cookies = (*file)->string();
  return file;
}

Result<GetCommand> command_for(const GetOptions& options, const std::string& request) {
  const GetCommand defaults;
  const auto delay = options.delay ? read_duration(*options.delay) : std::optional{defaults.delay};
  if (!delay) return refuse("--delay: expected a duration such as 1s or 500ms, or 0");
  if (!options.more.save_failed.empty())
    if (auto can = check_writable("--save-failed", options.more.save_failed); !can)
      return std::unexpected{can.error()};
  if (!options.more.log.empty())
    if (auto can = check_writable("--log", options.more.log); !can)
      return std::unexpected{can.error()};
  return GetCommand{.folder = std::filesystem::absolute(options.folder).lexically_normal(),
                    .state = options.state,
                    .request = request,
                    .per_host = options.per_host.value_or(defaults.per_host),
                    .delay = *delay,
                    .max_size = options.max_unknown_size.value_or(defaults.max_size),
                    .keep_free = options.keep_free,
                    .at_once = options.more.at_once,
                    .verbose = options.more.verbose,
                    .log = options.more.log,
                    .spots_metalinks = may_be_metalinks(options),
                    .replaces = options.more.replaces};
}

// The list, or its beginning and what reads the rest.
struct Begun {
  GetBatch batch;
  std::unique_ptr<Feeder> feeder{};  // Null if the list is complete.
};

// A list on standard input that takes its time begins with the URLs that are there.
Result<Begun> begin_list(GetOptions& options, int input, std::istream& standard_input) {
  if (input < 0 || !can_feed(options)) {
    auto batch = to_request(options, GetBy::itself, standard_input);
    if (!batch) return std::unexpected{batch.error()};
    return Begun{*std::move(batch)};
  }
  LineSource source{input};
  const std::string text = read_beginning(source);
  std::istringstream beginning{text};
  if (!source.is_ended() && options.engine == "auto") options.engine = "http";
  auto batch = to_request(options, GetBy::itself, beginning);
  if (!batch) return std::unexpected{batch.error()};
  Begun begun{*std::move(batch)};
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  if (!source.is_ended())
    begun.feeder = std::make_unique<Feeder>(std::move(source), begun.batch, lines);
  return begun;
}

// Follows the session to its end and returns the exit code.
Result<int> show_get(GetSession& session, const GetOptions& options, const Begun& begun,
                     OutputSpool* spool) {
  Surroundings around = options.around;
  if (options.more.verbose) around.is_terminal = false;  // Its lines would break the bars.
  const bool on_error = options.more.quiet || spool != nullptr;
  const auto screen = open_screen(on_error ? STDERR_FILENO : STDOUT_FILENO);
  const auto progress = options.more.quiet
                            ? quiet_progress(*screen)
                            : open_progress(form_for(around), colour_for(around), *screen);
  std::optional<FailedList> failed;
  if (!options.more.save_failed.empty()) failed.emplace(*progress, begun.batch);
  if (failed && begun.feeder)
    begun.feeder->listen([&failed](const std::string& key, const std::string& url,
                                   const std::string& lines) { failed->add(key, url, lines); });
  Progress& listed = failed ? *failed : *progress;
  const auto streaming =
      spool != nullptr && options.more.stream ? streaming_progress(listed, *spool) : nullptr;
  Progress& shown = streaming ? *streaming : listed;
  const int code = follow(session, shown,
                          {.is_wanted = [spool] { return spool == nullptr || spool->is_read(); },
                           .discard = options.discard,
                           .feeder = begun.feeder.get(),
                           .complain =
                               [&](const std::string& line) {
                                 if (!options.more.quiet) return shown.say(line);
                                 screen->write(fmt::format("haul: {}\n", printable(line)));
                               }});
  if (failed)
    if (auto saved = failed->save(options.more.save_failed); !saved)
      return std::unexpected{saved.error()};
  if (spool == nullptr || (code != 0 && spool->is_read())) return code;
  if (auto written = spool->finish(); !written) return std::unexpected{written.error()};
  return code;
}

}  // namespace

Result<GetBatch> to_request(const GetOptions& options, GetBy by, std::istream& standard_input) {
  auto batch = all_urls(options, standard_input);
  if (!batch) return batch;
  if (const std::string why = wrong_with(options, *batch); !why.empty()) return refuse(why);
  auto more = more_fields(options.more, batch->urls);
  if (!more) return std::unexpected{more.error()};
  std::string out = fmt::format(R"({{"urls":{},"folder":{})",
                                json_list(without_logins(options.more, batch->urls)),
                                json_quoted(std::filesystem::absolute(options.folder).string()));
  const auto field = [&out](std::string_view name, const std::string& json) {
    out += fmt::format(",\"{}\":{}", name, json);
  };
  const auto text = [&field](std::string_view name, const std::string& value) {
    if (!value.empty()) field(name, json_quoted(value));
  };
  text("name", options.name);
  text("checksum", options.checksum);
  text("existing", options.existing);
  text("hash", options.hash);
  text("cookies",
       options.cookies.empty() ? "" : std::filesystem::absolute(options.cookies).string());
  text("netrc", options.netrc ? options.home + "/.netrc" : "");
  text("proxy", options.proxy);
  text("user_agent", options.user_agent);
  const bool needs = options.engine == "auto" && (needs_http(options.more) || !batch->each.empty());
  if (needs) field("engine", R"("http")");
  if (options.engine != "auto") text("engine", options.engine);
  for (const auto& [name, json] : *more) field(name, json);
  if (!batch->each.empty()) field("each", json_object(batch->each));
  if (options.segments > 0) field("segments", std::to_string(options.segments));
  if (const std::string own = limits(options, by); !own.empty()) field("limits", "{" + own + "}");
  if (!options.headers.empty()) field("headers", json_list(options.headers));
  if (const std::string wanted = filters(options); !wanted.empty())
    field("filters", "{" + wanted + "}");
  if (options.discover) field("discover", "true");
  if (options.discover) field("pages_max", std::to_string(options.pages_max));
  auto request = canonical(out + "}");
  if (!request) return std::unexpected{request.error()};
  batch->request = *std::move(request);
  return batch;
}

int run_get(const GetOptions& given, const GetMakers& makers, std::istream& standard_input,
            Terminal terminal) {
  const auto say = [&](const Fault& fault) {
    if (given.json)
      terminal.err << fmt::format("{{\"code\":{},\"detail\":{}}}\n", json_quoted(fault.code),
                                  json_quoted(fault.detail));
    else
      terminal.err << "haul: " << printable(fault.detail) << "\n";
    return is_wrong_usage(fault.code) ? 2 : 1;
  };
  if (!given.more.not_before.empty())
    return say({FaultKind::rejected, "bad_usage", "--not-before works only with --daemon"});
  if (!given.more.category.empty())
    return say({FaultKind::rejected, "bad_usage", "--category works only with --daemon"});
  auto options = settled(given);
  if (options) options = with_metalinks(*std::move(options));
  if (!options) return say(options.error());
  const auto cookies = read_cookies(*options, makers.cookies);
  if (!cookies) return say(cookies.error());
  const auto spool = open_spool(*options);
  if (!spool) return say(spool.error());
  const auto begun = begin_list(*options, makers.input, standard_input);
  if (!begun) return say(begun.error());
  auto command = command_for(*options, begun->batch.request);
  if (!command) return say(command.error());
  if (begun->feeder) command->feed = begun->feeder->feed();
  if (options->more.insecure)
    terminal.err << "haul: -k: certificates are not checked; files count as unverified\n";
  const auto say_of_batch = [&](Fault fault) {
    fault.detail = in_words_of_get(begun->batch, fault.detail);
    return say(fault);
  };
  if (options->more.dry_run) {
    bool all_come = true;
    const auto planned = makers.plan(*command, [&](const GetPlanned& file) {
      all_come = all_come && !file.reason.starts_with("fails: ");
      terminal.out << plan_line(file, options->json ? LineForm::json : LineForm::text) << "\n";
    });
    if (!planned) return say_of_batch(planned.error());
    return all_come ? 0 : 1;
  }
  auto session = makers.open(*command);
  if (!session) return say_of_batch(session.error());
  const auto ended = show_get(**session, *options, *begun, spool->get());
  if (!ended) return say(ended.error());
  GetOptions rest = given;
  rest.urls = (*session)->metalinks();
  const bool is_over = (*session)->summary().ending == GetEnding::finished;
  if (rest.urls.empty() || !is_over) return *ended;
  session->reset();  // Its store is that of the next one, too.
  rest.more.urls.clear();
  rest.more.metalink = true;
  rest.input.clear();
  return std::max(*ended, run_get(rest, makers, standard_input, terminal));
}

}  // namespace haul::cli
