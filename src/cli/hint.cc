#include "cli/hint.h"

namespace haul {
namespace {

struct Hint {
  std::string_view reason;  // Ends in '*': every reason that starts so.
  std::string_view text;
};

// The first that fits is taken.
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
    {"unexpected_html",     "a page came where a file was expected, often a login: try --cookies"},
    {"checksum_mismatch",   "the file is not what its checksum promises: check both at the source"},
    {"size_mismatch",       "the file is not as long as announced: run the same command again"},
    {"truncated",           "the connection broke too early: run the same command again"},
    {"stalled",             "the server stopped sending: run the same command again later"},
    {"timeout",             "the server did not answer in time: run the same command again later"},
    {"connect*",            "no connection to the server: check the address and the network"},
    {"resolve*",            "the server's name is not known: check the address and the network"},
    {"tls*",                "the server cannot prove who it is: check the address and the clock"},
    {"proxy*",              "the proxy did not help: check --proxy"},
    {"too_many_redirects",  "the server sends in circles: check the address"},
    {"private_address",     "a public server led to a private address, which is not followed"},
    {"bad_url",             "this is no address haul can read: check how it is written"},
    {"unsupported_scheme",  "haul fetches http and https only"},
    {"disk_full",           "make room on the disk, then run the same command again"},
    {"read_only*",          "the folder cannot be written: choose another with -d"},
    {"folder_gone",         "the folder went away: bring it back or choose another with -d"},
    {"not_writable",        "the folder cannot be written: choose another with -d"},
    {"name_taken",          "a file of that name is there already: choose another with -o"},
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
