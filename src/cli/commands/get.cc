#include "cli/commands/get.h"

#include <fmt/core.h>
#include <unistd.h>

#include <fstream>
#include <istream>
#include <ostream>
#include <utility>

#include "base/ascii.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/draw/pace.h"

namespace haul::cli {
namespace {

constexpr std::size_t kUrlsMax = 100'000;
constexpr Millis kStep{100};
constexpr Millis kShowEvery{100};  // Collecting the view costs more than downloading a small file.

std::unexpected<Fault> refuse(std::string detail) {
  return std::unexpected{Fault{FaultKind::rejected, "bad_usage", std::move(detail)}};
}

// Reads one URL per line; skips blank lines and lines that begin with '#'.
Result<void> read_lines(std::istream& lines, GetBatch& batch) {
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string_view url = trimmed(line);
    if (url.empty() || url.starts_with('#')) continue;
    if (batch.urls.size() >= kUrlsMax)
      return refuse(fmt::format("more than {} URLs; split the list", kUrlsMax));
    batch.urls.emplace_back(url);
    batch.lines.push_back(number);
  }
  return {};
}

Result<GetBatch> all_urls(const GetOptions& options, std::istream& input) {
  GetBatch batch{.request = {},
                 .input = options.input,
                 .urls = options.urls,
                 .lines = std::vector<std::size_t>(options.urls.size())};
  if (options.input == "-") {
    if (auto read = read_lines(input, batch); !read) return std::unexpected{read.error()};
  } else if (!options.input.empty()) {
    std::ifstream file{options.input};
    if (!file) return refuse(fmt::format("cannot read {}", options.input));
    if (auto read = read_lines(file, batch); !read) return std::unexpected{read.error()};
  }
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
  if (by == GetBy::itself) return out;
  if (options.per_host) field("per_host", std::to_string(*options.per_host));
  if (options.delay) field("delay", json_quoted(*options.delay));
  return out;
}

// What is wrong with options that the request does not check. Empty: nothing.
std::string wrong_with(const GetOptions& options, const GetBatch& batch) {
  const bool has_many = batch.urls.size() > 1;
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

int follow(GetSession& session, Progress& progress) {
  bool cancelling = false;
  Pace shown{kShowEvery};
  while (session.step(kStep)) {
    progress.ended(session.ended());
    if (shown.is_due(session.now())) progress.show(session.view(), session.now());
    const int interrupts = session.interrupts();
    if (interrupts == 0) continue;
    if (interrupts == 1) {
      progress.say(
          "Stopping. Partial files are kept: run the same command again to resume. "
          "Ctrl-C again deletes them.");
      if (session.keep()) continue;
    }
    if (!std::exchange(cancelling, true)) progress.say("Cancelling. Deleting partial files.");
    session.cancel();
  }
  progress.ended(session.ended());
  const GetSummary summary = session.summary();
  progress.finish(summary);
  return exit_code(summary);
}

}  // namespace

Result<GetBatch> to_request(const GetOptions& options, GetBy by, std::istream& standard_input) {
  auto batch = all_urls(options, standard_input);
  if (!batch) return batch;
  if (const std::string why = wrong_with(options, *batch); !why.empty()) return refuse(why);
  std::string out = fmt::format(R"({{"urls":{},"folder":{})", json_list(batch->urls),
                                json_quoted(std::filesystem::absolute(options.folder).string()));
  const auto field = [&out](std::string_view name, const std::string& json) {
    out += fmt::format(",\"{}\":{}", name, json);
  };
  const auto text = [&field](std::string_view name, const std::string& value) {
    if (!value.empty()) field(name, json_quoted(value));
  };
  text("name", options.name);
  text("checksum", options.checksum);
  text("cookies",
       options.cookies.empty() ? "" : std::filesystem::absolute(options.cookies).string());
  text("netrc", options.netrc ? options.home + "/.netrc" : "");
  text("proxy", options.proxy);
  text("user_agent", options.user_agent);
  if (options.engine != "auto") text("engine", options.engine);
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

int run_get(const GetOptions& options, const OpenGet& open, std::istream& standard_input,
            Terminal terminal) {
  const auto say = [&](const Fault& fault) {
    if (options.json)
      terminal.err << fmt::format("{{\"code\":{},\"detail\":{}}}\n", json_quoted(fault.code),
                                  json_quoted(fault.detail));
    else
      terminal.err << "haul: " << printable(fault.detail) << "\n";
    return is_wrong_usage(fault.code) ? 2 : 1;
  };
  const GetCommand defaults;
  const auto delay = options.delay ? read_duration(*options.delay) : std::optional{defaults.delay};
  if (!delay)
    return say({FaultKind::rejected, "bad_usage",
                "--delay: expected a duration such as 1s or 500ms, or 0"});
  const auto batch = to_request(options, GetBy::itself, standard_input);
  if (!batch) return say(batch.error());
  const auto session = open({.folder = std::filesystem::absolute(options.folder).lexically_normal(),
                             .state = options.state,
                             .request = batch->request,
                             .per_host = options.per_host.value_or(defaults.per_host),
                             .delay = *delay,
                             .max_size = options.max_unknown_size.value_or(defaults.max_size),
                             .keep_free = options.keep_free});
  if (!session) {
    Fault fault = session.error();
    fault.detail = in_words_of_get(*batch, fault.detail);
    return say(fault);
  }
  const auto screen = open_screen(STDOUT_FILENO);
  const auto progress =
      open_progress(form_for(options.around), colour_for(options.around), *screen);
  return follow(**session, *progress);
}

}  // namespace haul::cli
