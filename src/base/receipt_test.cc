#include "base/receipt.h"

#include <doctest/doctest.h>

using namespace haul;

TEST_CASE("a receipt is read from the evidence of an item, with its strongest hash") {
  const ReceiptFacts facts = read_receipt(
      R"({"kind":"hash","md5":"aa","size":5,"etag":"\"x\"","last_modified":"then",)"
      R"("mtime":"2026-01-01T00:00:00.000000001Z","name":"a","sha256":"bb","decoded":true})");

  CHECK(facts == ReceiptFacts{.kind = "hash",
                              .etag = "\"x\"",
                              .last_modified = "then",
                              .mtime = "2026-01-01T00:00:00.000000001Z",
                              .name = "a",
                              .beside = {},
                              .hash = {"sha256", "bb"},
                              .decoded = true});
  CHECK(read_receipt("") == ReceiptFacts{});
  CHECK(read_receipt("nonsense") == ReceiptFacts{});
}

TEST_CASE("Z-24: the evidence of a file that was here keeps its first rule, however often it is") {
  const std::string once = evidence_of_earlier(R"({"kind":"etag","etag":"x","size":5})");

  CHECK(once == R"({"kind":"already_here","was":"etag","etag":"x","size":5})");
  CHECK(evidence_of_earlier(once) == once);
}
