#include "api/json/job_csv.h"

#include <doctest/doctest.h>

#include "support/api/api_bench.h"

namespace haul::testing {

TEST_CASE("a cell of CSV is quoted if it must be, and never a formula") {
  CHECK(api::csv_cell("plain") == "plain");
  CHECK(api::csv_cell("").empty());
  CHECK(api::csv_cell("a,b") == "\"a,b\"");
  CHECK(api::csv_cell("say \"x\"") == "\"say \"\"x\"\"\"");
  CHECK(api::csv_cell("two\nlines") == "\"two\nlines\"");
  for (const char* formula : {"=1+1", "+1", "-1", "@x"})
    CHECK(api::csv_cell(formula) == std::string{"'"} + formula);
  CHECK(api::csv_cell("a=1") == "a=1");
}

TEST_CASE(
    "the list of jobs is CSV for format=csv and for Accept: text/csv, unless format says json") {
  ApiBench b;
  b.add_for("adder");
  b.add_for("adder");
  const WebReply all = b.get("/api/v1/jobs?format=csv");
  CHECK(all.status == 200);
  CHECK(all.body.starts_with("id,lifecycle,state,end,outcome,owner,"));
  CHECK(all.body.find("\r\n2,batch,PENDING,open,,") != std::string::npos);
  CHECK(all.body.find("\r\n1,batch,PENDING,open,,") != std::string::npos);
  const auto header = [](const WebReply& reply, std::string_view name) {
    for (const auto& [each, value] : reply.headers)
      if (each == name) return value;
    return std::string{};
  };
  CHECK(header(all, "Content-Type") == "text/csv; charset=utf-8");
  CHECK(header(all, "X-Next-Cursor").empty());
  CHECK(header(b.get("/api/v1/jobs?format=csv&limit=1"), "X-Next-Cursor") == "2");

  const auto accepting = [&b](const std::string& target, const std::string& type) {
    return b.as("boss", "GET", target, {}, {{"accept", type}});
  };
  CHECK(accepting("/api/v1/jobs", "text/csv").body == all.body);
  CHECK(header(accepting("/api/v1/jobs", "text/csv"), "Content-Type") == "text/csv; charset=utf-8");
  CHECK(accepting("/api/v1/jobs?format=json", "text/csv").body.starts_with("{\"items\":"));
  CHECK(accepting("/api/v1/jobs?format=csv", "application/json").body == all.body);
  CHECK(accepting("/api/v1/jobs", "application/json").body.starts_with("{\"items\":"));
  CHECK(b.get("/api/v1/jobs?format=json").body.starts_with("{\"items\":"));
  CHECK(b.get("/api/v1/jobs?format=xml").status == 400);
}

}  // namespace haul::testing
