#include "cli/draw/job_lines.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/draw/bytes.h"
#include "cli/draw/width.h"

namespace haul::cli {
namespace {

struct KnownBytes {
  std::int64_t have = 0;
  std::int64_t size = 0;   // Zero: unknown.
  std::int64_t least = 0;  // What the size is at least, if that is more than `have`.
};

// An ended job has no progress. What arrived of it is with its counts.
KnownBytes bytes_of(const JsonView& job) {
  const JsonView progress = job.object("progress");
  const std::int64_t arrived = job.object("counts").number("bytes").value_or(0);
  return {.have = progress.number("have").value_or(progress.is_empty() ? arrived : 0),
          .size = progress.number("size").value_or(0),
          .least = progress.number("size_least").value_or(0)};
}

// "700 MiB of 1.2 GiB", "700 MiB of at least 1.2 GiB" if only some sizes are known, "700 MiB" if
// none is.
std::string amount_text(const KnownBytes& bytes) {
  if (bytes.size > 0)
    return fmt::format("{} of {}", bytes_text(bytes.have), bytes_text(bytes.size));
  if (bytes.least > 0)
    return fmt::format("{} of at least {}", bytes_text(bytes.have), bytes_text(bytes.least));
  return bytes.have > 0 ? bytes_text(bytes.have) : "";
}

// "58% of 1.2 GiB" if the size is known.
std::string share_text(const KnownBytes& bytes) {
  if (bytes.size <= 0) return amount_text(bytes);
  return fmt::format("{}% of {}", percent(bytes.have, bytes.size), bytes_text(bytes.size));
}

}  // namespace

int percent(std::int64_t have, std::int64_t size) {
  const double share = static_cast<double>(have) / static_cast<double>(size);
  return static_cast<int>(100 * std::clamp(share, 0.0, 1.0));
}

std::string title_of(const JsonView& job) {
  const JsonView request = job.object("request");
  for (const char* name : {"title", "release_name", "name", "prompt", "url"})
    if (const std::string text = request.text(name); !text.empty()) return text;
  if (const std::vector<std::string> urls = request.list("urls"); !urls.empty()) {
    if (urls.size() == 1) return urls.front();
    return fmt::format("{} and {} more", urls.front(),
                       count_text(static_cast<std::int64_t>(urls.size()) - 1));
  }
  for (const char* name : {"file_id", "uri", "book_id"})
    if (const std::string text = request.text(name); !text.empty()) return text;
  return {};
}

Ink ink_of(const JsonView& job) {
  const std::string outcome = job.text("outcome");
  if (outcome == "whole") return Ink::green;
  if (outcome == "partly") return Ink::yellow;
  if (outcome == "nothing") return job.text("end") == "stopped" ? Ink::dim : Ink::red;
  return job.flag("paused") || job.flag("stuck") ? Ink::yellow : Ink::cyan;
}

std::string state_of(const JsonView& job) {
  std::string state = job.text("state");
  // Z-25: the state does not say how much arrived. An ended job is neither paused nor stuck.
  const std::string outcome = job.text("outcome");
  if (outcome == "partly") return state + ", partly";
  if (outcome == "nothing" && job.text("end") == "good") return state + ", nothing arrived";
  if (job.text("end") != "open") return state;
  if (job.flag("paused")) state += ", paused";
  if (const std::string begins = time_of(job, "begins_at"); !begins.empty())
    return state + ", begins " + begins;
  const std::string host = job.object("progress").text("waits_for");
  if (!host.empty() && !job.flag("paused")) return "waiting for " + host;
  if (const auto retry = job.object("progress").number("retry_in"); retry && !job.flag("paused"))
    return fmt::format("retry in {} s ({})", *retry, job.object("progress").text("retry_reason"));
  if (job.flag("stuck")) state += ", stuck";
  return state;
}

std::string time_of(const JsonView& view, std::string_view name) {
  std::string time = view.text(name);
  if (time.size() < 19 || time[10] != 'T') return time;
  time[10] = ' ';
  return time.substr(0, 19);
}

std::string progress_of(const JsonView& job) {
  const JsonView counts = job.object("counts");
  const JsonView progress = job.object("progress");
  const std::int64_t total = counts.number("total").value_or(0);
  const std::int64_t failed = counts.number("failed").value_or(0);
  const std::int64_t speed = progress.number("speed").value_or(0);
  std::string text;
  const auto add = [&text](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  };
  if (total > 1)
    add(fmt::format("{} of {}", count_text(counts.number("completed").value_or(0)),
                    count_text(total)));
  else
    add(share_text(bytes_of(job)));
  if (failed > 0) add(count_text(failed) + " failed");
  if (total > 1) add(amount_text(bytes_of(job)));
  if (speed > 0) add(speed_text(static_cast<double>(speed)));
  return text;
}

Table jobs_table(Remote remote) {
  return Table{{{.title = "ID", .align = Align::right, .least = 20},
                {.title = "LIFECYCLE", .least = 9, .spare = 2},
                {.title = "STATE", .least = 9},
                {.title = "PROGRESS", .least = 8, .spare = 3},
                {.title = "SINCE", .least = 19, .spare = 4},
                {.title = "REASON", .least = 8, .spare = 1},
                {.title = "WHAT", .least = 24}},
               remote.columns,
               remote.colour};
}

void add_job(Table& table, const JsonView& job) {
  table.add({{job.text("id")},
             {job.text("lifecycle")},
             {state_of(job), ink_of(job)},
             {progress_of(job)},
             {time_of(job, "moved_at"), Ink::dim},
             {job.text("reason"), job.text("end") == "bad" ? Ink::red : Ink::plain},
             {title_of(job)}});
}

std::string fact_lines(const std::vector<Fact>& facts, Colour colour) {
  std::size_t widest = 0;
  for (const Fact& fact : facts)
    if (!fact.value.empty()) widest = std::max(widest, fact.name.size());
  std::string out;
  for (const Fact& fact : facts) {
    if (fact.value.empty()) continue;
    out += painted(colour, Ink::dim, left_aligned(fact.name, widest)) + "  " +
           painted(colour, fact.ink, cell_text(fact.value)) + "\n";
  }
  return out;
}

}  // namespace haul::cli
