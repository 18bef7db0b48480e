#include "sink/library/import_request.h"

#include <limits>

#include "base/json.h"
#include "base/request_value.h"
#include "base/text.h"

namespace haul::library {
namespace {

std::optional<int> number_of(const JsonField& field) {
  const auto value = read_whole(field.text);
  if (!value || *value < 0 || *value > std::numeric_limits<int>::max()) return {};
  return static_cast<int>(*value);
}

std::optional<LibraryKind> kind_of(std::string_view text) {
  if (text == "movie") return LibraryKind::movie;
  if (text == "series") return LibraryKind::series;
  return {};
}

void read_field(const JsonField& field, ImportRequest& request) {
  if (is_unset(field)) return;
  if (field.name == "kind") request.kind = kind_of(field.text);
  if (field.name == "title") request.title = field.text;
  if (field.name == "year") request.year = number_of(field);
  if (field.name == "season") request.season = number_of(field);
  if (field.name == "episode") request.episode = number_of(field);
  if (field.name == "quality") request.quality = field.text;
  if (field.name == "release_name") request.release_name = field.text;
}

}  // namespace

Result<ImportRequest> read_import_request(std::string_view json) {
  const auto fields = read_object(json);
  if (!fields) return std::unexpected{fields.error()};
  ImportRequest request;
  for (const JsonField& field : *fields) read_field(field, request);
  return request;
}

std::string file_command(std::string_view file, std::string_view as) {
  std::string command = "haul import JOB --file '";
  for (const char c : printable(file)) command += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return command + "=" + std::string{as} + "'";
}

// Names of files only follow the command, so the first JOB is not one of theirs.
std::string fix_for(const ImportRefusal& refusal, JobId job) {
  constexpr std::string_view kCommand = "haul import JOB";
  constexpr std::string_view kJob = "JOB";
  std::string fix = refusal.fix;
  if (const std::size_t at = fix.find(kCommand); at != std::string::npos)
    fix.replace(at + kCommand.size() - kJob.size(), kJob.size(), std::to_string(job.value));
  return fix;
}

}  // namespace haul::library
