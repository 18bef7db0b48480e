// `haul cancel`, `retry`, `pause`, `resume` and `delete`, each for any number of jobs.

#include <fmt/core.h>

#include <ostream>

#include "cli/draw/job_lines.h"
#include "cli/remote/answers.h"

namespace haul::cli {

std::string_view verb_of(JobAct act) {
  switch (act) {
    case JobAct::cancel:
      return "cancel";
    case JobAct::retry:
      return "retry";
    case JobAct::pause:
      return "pause";
    case JobAct::resume:
      return "resume";
    case JobAct::remove:
      return "delete";
  }
  return "";
}

namespace {

// The result as a sentence.
std::string done_text(JobAct act, std::int64_t id, const ApiAnswer& answer) {
  const JsonView job = JsonView::read(answer.body).value_or(JsonView{});
  const std::string state = cell_text(job.text("state"));
  switch (act) {
    case JobAct::cancel:
      if (answer.status == 202)
        return fmt::format("Job {} will be cancelled; now it is {}", id, state);
      return fmt::format("Job {} is {}", id, state);
    case JobAct::retry:
      if (job.number("id").value_or(id) != id)
        return fmt::format("Job {} retries job {}", cell_text(job.text("id")), id);
      return fmt::format("Job {} is retried: {}", id, state);
    case JobAct::pause:
      if (answer.status == 202)
        return fmt::format("Job {} will be paused; now it is {}", id, state);
      return fmt::format("Job {} is paused: {}", id, state);
    case JobAct::resume:
      return fmt::format("Job {} is resumed: {}", id, state);
    case JobAct::remove:
      if (!job.json("deleted_files").starts_with('{'))
        return fmt::format("Job {} is deleted: lists and counts leave it out; its files stay", id);
      return fmt::format(
          "Job {} is deleted: lists and counts leave it out. haul removes its files; haul show {} "
          "says what became of them",
          id, id);
  }
  return "";
}

ApiRequest request_of(JobAct act, std::int64_t id, JobFiles files) {
  if (act == JobAct::remove)
    return {.method = "DELETE",
            .path = job_path(id) + (files == JobFiles::remove ? "?files=true" : ""),
            .body = {}};
  return {.method = "POST", .path = job_path(id, fmt::format("/{}", verb_of(act))), .body = "{}"};
}

struct ActOutcome {
  std::int64_t id = 0;
  int status = 0;  // Zero if no answer came.
  std::string body;
  bool is_done = false;
};

std::string json_of(const ActOutcome& outcome) {
  return fmt::format(R"({{"id":{},"status":{},"{}":{}}})", outcome.id, outcome.status,
                     outcome.is_done ? "job" : "error", outcome.body);
}

// One job: the daemon's reply as it is. Several: a list in the order of the arguments.
std::string json_of(const std::vector<ActOutcome>& outcomes) {
  if (outcomes.size() == 1) return outcomes.front().body;
  std::string items;
  for (const ActOutcome& outcome : outcomes) items += (items.empty() ? "" : ",") + json_of(outcome);
  return fmt::format(R"({{"items":[{}],"next":null}})", items);
}

}  // namespace

int run_act(JobAct act, const std::vector<std::int64_t>& ids, Remote remote, JobFiles files) {
  std::vector<ActOutcome> outcomes;
  int code = 0;
  for (const std::int64_t id : ids) {
    const auto answer = remote.client.ask(request_of(act, id, files));
    if (answer && answer->is_good()) {
      outcomes.push_back({id, answer->status, answer->body, true});
      if (!remote.is_json()) remote.terminal.out << done_text(act, id, *answer) << "\n";
      continue;
    }
    const Failure failure =
        answer ? failure_of(*answer, remote.client) : failure_of(answer.error(), remote.client);
    outcomes.push_back({id, answer ? answer->status : 0, failure.json, false});
    code = failure.exit_code;
    if (!remote.is_json()) tell(failure, remote, answer ? fmt::format("job {}: ", id) : "");
    if (!answer) break;  // No daemon answers: the other requests would fail too.
  }
  if (remote.is_json()) remote.terminal.out << safe_json(json_of(outcomes)) << "\n";
  return code;
}

int run_resume_all(Remote remote) {
  const auto answer = ask(remote, {.method = "POST", .path = "/api/v1/resume", .body = "{}"});
  if (!answer) return tell(answer.error(), remote);
  if (remote.is_json()) {
    remote.terminal.out << safe_json(answer->body) << "\n";
    return 0;
  }
  const JsonView reply = JsonView::read(answer->body).value_or(JsonView{});
  remote.terminal.out << (reply.text("resumed") == "true"
                              ? "haul sends, pays, deletes and adds at clients again. Paused jobs "
                                "stay paused\n"
                              : "Nothing was held back\n");
  return 0;
}

}  // namespace haul::cli
