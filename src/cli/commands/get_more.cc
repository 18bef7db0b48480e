#include "cli/commands/get_more.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/json.h"
#include "base/time.h"
#include "base/url.h"

namespace haul::cli {
namespace {

namespace fs = std::filesystem;

std::unexpected<Fault> refuse(std::string detail) {
  return std::unexpected{Fault{FaultKind::rejected, "bad_usage", std::move(detail)}};
}

using Logins = std::map<std::string, std::string>;

// By origin. A URL's own login comes before the given one.
Logins logins_of(const std::string& login, const std::vector<std::string>& urls) {
  Logins logins;
  for (const std::string& text : urls) {
    const auto url = parse_url(text);
    if (!url) continue;  // The check of the request refuses it.
    if (!url->user.empty())
      logins[url->origin()] = url->user + ":" + url->password;
    else
      logins.try_emplace(url->origin(), login);
  }
  return logins;
}

std::string json_of(const Logins& logins) {
  std::string out;
  for (const auto& [origin, login] : logins)
    out += fmt::format("{}{}:{}", out.empty() ? "" : ",", json_quoted(origin), json_quoted(login));
  return "{" + out + "}";
}

std::string json_of(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ",") + json_quoted(text);
  return "[" + out + "]";
}

}  // namespace

std::optional<std::string> read_seconds(std::string_view text) {
  double seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, seconds, std::chars_format::fixed);
  if (error == std::errc{} && at == end && std::isfinite(seconds) && seconds < 1e9) {
    const auto ms = static_cast<std::int64_t>(std::ceil(seconds * 1'000));
    return ms > 0 ? std::optional{fmt::format("{}ms", ms)} : std::nullopt;
  }
  const auto duration = read_duration(text);
  if (!duration || *duration <= Millis{0}) return std::nullopt;
  return duration_text(*duration);
}

std::string wrong_with_seconds(const std::string& text) {
  if (read_seconds(text)) return {};
  return fmt::format("\"{}\" is not a time: expected seconds such as 10 or 2.5, or 500ms", text);
}

Result<OutputPath> split_output(const fs::path& folder, const std::string& output) {
  const fs::path path{output};
  if (output.ends_with('/') || path.filename() == "." || path.filename() == "..")
    return refuse(fmt::format("-o: \"{}\" names no file", output));
  if (path.is_absolute()) {
    const fs::path whole = path.lexically_normal();
    return OutputPath{whole.parent_path(), whole.filename().string()};
  }
  if (std::ranges::find(path, fs::path{".."}) != path.end())
    return refuse("-o: must not leave the folder by \"..\"; use -d, or an absolute path");
  return OutputPath{folder, path.lexically_normal().string()};
}

bool needs_http(const GetMore& more) {
  return !more.connect_timeout.empty() || !more.max_time.empty() || !more.no_proxy.empty() ||
         more.insecure || !more.ca_file.empty() || more.ipv4 || more.ipv6 || more.compressed ||
         !more.checksum_file.empty() || !more.mirrors.empty() || !more.replaces.empty();
}

Result<MoreFields> more_fields(const GetMore& more, const std::vector<std::string>& urls) {
  MoreFields fields;
  if (!more.connect_timeout.empty())
    fields["connect_timeout"] = json_quoted(read_seconds(more.connect_timeout).value_or("0"));
  if (!more.category.empty()) fields["category"] = json_quoted(more.category);
  if (!more.max_time.empty())
    fields["max_time"] = json_quoted(read_seconds(more.max_time).value_or("0"));
  if (!more.no_proxy.empty()) fields["no_proxy"] = json_quoted(more.no_proxy);
  if (more.insecure) fields["insecure"] = "true";
  if (!more.ca_file.empty())
    fields["ca_file"] = json_quoted(fs::absolute(more.ca_file).lexically_normal().string());
  if (more.ipv4 || more.ipv6) fields["ip_version"] = more.ipv4 ? R"("4")" : R"("6")";
  if (more.compressed) fields["compressed"] = "true";
  if (more.remote_time) fields["remote_time"] = "true";
  if (!more.login.empty()) {
    if (more.login.find(':') == std::string::npos || more.login.starts_with(':'))
      return refuse("-u: expected user:password");
    std::vector<std::string> all = urls;
    all.insert(all.end(), more.mirrors.begin(), more.mirrors.end());
    fields["logins"] = json_of(logins_of(more.login, all));
  }
  if (!more.mirrors.empty()) fields["mirrors"] = json_of(without_logins(more, more.mirrors));
  if (!more.checksum_file.empty()) {
    const auto sums = read_checksum_file(more.checksum_file);
    if (!sums) return std::unexpected{sums.error()};
    fields["checksums"] = json_of(*sums);
  }
  return fields;
}

std::vector<std::string> without_logins(const GetMore& more, const std::vector<std::string>& urls) {
  std::vector<std::string> plain = urls;
  if (more.login.empty()) return plain;
  for (std::string& text : plain)
    if (const auto url = parse_url(text); url && !url->user.empty()) text = url->text;
  return plain;
}

}  // namespace haul::cli
