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
  const std::string once = evidence_of_earlier(R"({"kind":"etag","etag":"x","size":5})", "");

  CHECK(once == R"({"kind":"already_here","was":"etag","etag":"x","size":5})");
  CHECK(evidence_of_earlier(once, "") == once);
}

TEST_CASE("Z-24: the evidence of a file that is here has its present time") {
  const std::string landed = R"({"kind":"size","size":5,"mtime":"old","name":"a"})";
  CHECK(evidence_of_earlier(landed, "new") ==
        R"({"kind":"already_here","was":"size","size":5,"mtime":"new","name":"a"})");
  const std::string compared = evidence_of_compared(landed, "old");
  CHECK(compared.ends_with(R"("name":"a","compared":true})"));
  CHECK(read_receipt(compared).compared);
  CHECK(evidence_of_earlier(compared, "old") ==
        R"({"kind":"already_here","was":"size","size":5,"mtime":"old","name":"a"})");
}
