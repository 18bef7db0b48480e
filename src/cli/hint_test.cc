#include "cli/hint.h"

#include <doctest/doctest.h>

namespace haul {
namespace {

TEST_CASE("a reason has its own hint, or that of its family, or that of all") {
  CHECK(hint_for("http_404") == "the server has no such file: check the address");
  CHECK(hint_for("http_405") == "the server refuses this request: check the address");
  CHECK(hint_for("http_503") == "the server is in trouble: run the same command again later");
  CHECK(hint_for("connection_refused").starts_with("no connection to the server"));
  CHECK(hint_for("http_404x") == hint_for("http_405"));
  CHECK(hint_for("disk_full") == "make room on the disk, then run the same command again");
  CHECK(hint_for("never_heard_of") == "run the same command again; what has arrived is kept");
  CHECK(hint_for("") == hint_for("never_heard_of"));
}

}  // namespace
}  // namespace haul
