// haul splits a URL itself, and lets libcurl read the rest of one that is not plain.

#include "base/url.h"

#include <curl/curl.h>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/ascii.h"
#include "base/hostname.h"

namespace haul {
namespace {

constexpr std::size_t kLengthMax = 8'192;

// Ports that browsers refuse because other protocols use them, and ports of databases, which may
// take a request line for a command.
constexpr std::uint16_t kOtherPorts[] = {
    1,    7,    9,    11,   13,   15,   17,   19,   20,   21,   22,    23,    25,   37,   42,
    43,   53,   69,   77,   79,   87,   95,   101,  102,  103,  104,   109,   110,  111,  113,
    115,  117,  119,  123,  135,  137,  139,  143,  161,  179,  389,   427,   465,  512,  513,
    514,  515,  526,  530,  531,  532,  540,  548,  554,  556,  563,   587,   601,  636,  989,
    990,  993,  995,  1719, 1720, 1723, 2049, 3306, 3659, 4045, 4190,  5060,  5061, 5432, 6000,
    6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 10080, 11211, 27017};
static_assert(std::ranges::is_sorted(kOtherPorts));

constexpr CharSet kAfterHost{"/?#"};
// Besides them, letters and digits stand for themselves for every parser.
constexpr CharSet kPlainMarks{"/-_.~?=&"};

std::unexpected<Fault> refused(const char* code, std::string detail) {
  return std::unexpected{Fault{FaultKind::rejected, code, std::move(detail)}};
}

// The parts of a URL as they were written.
struct Written {
  std::string scheme;
  std::string_view user;  // With its '@', if there is one.
  std::string_view host;
  std::string_view port;  // With its ':', if there is one.
  std::string_view rest;
};

Result<Written> take_apart(std::string_view text) {
  const std::size_t colon = text.find(':');
  Written parts{.scheme = lower(text.substr(0, std::min(colon, text.size())))};
  if (colon == std::string_view::npos || (parts.scheme != "http" && parts.scheme != "https"))
    return refused("bad_url_scheme", "only http and https are fetched");
  text.remove_prefix(colon + 1);
  if (!text.starts_with("//")) return refused("bad_url", "no // after the scheme");
  text.remove_prefix(2);

  const std::size_t end = std::min(kAfterHost.find_in(text), text.size());
  parts.rest = text.substr(end);
  std::string_view authority = text.substr(0, end);
  if (std::ranges::count(authority, '@') > 1) return refused("bad_url_user", "more than one @");
  const std::size_t user = authority.find('@') + 1;  // Zero if there is none.
  parts.user = authority.substr(0, user);
  authority.remove_prefix(user);

  const std::size_t closed = authority.starts_with('[') ? authority.find(']') : 0;
  const std::size_t port = authority.find(':', std::min(closed, authority.size()));
  parts.host = authority.substr(0, port);
  if (port != std::string_view::npos) parts.port = authority.substr(port);
  return parts;
}

// The number after ':'. Zero if there is none, empty if it is not a port.
std::optional<int> port_number(std::string_view written) {
  if (written.size() < 2) return 0;
  int number = 0;
  const char* const end = written.data() + written.size();
  const auto [at, error] = std::from_chars(written.data() + 1, end, number);
  if (error != std::errc{} || at != end || number < 1 || number > 65'535) return std::nullopt;
  return number;
}

std::string encoded(std::string_view text) {
  if (std::ranges::all_of(text, is_ascii)) return std::string{text};
  std::string out;
  for (const char c : text) {
    if (is_ascii(c))
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

struct Closer {
  void operator()(CURLU* handle) const { curl_url_cleanup(handle); }
  void operator()(char* text) const { curl_free(text); }
};
using Handle = std::unique_ptr<CURLU, Closer>;

std::optional<std::string> part(const Handle& handle, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  const CURLUcode code = curl_url_get(handle.get(), which, &text, flags);
  const std::unique_ptr<char, Closer> owned{text};
  if (code == CURLUE_NO_USER || code == CURLUE_NO_PASSWORD || code == CURLUE_NO_QUERY) return "";
  if (code != CURLUE_OK || text == nullptr) return std::nullopt;
  return text;
}

// Lets libcurl read the URL as well. Refuses what libcurl would not fetch or reads differently.
Result<Url> read_by_curl(const Written& written, Url url) {
  const Handle handle{curl_url()};
  const std::string text = url.scheme + "://" + encoded(written.user) + url.host +
                           (url.port.empty() ? "" : ":" + url.port) + encoded(written.rest);
  const CURLUcode code = curl_url_set(handle.get(), CURLUPART_URL, text.c_str(), 0);
  if (code != CURLUE_OK) return refused("bad_url", curl_url_strerror(code));
  if (!written.user.empty()) {
    const auto user = part(handle, CURLUPART_USER, CURLU_URLDECODE);
    const auto password = part(handle, CURLUPART_PASSWORD, CURLU_URLDECODE);
    if (!user || !password) return refused("bad_url_user", "user or password cannot be decoded");
    url.user = *user;
    url.password = *password;
  }
  if (part(handle, CURLUPART_HOST) != url.host) return refused("bad_url_host", "not a host");
  const bool asks = written.rest.find('?') != std::string_view::npos;
  const auto path = part(handle, CURLUPART_PATH);
  const auto query = asks ? part(handle, CURLUPART_QUERY) : "";
  if (!path || !query) return refused("bad_url", "not an address");

  url.path_and_query = *path + (query->empty() ? "" : "?" + *query);
  return url;
}

// True if all parsers read it alike: no dot segments, nothing that is or must be encoded.
bool is_plain(const Written& written) {
  const auto plain = [](char c) { return is_letter(c) || is_digit(c) || kPlainMarks.has(c); };
  return written.user.empty() && written.rest.starts_with('/') && !written.rest.ends_with('?') &&
         written.rest.find("/.") == std::string_view::npos &&
         std::ranges::all_of(written.rest, plain);
}

std::string port_beyond(std::string_view scheme, int port) {
  return port == 0 || port == (scheme == "http" ? 80 : 443) ? "" : std::to_string(port);
}

bool is_unfit(char c) { return (c >= 0 && c <= ' ') || c == '\x7f' || c == '\\'; }

bool has_scheme(std::string_view reference) {
  const std::size_t end = reference.find_first_of(":/?#");
  return end != std::string_view::npos && reference[end] == ':';
}

}  // namespace

std::string Url::origin() const { return scheme + "://" + host + (port.empty() ? "" : ":" + port); }

Result<Url> parse_url(std::string_view text) {
  if (text.size() > kLengthMax) return refused("url_too_long", "longer than 8 KiB");
  if (std::ranges::any_of(text, is_unfit))
    return refused("bad_url_character", "a blank, control character or backslash");
  const Result<Written> parts = take_apart(text);
  if (!parts) return std::unexpected{parts.error()};
  const std::optional<std::string> host = canonical_host(parts->host);
  if (!host) return refused("bad_url_host", "not a host");
  const std::optional<int> port = port_number(parts->port);
  if (!port) return refused("bad_url_port", "a port is a number from 1 to 65535");
  if (std::ranges::binary_search(kOtherPorts, *port))
    return refused("bad_url_port", fmt::format("port {} is not for HTTP", *port));
  Url url{.scheme = parts->scheme, .host = *host, .port = port_beyond(parts->scheme, *port)};
  if (is_plain(*parts)) {
    url.path_and_query = parts->rest;
  } else if (auto read = read_by_curl(*parts, url)) {
    url = *std::move(read);
  } else {
    return read;
  }
  url.text = url.origin() + url.path_and_query;
  if (url.text.size() > kLengthMax) return refused("url_too_long", "longer than 8 KiB");
  return url;
}

Result<Url> join_url(const Url& base, std::string_view reference) {
  reference = trimmed(reference);
  if (reference.size() > kLengthMax) return refused("url_too_long", "longer than 8 KiB");
  if (reference.empty()) return refused("bad_url", "empty");
  std::string wanted{reference};
  for (std::size_t at = 0; (at = wanted.find(' ', at)) != std::string::npos;)
    wanted.replace(at, 1, "%20");

  const std::string_view path = base.path_and_query;
  const std::string_view bare = path.substr(0, path.find('?'));
  std::string before;
  if (wanted.starts_with("//"))
    before = base.scheme + ":";
  else if (wanted.starts_with('/'))
    before = base.origin();
  else if (wanted.starts_with('?'))
    before = base.origin() + std::string{bare};
  else if (wanted.starts_with('#'))
    before = base.text;
  else if (!has_scheme(wanted))
    before = base.origin() + std::string{bare.substr(0, bare.rfind('/') + 1)};

  Result<Url> url = parse_url(before + wanted);
  if (url && url->user.empty() && url->origin() == base.origin()) {
    url->user = base.user;
    url->password = base.password;
  }
  return url;
}

}  // namespace haul
