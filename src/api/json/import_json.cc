#include "api/json/import_json.h"

#include "api/json/json_object.h"

namespace haul::api {
namespace {

std::string file_json(const PreviewFile& file) {
  JsonObject json;
  json.text("source", file.source);
  json.text_or_null("target", file.target);
  json.text_or_null("how", file.how);
  json.number("size", file.size);
  json.text_or_null("reason", file.reason);
  return json.take();
}

std::string problem_json(const ImportProblem& problem) {
  JsonObject json;
  json.text("code", problem.code);
  json.text("detail", problem.detail);
  json.text_or_null("fix", problem.fix);
  return json.take();
}

}  // namespace

std::string to_json(const ImportPreview& preview) {
  std::string files;
  for (const PreviewFile& file : preview.files)
    files += (files.empty() ? "" : ",") + file_json(file);
  return "{\"files\":[" + files +
         "],\"problem\":" + (preview.problem ? problem_json(*preview.problem) : "null") + "}";
}

}  // namespace haul::api
