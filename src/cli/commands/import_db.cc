// `haul import-db`.
#include <fmt/core.h>

#include <exception>
#include <ostream>

#include "api/json/answer_json.h"
#include "api/json/json_object.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/commands/commands.h"

namespace haul::cli {
namespace {

using TakenOver = Maintenance::TakenOver;

constexpr std::size_t kTellEvery = 10'000;  // Rows.

std::size_t sum_of(const std::map<std::string, std::size_t>& counts) {
  std::size_t sum = 0;
  for (const auto& [state, count] : counts) sum += count;
  return sum;
}

std::string json_of(const TakenOver& taken, const ImportDbOptions& options) {
  std::string states;
  for (const auto& [state, count] : taken.added)
    states += fmt::format("{}{}:{}", states.empty() ? "" : ",", json_quoted(state), count);
  std::string problems;
  for (const TakenOver::LeftOut& each : taken.problems)
    problems +=
        fmt::format(R"({}{{"row":{},"code":{},"detail":{}}})", problems.empty() ? "" : ",",
                    json_quoted(each.row), json_quoted(each.code), json_quoted(each.detail));
  const auto number = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  api::JsonObject json;
  json.flag("ok", taken.left_out == 0);
  json.flag("dry_run", options.dry_run);
  json.number("rows", number(taken.rows));
  json.number("added", number(sum_of(taken.added)));
  json.json("states", "{" + states + "}");
  json.number("already", number(taken.already));
  json.number("finished", number(taken.over));
  json.number("left_out", number(taken.left_out));
  json.json("problems", "[" + problems + "]");
  return json.take();
}

std::string text_of(const TakenOver& taken, const ImportDbOptions& options) {
  std::string states;
  for (const auto& [state, count] : taken.added)
    states += fmt::format("{}{} {}", states.empty() ? "" : ", ", count, state);
  const std::size_t added = sum_of(taken.added);
  std::string text =
      fmt::format("{} {} of {} films{}\n", options.dry_run ? "Would take over" : "Took over", added,
                  taken.rows, states.empty() ? "" : ": " + states);
  if (taken.already > 0) text += fmt::format("Already there: {}\n", taken.already);
  if (taken.over > 0) text += fmt::format("Finished in the old program: {}\n", taken.over);
  if (taken.left_out > 0) text += fmt::format("Left out: {}\n", taken.left_out);
  for (const TakenOver::LeftOut& each : taken.problems)
    text += fmt::format("  row {}: {} [{}]\n", printable(each.row), printable(each.detail),
                        printable(each.code));
  if (taken.left_out > taken.problems.size())
    text += fmt::format("  and {} more\n", taken.left_out - taken.problems.size());
  if (added > 0 && !options.dry_run)
    text +=
        "haul sends, pays, deletes and adds nothing at clients until an admin runs: haul resume "
        "--all\n";
  return text;
}

}  // namespace

int run_import_db(const ImportDbOptions& options, const Maintenance& maintenance,
                  Terminal terminal) {
  const auto tell = [&, told = std::size_t{0}](std::size_t done, std::size_t rows) mutable {
    if (options.json || done < told + kTellEvery) return;
    told = done;
    terminal.err << fmt::format("haul: {} of {} rows\n", done, rows) << std::flush;
  };
  try {
    const TakenOver taken = maintenance.import_db(
        {.data = options.data, .file = options.file, .dry_run = options.dry_run, .tell = tell});
    if (options.json)
      terminal.out << json_of(taken, options) << "\n";
    else
      terminal.out << text_of(taken, options);
    return taken.left_out == 0 ? 0 : 1;
  } catch (const std::exception& why) {
    if (options.json)
      terminal.out << api::to_json(
                          api::Answered{.ok = false, .code = "refused", .detail = why.what()})
                   << "\n";
    else
      terminal.err << "haul: " << printable(why.what()) << "\n";
    return 1;
  }
}

}  // namespace haul::cli
