// `haul show` and `haul why`.

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <ostream>

#include "cli/draw/bytes.h"
#include "cli/draw/job_lines.h"
#include "cli/draw/progress_lines.h"
#include "cli/draw/receipt_lines.h"
#include "cli/remote/answers.h"

namespace haul::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

// The first five names, and how many more there are.
std::string shortened(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  if (names.size() <= kShown) return joined(names);
  return fmt::format("{} and {} more", joined({names.begin(), names.begin() + kShown}),
                     count_text(static_cast<std::int64_t>(names.size() - kShown)));
}

// "jobs 3, 4": the jobs that use what this one waits for.
std::string holders_of(const JsonView& why) {
  const std::vector<std::string> jobs = why.list("holders");
  if (jobs.empty()) return {};
  return (jobs.size() == 1 ? "job " : "jobs ") + shortened(jobs);
}

std::string attempts_of(const JsonView& job) {
  const auto most = job.number("attempts_max").value_or(0);
  const auto now = job.number("attempt").value_or(0);
  if (most <= 0) return now > 0 ? std::to_string(now) : "";
  return fmt::format("{} of {}", now, most);
}

// Empty for a normal one.
std::string priority_of(const JsonView& job) {
  const auto priority = job.number("priority").value_or(0);
  if (priority == 0) return "";
  return priority > 0 ? "high" : "low";
}

// "2 removed (1.5 KiB), 1 was gone, 1 kept". Empty if haul was not asked to remove them.
std::string deleted_files_of(const JsonView& job) {
  const auto files = JsonView::read(job.json("deleted_files"));
  if (!files || files->text("asked_at").empty()) return {};
  const auto number = [&](const char* name) { return files->number(name).value_or(0); };
  std::string text =
      fmt::format("{} removed ({})", count_text(number("removed")), bytes_text(number("bytes")));
  if (const auto gone = number("gone"); gone > 0)
    text += fmt::format(", {} {} gone already", count_text(gone), gone == 1 ? "was" : "were");
  if (const auto kept = number("kept"); kept > 0)
    text += fmt::format(", {} kept", count_text(kept));
  if (const std::string wait = files->text("waits_for"); !wait.empty())
    return text + "; waits: " + wait;
  return files->text("ended_at").empty() ? text + "; not done yet" : text;
}

// Why files of a deleted job were kept, one line each.
std::vector<Fact> kept_files_of(const JsonView& job) {
  const auto files = JsonView::read(job.json("deleted_files"));
  std::vector<Fact> facts;
  if (!files) return facts;
  for (const std::string& reason : files->list("reasons")) facts.push_back({"kept", reason});
  return facts;
}

std::vector<Fact> facts_of(const JsonView& job) {
  return {{"job", job.text("id")},
          {"lifecycle", job.text("lifecycle")},
          {"state", state_of(job), ink_of(job)},
          {"what", title_of(job)},
          {"progress", progress_of(job)},
          {"reason", job.text("reason"), job.text("end") == "bad" ? Ink::red : Ink::plain},
          {"detail", job.text("detail")},
          {"attempt", attempts_of(job)},
          {"owner", job.text("owner")},
          {"engine", job.text("engine")},
          {"handle", job.text("handle")},
          {"worker", job.text("worker")},
          {"created", time_of(job, "created_at")},
          {"started", time_of(job, "started_at")},
          {"moved", time_of(job, "moved_at")},
          {"due", time_of(job, "due_at")},
          {"begins", time_of(job, "begins_at")},
          {"missing since", time_of(job, "missing_since")},
          {"ended", time_of(job, "ended_at")},
          {"deleted", time_of(job, "hidden_at")},
          {"its files", deleted_files_of(job)},
          {"priority", priority_of(job)},
          {"retry of", job.text("retry_of")},
          {"request", job.json("request")},
          {"possible now", joined(job.list("allowed"))}};
}

Table items_table(Remote remote) {
  return Table{{{.title = "N", .align = Align::right, .least = 20},
                {.title = "STATE", .least = 9},
                {.title = "SIZE", .align = Align::right, .least = 8, .spare = 2},
                {.title = "REASON", .least = 8, .spare = 1},
                {.title = "PROOF", .least = 5, .spare = 3},
                {.title = "FILE", .least = 12}},
               remote.columns,
               remote.colour};
}

Ink item_ink(const JsonView& item) {
  const std::string end = item.text("end");
  if (end == "bad") return Ink::red;
  if (end == "stopped") return Ink::dim;
  return end == "good" ? Ink::green : Ink::cyan;
}

std::string size_of(const JsonView& item) {
  const JsonView progress = item.object("progress");
  const auto have = progress.number("have");
  const auto size = item.number("size") ? item.number("size") : progress.number("size");
  if (have && size && *size > 0)
    return fmt::format("{}% of {}", percent(*have, *size), bytes_text(*size));
  return size ? bytes_text(*size) : "";
}

void add_item(Table& table, const JsonView& item) {
  const std::string path = item.text("path");
  table.add({{item.text("n")},
             {item.text("state"), item_ink(item)},
             {size_of(item)},
             {item.text("reason")},
             {proof_of(item)},
             {path.empty() ? item.text("url") : path}});
}

// The receipts of the items that were shown, as long as they are few or the user asks for them.
class ReceiptList {
 public:
  explicit ReceiptList(const ShowOptions& options) : all_{options.receipts} {}

