#include "cli/draw/hint.h"

#include <doctest/doctest.h>

namespace haul::cli {
namespace {

TEST_CASE("a reason has its own hint, or that of its prefix, or the general one") {
  CHECK(hint_for("http_404") == "the server has no such file: check the URL");
  CHECK(hint_for("http_405") == "the server refuses this request: check the URL");
  CHECK(hint_for("http_503") == "the server reports an error: run the same command again later");
  CHECK(hint_for("bad_url_port") == hint_for("bad_url"));
  CHECK(hint_for("bad_url_scheme") == "haul downloads from http and https only");
  CHECK(hint_for("http_404x") == hint_for("http_405"));
  CHECK(hint_for("disk_full") == "free some disk space, then run the same command again");
  CHECK(hint_for("never_heard_of") == "run the same command again; downloaded data is kept");
  CHECK(hint_for("") == hint_for("never_heard_of"));
}

TEST_CASE("no hint says to run the same command again if that would change nothing") {
  for (const char* reason :
       {"bad_url",         "bad_url_user",    "bad_url_host",      "bad_url_character",
        "url_too_long",    "host_not_found",  "cannot_connect",    "tls_not_trusted",
        "bad_answer",      "bad_redirect",    "insecure_redirect", "private_address",
        "no_permission",   "read_only_disk",  "name_taken",        "program_missing",
        "program_too_old", "unsupported_url", "unsafe_extension",  "not_for_this_engine"})
    CHECK_MESSAGE(hint_for(reason).find("again") == std::string_view::npos, reason);
}

}  // namespace
}  // namespace haul::cli
