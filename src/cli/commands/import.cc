// `haul import`: says what the files of a job are, or shows where they would go.

#include <fmt/core.h>

#include <map>
#include <ostream>

#include "base/json.h"
#include "base/text.h"
#include "cli/draw/bytes.h"
#include "cli/remote/answers.h"
#include "cli/remote/json_body.h"

namespace haul::cli {
namespace {

// What the user says about each file, by its path. The last '=' of "a=b.mkv=S01E02" ends the path.
OrFailure<std::map<std::string, std::string>> read_files(const std::vector<std::string>& given) {
  std::map<std::string, std::string> files;
  for (const std::string& text : given) {
    const std::size_t sign = text.rfind('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == text.size())
      return std::unexpected{wrong_usage(
          fmt::format("--file: \"{}\" is not PATH=S01E02, PATH=movie or PATH=skip", text))};
    if (!files.emplace(text.substr(0, sign), text.substr(sign + 1)).second)
      return std::unexpected{
          wrong_usage(fmt::format("--file: \"{}\" is given twice", text.substr(0, sign)))};
  }
  return files;
}

std::string body_of(const ImportOptions& options, const std::map<std::string, std::string>& files) {
  JsonBody body;
  body.text("as", options.as);
  std::string said;
  for (const auto& [path, as] : files)
    said += fmt::format("{}{}:{}", said.empty() ? "" : ",", json_quoted(path), json_quoted(as));
  if (!said.empty()) body.json("files", "{" + said + "}");
  if (options.dry_run) body.json("dry_run", "true");
  return body.str();
}

// "a.mkv (1.2 GiB)", and below it where it goes; or why it stays out.
std::string file_text(const JsonView& file) {
  const std::string source = printable(file.text("source"));
  const std::string size = bytes_text(file.number("size").value_or(0));
  const std::string target = file.text("target");
  const std::string note = file.text("note");
  if (!target.empty())
    return fmt::format("{} ({})\n  > {} ({})\n{}", source, size, printable(target),
                       printable(file.text("how")),
                       note.empty() ? "" : fmt::format("  stays out: {}\n", printable(note)));
  return note.empty() ? fmt::format("{} ({})\n", source, size)
                      : fmt::format("{} ({}) stays out: {}\n", source, size, printable(note));
}

std::string problem_text(const JsonView& problem) {
  const std::string fix = problem.text("fix");
  return fmt::format("{} ({}){}", printable(problem.text("detail")),
                     printable(problem.text("code")), fix.empty() ? "" : "; " + printable(fix));
}

int show_plan(const std::string& reply, Remote remote) {
  const JsonView plan = JsonView::read(reply).value_or(JsonView{});
  const JsonView problem = plan.object("problem");
  const int code = problem.is_empty() ? 0 : 1;
  if (remote.is_json()) {
    remote.terminal.out << safe_json(reply) << "\n";
    return code;
  }
  for (const std::string& file : plan.list("files"))
    remote.terminal.out << file_text(JsonView::read(file).value_or(JsonView{}));
  if (code != 0) remote.terminal.err << "haul: " << problem_text(problem) << "\n";
  return code;
}

}  // namespace

int run_import(const ImportOptions& options, Remote remote) {
  const auto files = read_files(options.files);
  if (!files) return tell(files.error(), remote);
  const auto answer = ask(remote, {.method = "POST",
                                   .path = job_path(options.id, "/import"),
                                   .body = body_of(options, *files)});
  if (!answer) return tell(answer.error(), remote);
  if (options.dry_run) return show_plan(answer->body, remote);
  if (remote.is_json()) {
    remote.terminal.out << safe_json(answer->body) << "\n";
    return 0;
  }
  const JsonView job = JsonView::read(answer->body).value_or(JsonView{});
  remote.terminal.out << fmt::format("haul will import job {} like this; so far it is {}\n",
                                     options.id, printable(job.text("state")));
  return 0;
}

}  // namespace haul::cli
