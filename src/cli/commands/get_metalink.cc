#include "cli/commands/get_metalink.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include "base/ascii.h"
#include "base/json.h"
#include "base/redact.h"
#include "base/text.h"
#include "base/url.h"
#include "cli/commands/get.h"

namespace haul::cli {
namespace {

std::unexpected<Fault> refuse(std::string detail) {
  return std::unexpected{Fault{FaultKind::rejected, "bad_usage", std::move(detail)}};
}

std::string json_list(std::span<const std::string> texts) {
  std::string list;
  for (const std::string& text : texts) {
    list += list.empty() ? '[' : ',';
    append_quoted(list, text);
  }
  return list.empty() ? "[]" : list += ']';
}

std::string json_of(const MetalinkFile& file, bool is_public) {
  std::string out = fmt::format(R"({{"name":{})", json_quoted(file.name));
  if (file.size) out += fmt::format(R"(,"size":{})", *file.size);
  if (!file.checksum.hex.empty())
    out += fmt::format(R"(,"checksum":"{}:{}")", file.checksum.algorithm, file.checksum.hex);
  if (!file.pieces.empty())
    out += fmt::format(R"(,"pieces":{{"algorithm":"{}","length":{},"hashes":{}}})",
                       file.pieces.algorithm, file.pieces.length, json_list(file.pieces.hashes));
  if (file.urls.size() > 1)
    out += fmt::format(R"(,"mirrors":{})", json_list(std::span{file.urls}.subspan(1)));
  if (is_public) out += R"(,"public":true)";
  return out + "}";
}

// What cannot be said of files that a Metalink describes. Empty: nothing.
std::string wrong_with_metalinks(const GetOptions& options) {
  if (!options.more.metalink && !std::ranges::all_of(options.urls, names_metalink))
    return "a Metalink and other URLs need a command each";
  if (!options.input.empty()) return "-i: not with a Metalink";
  if (!options.name.empty()) return "-o: a Metalink names its files itself";
  if (!options.checksum.empty()) return "--checksum: a Metalink has its own";
  if (!options.more.checksum_file.empty()) return "--checksum-file: a Metalink has its own";
  if (!options.more.mirrors.empty()) return "--mirror: a Metalink has its own";
  if (!options.more.save_failed.empty())
    return "--save-failed: not with a Metalink; the same command tries again what failed";
  if (options.discover) return "--discover: not with a Metalink";
  if (options.engine != "auto" && options.engine != "http")
    return "--engine: Metalinks are for the http engine";
  return {};
}

Result<Metalink> read_one(const GetOptions& options, const std::string& where) {
  std::string request;
  if (where.find("://") != std::string::npos) {
    GetOptions alone = options;
    alone.urls = {where};
    alone.engine = "http";
    std::istringstream nothing;
    auto batch = to_request(alone, GetBy::itself, nothing);
    if (!batch) return std::unexpected{batch.error()};
    request = std::move(batch->request);
  }
  auto read = options.read_metalink(where, request);
  if (!read)
    read.error().detail = fmt::format("{}: {}", printable(redacted(where)), read.error().detail);
  return read;
}

}  // namespace

bool names_metalink(std::string_view argument) {
  const auto url = parse_url(argument);
  std::string_view path = url ? std::string_view{url->path_and_query} : argument;
  if (url) path = path.substr(0, path.find('?'));
  return lower(path).ends_with(".meta4");
}

bool may_be_metalinks(const GetOptions& options) {
  GetOptions as_metalinks = options;
  as_metalinks.more.metalink = true;
  as_metalinks.input.clear();
  return options.read_metalink && options.metalink.files.empty() && options.more.replaces.empty() &&
         wrong_with_metalinks(as_metalinks).empty();
}

void add_files(const Metalink& metalink, GetBatch& batch) {
  for (const MetalinkFile& file : metalink.files) {
    batch.each[batch.urls.size()] = json_of(file, metalink.is_public);
    batch.urls.push_back(file.urls.front());
    batch.lines.push_back(0);
  }
}

// The headers and the login of the command go to the server of the Metalink alone: its author
// chooses the addresses of the files.
Result<GetOptions> with_metalinks(GetOptions options) {
  if (!options.more.metalink && std::ranges::none_of(options.urls, names_metalink)) return options;
  if (const std::string why = wrong_with_metalinks(options); !why.empty()) return refuse(why);
  if (!options.read_metalink) return refuse("Metalinks cannot be read here");
  std::set<std::string> names;
  std::set<std::string> urls;
  for (const std::string& where : options.urls) {
    auto read = read_one(options, where);
    if (!read) return std::unexpected{read.error()};
    for (MetalinkFile& file : read->files) {
      if (!names.insert(file.name).second)
        return refuse(fmt::format("two files have the name \"{}\"", printable(file.name)));
      if (!urls.insert(file.urls.front()).second)
        return refuse(fmt::format("two files have the address {}", redacted(file.urls.front())));
      options.metalink.files.push_back(std::move(file));
    }
    options.metalink.is_public = options.metalink.is_public || read->is_public;
  }
  if (options.metalink.files.size() > kMetalinkFilesMax)
    return refuse(fmt::format("more than {} files", kMetalinkFilesMax));
  options.urls.clear();
  options.engine = "http";
  options.headers.clear();
  options.more.login.clear();
  return options;
}

}  // namespace haul::cli
