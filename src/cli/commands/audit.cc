// `haul audit`: lists the audit log.

#include "cli/draw/job_lines.h"
#include "cli/remote/print.h"

namespace haul::cli {

int run_audit(const PageOptions& options, Remote remote) {
  Table table{{{.title = "ID", .align = Align::right, .least = 20, .spare = 2},
               {.title = "AT", .least = 19, .spare = 1},
               {.title = "WHO", .least = 8},
               {.title = "JOB", .align = Align::right, .least = 3},
               {.title = "ACTION", .least = 8},
               {.title = "DETAIL", .least = 12}},
              remote.columns,
              remote.colour};
  return print_table(remote, {.path = "/api/v1/audit", .page = options}, std::move(table),
                     [](Table& rows, const JsonView& entry) {
                       rows.add({{entry.text("id")},
                                 {time_of(entry, "at"), Ink::dim},
                                 {entry.text("user_hash").substr(0, 12)},
                                 {entry.text("job")},
                                 {entry.text("action")},
                                 {entry.text("detail")}});
                     });
}

}  // namespace haul::cli
