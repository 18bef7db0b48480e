// `haul events`: lists a job's events, and follows new ones.

#include <fmt/core.h>

#include <ostream>

#include "cli/draw/job_lines.h"
#include "cli/remote/answers.h"
#include "cli/remote/follow.h"

namespace haul::cli {
namespace {

Table events_table(Remote remote) {
  return Table{{{.title = "ID", .align = Align::right, .least = 20, .spare = 3},
                {.title = "AT", .least = 19, .spare = 4},
                {.title = "TYPE", .least = 8},
                {.title = "WHAT", .least = 12},
                {.title = "BY", .least = 6, .spare = 2},
                {.title = "REASON", .least = 8, .spare = 1}},
               remote.columns,
               remote.colour};
}

void add_event(Table& table, const JsonView& event) {
  table.add({{event.text("id")},
             {time_of(event, "at"), Ink::dim},
             {event.text("type")},
             {event_text(event)},
             {event.text("by")},
             {event.text("reason")}});
}

// Prints all events so far; returns the id of the last.
OrFailure<std::string> print_past(const EventsOptions& options, Remote remote, Table& table) {
  std::string last;
  const Walk past{.path = job_path(options.id, "/events"),
                  .page = {.limit = {}, .all = true},
                  .default_limit = 100};
  const auto walked = walk(remote, past, [&](const ListView& page) {
    for (const std::string& text : page.items) {
      const auto event = JsonView::read(text);
      if (!event) continue;
      last = event->text("id");
      add_event(table, *event);
      if (remote.is_json()) remote.terminal.out << safe_json(text) << "\n";
    }
    if (!remote.is_json() && !page.items.empty()) remote.terminal.out << table.text();
  });
  if (!walked) return std::unexpected{walked.error()};
  return last;
}

class EventLines final : public Follower {
 public:
  EventLines(Remote remote, Table& table) : remote_{remote}, table_{table} {}

  void see_job(const JsonView& job, const std::string&) override {
    is_over_ = !job.text("end").empty() && job.text("end") != "open";
  }
  void see_event(const LiveEvent& live, const JsonView& event) override {
    if (live.name != "moved" && live.name != "note") return;
    if (remote_.is_json()) {
      remote_.terminal.out << safe_json(live.data) << "\n" << std::flush;
      return;
    }
    add_event(table_, event);
    remote_.terminal.out << table_.text() << std::flush;
  }
  bool is_over() const override { return is_over_; }

 private:
  Remote remote_;
  Table& table_;
  bool is_over_ = false;
};

}  // namespace

int run_events(const EventsOptions& options, Remote remote) {
  if (remote.is_json() && !options.follow)
    return print_list(remote, {.path = job_path(options.id, "/events"),
                               .page = {.limit = {}, .all = true},
                               .default_limit = 100});
  Table table = events_table(remote);
  const auto last = print_past(options, remote, table);
  if (!last) return tell(last.error(), remote);
  if (!options.follow) return 0;
  EventLines lines{remote, table};
  const auto followed = follow(remote, {.job = options.id, .last_id = *last}, lines);
  if (!followed) return tell(followed.error(), remote);
  return 0;
}

}  // namespace haul::cli
