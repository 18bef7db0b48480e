#pragma once
// Answers that a server might give, list H of the hostile inputs: switches for the fault server,
// and the outcome for the file.

#include <string>
#include <vector>

namespace haul::testing {

struct HostileAnswer {
  const char* id;
  std::string name;      // The name in the URL and on disk.
  std::string switches;  // Switches in addition to size.
  std::string outcome;   // As `haul get` reports it.
  int requests = 1;      // Requests that reach the server. 0: any number.
};

constexpr int kHostileSize = 20'000;

// clang-format off
inline const std::vector<HostileAnswer> kHostileAnswers = {
    {"H1",  "h1a",      "length=long:1",                     "failed truncated", 0},
    {"H1",  "h1b",      "length=long:1&etag=none&last_modified=none", "failed truncated", 5},
    {"H2",  "h2",       "length=short:1&digest=good&etag=none&last_modified=none",
                                                             "failed checksum_mismatch", 0},
    {"H4",  "h4",       "length=twice",                      "completed"},
    {"H4",  "h4b",      "length=twice_differ",               "failed bad_answer"},
    {"H6",  "h6",       "length=overflow",                   "failed bad_answer"},
    {"H7",  "h7",       "length=huge",                       "failed file_too_large"},
    {"H9",  "h9",       "chunked=with_length",               "completed"},
    {"H11", "h11",      "chunked=no_end&etag=none&last_modified=none", "failed truncated", 5},
    {"H11", "h11b",     "chunked=no_end",                    "completed", 2},
    {"H12", "h12", "chunked=bad_size&etag=none&last_modified=none", "failed connection_lost", 5},
    {"H14", "h14",      "chunked=trailer",                   "completed"},
    {"H16", "h16",      "reset_after=0&etag=none&last_modified=none", "failed connection_lost", 5},
    // libcurl itself retries once if a reused connection turns out to be dead.
    {"H16", "h16b",     "reset_after=head",                  "failed connection_lost", 0},
    {"H16", "h16c",     "close_after=head",                  "failed connection_lost", 0},
    {"H31", "h31.gz",   "encoding=gzip",                     "completed"},
    {"H31", "h31.tgz",  "encoding=gzip",                     "completed"},
    {"H31", "h31", "encoding=gzip", "failed bad_answer", 2},  // The body is not gzip.
    {"H32", "h32a",     "encoding=gzip%2Cgzip%2Cgzip%2Cgzip%2Cgzip", "failed bad_answer", 2},
    {"H32", "h32b",     "encoding=gzip%2Cgzip%2Cgzip%2Cgzip%2Cgzip%2Cgzip", "failed bad_answer", 2},
    {"H32", "h32c",     "encoding=identity",                 "completed"},
    {"H41", "h41a",     "headers=1000000",                   "failed bad_answer"},
    {"H41", "h41b",     "header_size=1048576",               "failed bad_answer"},
    {"H41", "h41c",     "headers=100&header_size=10000",     "completed"},
    {"H42", "h42",      "early_hints=100000",                "failed bad_answer"},
    {"H42", "h42b",     "early_hints=10",                    "completed"},
    {"",    "none",     "status=204",                        "failed no_content"},
    {"",    "reset",    "status=205",                        "failed no_content"},
    {"",    "unasked",  "status=206",                        "failed bad_answer"},
    {"",    "odd",      "status=299",                        "failed http_299"},
    {"",    "film.mp4", "login=1",                           "failed unexpected_content"},
    {"",    "pic.JPG",  "login=1",                           "failed unexpected_content"},
    {"F34", "f34a.png", "login=1&type=none",                 "failed unexpected_content"},
    {"F34", "f34b.mp4", "login=1&type=video%2Fmp4",          "failed unexpected_content"},
    {"F34", "f34c.png", "login=2&type=image%2Fpng",          "failed unexpected_content"},
    {"F34", "f34d.mp4", "login=2&type=none",                 "failed unexpected_content"},
    {"F34", "f34f.png", "type=text%2Fplain",                 "completed"},
    {"",    "old",      "version=1.0",                       "completed"},
    {"",    "endless",  "version=1.0&length=none",           "completed"},
    {"",    "refused",  "status=416",                        "failed http_416"},
};
// clang-format on

}  // namespace haul::testing
