#include "cli/commands/send_job.h"

#include <fmt/core.h>

#include <ostream>

#include "cli/draw/job_lines.h"
#include "cli/remote/answers.h"

namespace haul::cli {

int send_job(Remote remote, const std::string& body, const std::string& key) {
  const auto answer = ask(
      remote,
      ApiRequest{.method = "POST", .path = "/api/v1/jobs", .body = body, .idempotency_key = key});
  if (!answer) return tell(answer.error(), remote);
  if (remote.is_json()) {
    remote.terminal.out << safe_json(answer->body) << "\n";
    return 0;
  }
  const JsonView job = JsonView::read(answer->body).value_or(JsonView{});
  const std::string id = cell_text(job.text("id"));
  const std::string state = cell_text(state_of(job));
  remote.terminal.out << (answer->status == 200
                              ? fmt::format("Job {} already exists: {}\n", id, state)
                              : fmt::format("Added job {}: {}\n", id, state));
  return 0;
}

}  // namespace haul::cli
