#include "cli/draw/hint.h"

namespace haul {
namespace {

struct Hint {
  std::string_view reason;  // With a final '*': any reason with this prefix.
  std::string_view text;
};

// The first match wins.
// clang-format off
constexpr Hint kHints[] = {
    {"http_401",            "the server wants a login: try --netrc, --cookies or --header"},
    {"http_403",            "the server refuses: try --cookies, --header or another --user-agent"},
    {"http_404",            "the server has no such file: check the address"},
    {"http_407",            "the proxy wants a login: put it into --proxy"},
    {"http_410",            "the file was removed for good: look for another address"},
    {"http_416",            "the file changed on the server: run the same command again"},
    {"http_429",            "the server wants fewer requests: try later, with a longer --delay"},
    {"http_451",            "the server may not give this file out where you are"},
    {"http_4*",             "the server refuses this request: check the address"},
    {"http_5*",             "the server is in trouble: run the same command again later"},
    {"unexpected_content",  "a page came where a file was expected, often a login: try --cookies"},
    {"checksum_mismatch",   "the file is not what its checksum promises: check both at the source"},
    {"size_mismatch",       "the file is not as long as announced: run the same command again"},
    {"file_changed",        "the file changed on the server: run the same command again"},
    {"truncated",           "the connection broke too early: run the same command again"},
    {"connection_lost",     "the connection broke: run the same command again"},
    {"stalled",             "the server stopped sending: run the same command again later"},
    {"timeout",             "the server did not answer in time: run the same command again later"},
    {"cannot_connect",      "no connection to the server: check the address and the network"},
    {"host_not_found",      "the server's name is not known: check the address and the network"},
    {"network_down",        "there is no network: run the same command again when it is back"},
    {"tls_not_trusted",     "the server cannot prove who it is: check the address and the clock"},
    {"too_many_redirects",  "the server sends in circles: check the address"},
    {"insecure_redirect",   "the server led from https to http, which is not followed"},
    {"bad_redirect",        "the server led to something that is no address: check the address"},
    {"private_address",     "a public server led to a private address, which is not followed"},
    {"bad_answer",          "the server does not speak HTTP as it should: check the address"},
    {"no_content",          "the server answers without a file: check the address"},
    {"bad_url_scheme",      "haul fetches http and https only"},
    {"bad_url*",            "this is no address haul can read: check how it is written"},
    {"url_too_long",        "the address is longer than any server takes: check how it is written"},
    {"disk_full",           "make room on the disk, then run the same command again"},
    {"disk_error",          "the disk does not work as it should: check it, or choose another -d"},
    {"read_only_disk",      "the folder cannot be written: choose another with -d"},
    {"no_permission",       "the folder cannot be written: choose another with -d"},
    {"folder_gone",         "the folder went away: bring it back or choose another with -d"},
    {"too_many_files",      "too many files are open: raise the limit (ulimit -n)"},
    {"file_too_large",      "the file is larger than this disk or this haul takes"},
    {"name_taken",          "a file of that name is there already: choose another with -o"},
    {"program_missing",     "install it, or choose another --engine"},
    {"program_*",           "look whether it runs by itself, or name a newer one"},
    {"unsupported_url",     "nothing knows what to fetch there: check it, or try --engine http"},
    {"site_refuses",        "the site does not give it out: try --cookies, or a newer program"},
    {"unsafe_extension",    "the site offers a file that is no media; it was not kept"},
    {"outside_staging",     "the program delivered what is not its own; it was not kept"},
    {"not_for_this_engine", "leave that option out, or choose another --engine"},
    {"cancelled",           "run the same command again to start over"},
    {"*",                   "run the same command again; what has arrived is kept"},
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

}  // namespace haul
