#include "engine/child/program.h"

#include <fmt/core.h>

#include <charconv>

#include "base/url.h"
#include "io/web/http_fault.h"

namespace haul::child {
namespace {

std::unexpected<Fault> refuse(std::string_view code, std::string detail) {
  return std::unexpected{Fault{FaultKind::rejected, std::string{code}, std::move(detail)}};
}

std::optional<int> take_number(std::string_view& version) {
  int number = 0;
  const auto [end, error] =
      std::from_chars(version.data(), version.data() + version.size(), number);
  if (error != std::errc{}) return std::nullopt;
  version.remove_prefix(static_cast<std::size_t>(end - version.data()));
  if (version.starts_with('.')) version.remove_prefix(1);
  return number;
}

}  // namespace

bool is_at_least(std::string_view version, std::string_view oldest) {
  while (!oldest.empty()) {
    const auto has = take_number(version);
    const auto wanted = take_number(oldest);
    if (!wanted) return true;
    if (!has) return false;
    if (*has != *wanted) return *has > *wanted;
  }
  return true;
}

std::optional<Fault> status_fault(std::string_view text, std::string_view before) {
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(at + before.size(), 3);
  int status = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), status);
  if (error != std::errc{} || status < 400 || status > 599) return std::nullopt;
  return Fault{io::kind_of_status(status), fmt::format("http_{}", status), std::string{text}};
}

Result<void> check_page_url(std::string_view page) {
  std::string_view address = page;
  for (const std::string_view prefix : {"r:", "recursive:"})
    if (page.starts_with(prefix)) address.remove_prefix(prefix.size());
  const auto url = parse_url(address);
  if (!url) return std::unexpected{url.error()};
  return {};
}

Result<void> check_request(const engine::GetRequest& request, std::string_view program) {
  const auto no = [&](std::string_view what) {
    return refuse("not_for_this_engine",
                  fmt::format("{}: {} cannot be asked for it", what, program));
  };
  if (!request.proxy.empty()) return no("proxy");
  if (!request.netrc.empty()) return no("netrc");
  if (!request.ca_file.empty()) return no("ca_file");
  if (request.insecure) return no("insecure");
  if (!request.no_proxy.empty()) return no("no_proxy");
  if (request.ip != io::IpVersion::any) return no("ip_version");
  if (request.max_time > Millis{0}) return no("max_time");
  if (!request.checksums.empty()) return no("checksums");
  if (!request.each.empty()) return no("each");
  if (!request.logins.empty()) return no("a password in the address");
  if (request.discover) return no("discover");
  if (!request.headers.empty() && program == kGalleryDl) return no("headers");
  return {};
}

}  // namespace haul::child
