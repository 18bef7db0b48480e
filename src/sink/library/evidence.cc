#include "sink/library/evidence.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/json.h"

namespace haul::library {
namespace {

constexpr std::string_view kNames[] = {"path", "size", "source", "how", "sha256"};
constexpr std::size_t kFilesMax = 10'000;

}  // namespace

std::string evidence_json(std::span<const LandedFile> files) {
  std::string rows;
  for (const LandedFile& file : files)
    rows += fmt::format(R"({}{{"path":{},"size":{},"source":{},"how":{},"sha256":{}}})",
                        rows.empty() ? "" : ",", json_quoted(file.path), file.size,
                        json_quoted(file.source), json_quoted(file.how), json_quoted(file.sha256));
  return fmt::format(R"({{"kind":"import","files":[{}]}})", rows);
}

std::vector<LandedFile> read_evidence(std::string_view json) {
  const auto members = read_object(json);
  if (!members) return {};
  const auto list = std::ranges::find(*members, "files", &JsonField::name);
  if (list == members->end()) return {};
  const auto rows = read_rows(list->json, kNames, kFilesMax);
  if (!rows) return {};
  std::vector<LandedFile> files;
  files.reserve(rows->size());
  for (const JsonRow& row : *rows)
    files.push_back({.path = row[0].text,
                     .size = row[1].whole().value_or(-1),
                     .source = row[2].text,
                     .how = row[3].text,
                     .sha256 = row[4].text});
  return files;
}

}  // namespace haul::library