  void add(const JsonView& item, Colour colour) {
    const std::string lines = receipt_lines(item, colour);
    if (lines.empty()) return;
    ++count_;
    if (all_ || count_ <= kFew) text_ += "\n" + lines;
  }
  std::string text() const {
    return all_ || count_ <= kFew ? text_ : "--receipts shows the receipt of each file\n";
  }

 private:
  static constexpr std::size_t kFew = 3;
  bool all_ = false;
  std::size_t count_ = 0;
  std::string text_;
};

OrFailure<void> print_items(const ShowOptions& options, Remote remote) {
  Table table = items_table(remote);
  ReceiptList receipts{options};
  std::size_t seen = 0;
  const auto next = walk(remote,
                         {.path = job_path(options.id, "/items"),
                          .page = {.limit = {}, .all = options.all},
                          .default_limit = 100},
                         [&](const ListView& page) {
                           for (const std::string& text : page.items) {
                             const auto item = JsonView::read(text);
                             if (!item) continue;
                             add_item(table, *item);
                             receipts.add(*item, remote.colour);
                           }
                           if (page.items.empty()) return;
                           remote.terminal.out << (seen == 0 ? "\n" : "") << table.text();
                           seen += page.items.size();
                         });
  if (!next) return std::unexpected{next.error()};
  if (!next->empty()) remote.terminal.out << "There are more: --all shows them\n";
  remote.terminal.out << receipts.text();
  return {};
}

OrFailure<void> print_result(const ShowOptions& options, Remote remote) {
  const auto result = ask_object(remote, job_path(options.id, "/result"));
  if (!result) return std::unexpected{result.error()};
  const std::string own = result->json("result");
  const std::string text = fact_lines({{"result", own.empty() || own == "{}" ? "" : own},
                                       {"failed", shortened(result->list("failed_files"))},
                                       {"skipped", shortened(result->list("skipped_files"))}},
                                      remote.colour);
  if (!text.empty()) remote.terminal.out << "\n" << text;
  return {};
}

// The items: the first page as it came, or all pages joined into one list.
OrFailure<std::string> items_json(const ShowOptions& options, Remote remote) {
  const std::string path = job_path(options.id, "/items");
  if (!options.all) {
    const auto answer = ask(remote, path + "?limit=100");
    if (!answer) return std::unexpected{answer.error()};
    return answer->body;
  }
  std::string items;
  const auto walked =
      walk(remote, {.path = path, .page = {.limit = {}, .all = true}}, [&](const ListView& page) {
        for (const std::string& item : page.items) items += (items.empty() ? "" : ",") + item;
      });
  if (!walked) return std::unexpected{walked.error()};
  return fmt::format(R"({{"items":[{}],"next":null}})", items);
}

// The daemon's job, with its items and its result added as fields.
int print_json(const ShowOptions& options, const std::string& job, Remote remote) {
  const auto items = items_json(options, remote);
  if (!items) return tell(items.error(), remote);
  const auto result = ask(remote, job_path(options.id, "/result"));
  if (!result) return tell(result.error(), remote);
  remote.terminal.out << safe_json(fmt::format(R"({},"items":{},"result":{}}})",
                                               job.substr(0, job.rfind('}')), *items, result->body))
                      << "\n";
  return 0;
}

}  // namespace

int run_show(const ShowOptions& options, Remote remote) {
  const auto answer = ask(remote, job_path(options.id));
  if (!answer) return tell(answer.error(), remote);
  const auto job = JsonView::read(answer->body);
  if (!job) return tell(failure_of(job.error(), remote.client), remote);
  if (remote.is_json()) return print_json(options, answer->body, remote);
  std::vector<Fact> facts = facts_of(*job);
  std::ranges::move(kept_files_of(*job), std::back_inserter(facts));
  remote.terminal.out << fact_lines(facts, remote.colour);
  if (const auto printed = print_items(options, remote); !printed)
    return tell(printed.error(), remote);
  if (job->text("end") == "open") return 0;
  if (const auto printed = print_result(options, remote); !printed)
    return tell(printed.error(), remote);
  return 0;
}

int run_why(std::int64_t id, Remote remote) {
  const auto answer = ask(remote, job_path(id, "/why"));
  if (!answer) return tell(answer.error(), remote);
  if (remote.is_json()) {
    remote.terminal.out << safe_json(answer->body) << "\n";
    return 0;
  }
  const auto why = JsonView::read(answer->body);
  if (!why) return tell(failure_of(why.error(), remote.client), remote);
  const std::string next_at = time_of(*why, "next_at");
  std::string next = why->text("next");
  if (!next_at.empty()) next += (next.empty() ? "at " : ", at ") + next_at;
  remote.terminal.out << fact_lines(
      {{"job", fmt::format("{} ({})", why->text("job"), why->text("lifecycle"))},
       {"state", why->text("state") + (why->flag("stuck") ? ", stuck" : ""),
        why->flag("stuck") ? Ink::yellow : Ink::plain},
       {"since", time_of(*why, "since")},
       {"because", fmt::format("{} ({})", why->text("because"), why->text("code"))},
       {"held by", holders_of(*why)},
       {"reason", why->text("reason")},
       {"detail", why->text("detail")},
       {"last seen", time_of(*why, "seen_at")},
       {"next", next},
       {"possible now", joined(why->list("allowed"))}},
      remote.colour);
  return 0;
}

}  // namespace haul::cli
