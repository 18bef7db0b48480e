#include "cli/draw/hint.h"

namespace haul::cli {
namespace {

struct Hint {
  std::string_view reason;  // With a final '*': any reason with this prefix.
  std::string_view text;
};

// The first match wins.
// clang-format off
constexpr Hint kHints[] = {
    {"http_401",            "the server requires a login: try -u, --netrc, --cookies or --header"},
    {"http_403",            "access refused: try --cookies, --header or another --user-agent"},
    {"http_404",            "the server has no such file: check the URL"},
    {"http_407",            "the proxy requires a login: put it into --proxy"},
    {"http_410",            "the file was removed for good: find another URL"},
    {"http_416",            "the file changed on the server: run the same command again"},
    {"http_429",            "too many requests: try again later, with a longer --delay"},
    {"http_451",            "the server may not offer this file where you are"},
    {"http_4*",             "the server refuses this request: check the URL"},
    {"http_5*",             "the server reports an error: run the same command again later"},
    {"page_instead",        "the server sent a page, often a login; the part stays: try --cookies"},
    {"unexpected_content",  "the server sent a page, often a login, not a file: try --cookies"},
    {"checksum_mismatch",   "the file does not match its checksum: check both at the source"},
    {"hash_unavailable",    "this machine's OpenSSL lacks the algorithm: try a sha256 checksum"},
    {"checksum_missing",    "the list of checksums lacks this file: check its name in the list"},
    {"max_time",            "the file took too long: run the command again to resume it"},
    {"size_mismatch",       "the size is not as announced: run the same command again"},
    {"file_changed",        "the file changed on the server: run the same command again"},
    {"truncated",           "the connection closed too early: run the same command again"},
    {"connection_lost",     "the connection broke: run the same command again"},
    {"stalled",             "the server stopped sending: run the same command again later"},
    {"timeout",             "the server did not answer in time: run the same command again later"},
    {"cannot_connect",      "no connection to the server: check the URL and the network"},
    {"host_not_found",      "the host name is unknown: check the URL and the network"},
    {"network_down",        "there is no network: run the same command again when it is back"},
    {"tls_not_trusted",     "the server's certificate is not valid: check the URL and the clock"},
    {"too_many_redirects",  "the server redirects too often: check the URL"},
    {"insecure_redirect",   "haul does not follow a redirect from https to http"},
    {"bad_redirect",        "the server redirects to an invalid URL: check the URL"},
    {"proxy_login",         "the proxy refuses the login, or requires one: put it into --proxy"},
    {"proxy_refused",       "the proxy refuses the request: see the detail, or use --no-proxy"},
    {"bad_proxy",           "check http_proxy, https_proxy and all_proxy in the environment"},
    {"private_address",     "haul does not follow a redirect from a public to a private address"},
    {"bad_answer",          "the server's answer is not valid HTTP: check the URL"},
    {"no_content",          "the server answers without a file: check the URL"},
    {"bad_url_scheme",      "haul downloads from http and https only"},
    {"bad_url*",            "the URL is not valid: check how it is written"},
    {"url_too_long",        "the URL is too long: check how it is written"},
    {"disk_full",           "free some disk space, then run the same command again"},
    {"disk_error",          "the disk reports an error: check it, or choose another -d"},
    {"read_only_disk",      "the disk is read-only: choose another folder with -d"},
    {"no_permission",       "haul may not write to the folder: choose another with -d"},
    {"folder_gone",         "the folder is gone: restore it, or choose another with -d"},
    {"too_many_files",      "too many files are open: raise the limit (ulimit -n)"},
    {"file_too_large",      "the file is larger than the disk or haul's limits allow"},
    {"name_taken",          "a file of that name exists already: choose another with -o"},
    {"exists",              "leave out --no-clobber, or choose another name with -o"},
    {"program_missing",     "install the program, or choose another --engine"},
    {"program_*",           "check that the program runs by itself, or install a newer one"},
    {"unsupported_url",     "no engine supports this URL: check it, or try --engine http"},
    {"site_refuses",        "the site refuses the download: try --cookies, or a newer program"},
    {"unsafe_extension",    "the site offers a file that is not media; haul deleted it"},
    {"outside_staging",     "the program delivered a file outside its folder; haul refused it"},
    {"not_for_this_engine", "leave that option out, or choose another --engine"},
    {"cancelled",           "run the same command again to start over"},
    {"*",                   "run the same command again; downloaded data is kept"},
};
// clang-format on

bool fits(std::string_view pattern, std::string_view reason) {
  if (!pattern.ends_with('*')) return pattern == reason;
  return reason.starts_with(pattern.substr(0, pattern.size() - 1));
}

}  // namespace

std::string_view hint_for(std::string_view reason) {
  for (const Hint& hint : kHints)
    if (fits(hint.reason, reason)) return hint.text;
  return {};
}

}  // namespace haul::cli
