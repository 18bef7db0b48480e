#include "cli/commands/verify.h"

#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "support/api/fake_api.h"

namespace haul::cli {
namespace {

using testing::Desk;

// Answers by path; a path that it does not know is gone.
struct FakeFiles {
  std::map<std::string, std::string> verdicts;
  std::vector<Receipt> asked{};

  Verifier verifier() {
    return {.find = {}, .check = [this](const Receipt& receipt) {
              asked.push_back(receipt);
              const auto found = verdicts.find(receipt.path);
              return Verified{found == verdicts.end() ? "gone" : found->second, "said the test"};
            }};
  }
};

std::string item(const std::string& path) {
  return R"({"n":1,"state":"COMPLETED","size":5,"path":")" + path +
         R"(","evidence":{"kind":"hash","sha256":"9f86"}})";
}

Desk& set_up(Desk& desk) {
  desk.api
      .on("GET /api/v1/jobs/4/items?limit=100", 200,
          R"({"items":[)" + item("/x/a") + R"(,{"n":2,"state":"FAILED","path":null,)" +
              R"("evidence":null}],"next":"2"})")
      .on("GET /api/v1/jobs/4/items?limit=100&cursor=2", 200,
          R"({"items":[)" + item("/x/b") + R"(],"next":null})");
  return desk;
}

TEST_CASE("what verify gets is a job if it is one number; all else is a path") {
  CHECK(is_job({{"7"}}));
  CHECK(is_job({{"123456789012345678"}}));
  CHECK_FALSE(is_job({{"1234567890123456789"}}));
  for (const char* path : {"", "7.bin", "./7", "-7", "7 "}) CHECK_FALSE(is_job({{path}}));
  CHECK_FALSE(is_job({{"7", "8"}}));
  CHECK_FALSE(is_job({}));
}

TEST_CASE("verify of a job reads each file that has a receipt, on every page, and is 0 if proven") {
  Desk desk;
  FakeFiles files{{{"/x/a", "proven"}, {"/x/b", "proven"}}};

  CHECK(run_verify_job({{"4"}}, files.verifier(), set_up(desk).remote()) == 0);

  CHECK(desk.out.str() ==
        "proven  /x/a (said the test)\n"
        "proven  /x/b (said the test)\n");
  REQUIRE(files.asked.size() == 2);
  CHECK(files.asked[0].size == 5);
  CHECK(read_receipt(files.asked[0].evidence).hash == Checksum{"sha256", "9f86"});
}

TEST_CASE("verify of a job is 1 if one file is not proven, whatever the others are") {
  for (const char* verdict : {"unchanged", "changed", "gone", "unreadable"}) {
    CAPTURE(verdict);
    Desk desk;
    FakeFiles files{{{"/x/a", "proven"}, {"/x/b", verdict}}};
    CHECK(run_verify_job({{"4"}}, files.verifier(), set_up(desk).json()) == 1);
    CHECK(desk.out.str().find(std::string{R"("path":"/x/b","verdict":")"} + verdict + '"') !=
          std::string::npos);
  }
}

TEST_CASE("verify of a job without receipts says so, and one that the daemon does not know fails") {
  Desk desk;
  FakeFiles files;
  desk.api.on("GET /api/v1/jobs/4/items?limit=100", 200,
              R"({"items":[{"n":1,"state":"FAILED","path":"/x/a","evidence":null}],"next":null})");
  CHECK(run_verify_job({{"4"}}, files.verifier(), desk.remote()) == 1);
  CHECK(desk.err.str() == "haul: job 4 has no file with a receipt\n");
  CHECK(files.asked.empty());

  CHECK(run_verify_job({{"5"}}, files.verifier(), desk.remote()) == 1);
  CHECK(desk.err.str().find("the test has set no answer") != std::string::npos);
}

}  // namespace
}  // namespace haul::cli
