// POST /jobs/{id}/import: what a user says by hand about the files of a job, and its dry run.

#include <doctest/doctest.h>

#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

using Said = std::vector<ByHand>;

// An API whose films have the plan that the test says.
struct ImportBench {
  std::expected<ImportPreview, Refusal> plan{};
  Said asked{};  // What the plan was last made for.
  ApiBench api{open_test_store(Bench::kStart), work()};

  std::vector<flow::LifecycleWork> work() {
    return {{.lifecycle = &kBatch},
            {.lifecycle = &kMedia,
             .make_handler = {},
             .plan_import = [this](Store&, const Job&, std::span<const ByHand> said) {
               asked.assign(said.begin(), said.end());
               return plan;
             }}};
  }
  JobId add(const Lifecycle& table = kMedia, const char* who = "adder") {
    const NewJob job{
        .lifecycle = &table, .owner = api.users.at(who).id, .request = request_for(table)};
    return api.store().jobs().add({&job, 1}, api.clock.now()).front().value().id;
  }
  WebReply import(JobId id, const std::string& body, const char* who = "adder") {
    return api.as(who, "POST", fmt::format("/api/v1/jobs/{}/import", id.value), body);
  }
  // "import open", with its data.
  std::string kept(JobId id) {
    const auto said = api.store().intents().find_open(id, kImportIntent);
    return said ? said->data : "nothing";
  }
  std::string audited() {
    std::string out;
    for (const AuditEntry& entry : api.store().ledger().audits(0, 100))
      out += fmt::format("{} {}: {}\n", entry.action, entry.job.value, entry.detail);
    return out;
  }
};

}  // namespace

TEST_CASE("S1-21: what a user says has at most 256 KiB") {
  CHECK(api::body_max("POST", "/api/v1/jobs/1/import") == 262'144);
}

TEST_CASE("S1-21: a dry run answers with every file, and keeps nothing") {
  ImportBench b;
  const JobId id = b.add();
  b.plan->files = {
      {.source = "S/a.mkv", .target = "/lib/A.mkv", .how = "copy", .size = 7},
      {.source = "S/a \"b\".nfo", .target = {}, .how = "skip", .size = 1, .reason = "not_video"}};

  const WebReply reply =
      b.import(id, R"({"as":"S01","files":{"S/a.mkv":"S01E02"},"dry_run":true})");

  CHECK(reply.status == 200);
  CHECK(
      reply.body ==
      R"({"files":[{"source":"S/a.mkv","target":"/lib/A.mkv","how":"copy","size":7,"reason":null},)"
      R"({"source":"S/a \"b\".nfo","target":null,"how":"skip","size":1,"reason":"not_video"}],)"
      R"("problem":null})");
  CHECK(b.asked == Said{{.path = {}, .as = "S01"}, {"S/a.mkv", "S01E02"}});
  CHECK(b.kept(id) == "nothing");

  b.plan->files.clear();
  b.plan->problem = ImportProblem{"ambiguous", "two films", "Say which."};
  CHECK(b.import(id, R"({"dry_run":true})").body ==
        R"({"files":[],"problem":{"code":"ambiguous","detail":"two films","fix":"Say which."}})");
  CHECK(b.asked.empty());
  b.plan->problem->fix.clear();
  CHECK(member(b.import(id, R"({"dry_run":true})"), "problem") ==
        R"({"code":"ambiguous","detail":"two films","fix":null})");
}

TEST_CASE("S1-21: what a user says is kept with the job, and answered with the job") {
  ImportBench b;
  const JobId id = b.add();

  const WebReply reply = b.import(id, R"({"as":"S01","files":{"a.mkv":"S01E02"}})");

  CHECK(reply.status == 202);
  CHECK(member(reply, "id") == std::to_string(id.value));
  CHECK(member(reply, "state") == "queued");
  CHECK(b.kept(id) == R"({"as":"S01","files":{"a.mkv":"S01E02"}})");
  const Event last = b.api.store().events().of(id, {}, 10).back();
  CHECK(last.type == "IMPORT_ASKED");
  CHECK(last.data == R"({"as":"S01","files":1})");

  for (const char* empty :
       {"", "{}", R"({"as":null,"files":null,"dry_run":false})", R"({"as":"","files":{}})"}) {
    CHECK(b.import(id, empty).status == 202);  // Again, with what the user said last.
    CHECK(b.kept(id) == R"({"as":"S01","files":{"a.mkv":"S01E02"}})");
  }
}

TEST_CASE("J14: a body that is no import is refused with the field that is wrong") {
  ImportBench b;
  const JobId id = b.add();
  std::string many;
  for (int i = 0; i <= 1'000; ++i) many += fmt::format(R"({}"{}":"skip")", i == 0 ? "" : ",", i);
  struct Bad {
    std::string body;
    const char* code;
    const char* field;
  };
  for (const auto& [body, code, field] :
       {Bad{"[]", "bad_json", ""}, Bad{R"({"ass":"S01"})", "unknown_field", "ass"},
        Bad{R"({"as":1})", "wrong_type", "as"}, Bad{R"({"as":"a\nb"})", "wrong_type", "as"},
        Bad{R"({"as":")" + std::string(101, 'x') + R"("})", "wrong_type", "as"},
        Bad{R"({"dry_run":"yes"})", "wrong_type", "dry_run"},
        Bad{R"({"files":[]})", "wrong_type", "files"},
        Bad{R"({"files":"a.mkv"})", "wrong_type", "files"},
        Bad{R"({"files":{"":"skip"}})", "wrong_type", "files"},
        Bad{R"({"files":{"a.mkv":1}})", "wrong_type", "files"},
        Bad{R"({"files":{"a.mkv":""}})", "wrong_type", "files"},
        Bad{R"({"files":{"a.mkv":null}})", "wrong_type", "files"},
        Bad{R"({"files":{"a.mkv":"S01E02\n"}})", "wrong_type", "files"},
        Bad{R"({"files":{")" + std::string(4'097, 'x') + R"(":"skip"}})", "wrong_type", "files"},
        Bad{R"({"files":{)" + many + "}}", "wrong_type", "files"}}) {
    CAPTURE(body.substr(0, 80));
    const WebReply reply = b.import(id, body);
    CHECK(reply.status == 400);
    CHECK(member(reply, "code") == code);
    CHECK(member(reply, "fields").find(field) != std::string::npos);
  }
  CHECK(b.kept(id) == "nothing");
  const std::string longest(4'096, 'x');
  CHECK(b.import(id, R"({"as":")" + std::string(100, 'x') + R"(","files":{")" + longest +
                         R"(":"skip"}})")
            .status == 202);
}

TEST_CASE("S1-21: what the plan refuses is not kept, and the answer says how to mend it") {
  ImportBench b;
  const JobId id = b.add();
  b.plan->problem = ImportProblem{"cannot_parse", "\"banana\" is not an episode", "Use S01E02."};
  const WebReply wrong = b.import(id, R"({"as":"banana"})");
  CHECK(wrong.status == 422);
  CHECK(member(wrong, "code") == "cannot_parse");
  CHECK(member(wrong, "detail") == "\"banana\" is not an episode: Use S01E02.");

  b.plan = std::unexpected{Refusal{RefusalKind::forbidden, "already_imported", "too late"}};
  for (const char* body : {"{}", R"({"dry_run":true})"}) {
    CHECK(b.import(id, body).status == 409);
    CHECK(member(b.import(id, body), "code") == "already_imported");
  }
  CHECK(b.kept(id) == "nothing");

  b.plan = ImportPreview{.problem = ImportProblem{kFilesUnknown, "not complete"}};
  CHECK(b.import(id, R"({"as":"S01"})").status == 202);
}

TEST_CASE("S1-21: a job whose lifecycle imports no files takes no word") {
  ImportBench b;
  const JobId batch = b.add(kBatch);
  const JobId book = b.add(kBook);  // Without an entry in the list of work.
  for (const JobId id : {batch, book})
    for (const char* body : {"{}", R"({"dry_run":true})"}) {
      const WebReply reply = b.import(id, body);
      CHECK(reply.status == 409);
      CHECK(member(reply, "code") == "cannot_import");
    }
}

TEST_CASE(
    "Z-16, F49: the owner and operators import by hand, and only others' imports are audited") {
  ImportBench b;
  const JobId id = b.add();
  const JobId foreign = b.add(kMedia, "boss");

  CHECK(b.import(id, "{}", "viewer").status == 403);
  CHECK(b.import(foreign, "{}", "adder").status == 404);
  CHECK(b.import(foreign, R"({"dry_run":true})", "adder").status == 404);
  CHECK(b.import(JobId{99}, "{}").status == 404);
  CHECK(b.import(id, "{}").status == 202);
  CHECK(b.import(id, R"({"dry_run":true})", "operator").status == 200);
  CHECK(b.audited().empty());
  CHECK(b.import(id, "{}", "operator").status == 202);

  CHECK(b.audited() == fmt::format("JOB_IMPORTED {}: job of user {}\n", id.value,
                                   b.api.users.at("adder").id.value));
}

TEST_CASE("Z-30: a request that the daemon cannot land is refused at the add, and not stored") {
  std::string seen;
  ApiBench b{
      open_test_store(Bench::kStart),
      std::vector<flow::LifecycleWork>{
          {.lifecycle = &kMedia, .make_handler = {}, .lacks_for = [&](std::string_view said) {
             seen = said;
             return std::string{
                 said.find("series") == std::string_view::npos ? "" : "configure library.series"};
           }}}};
  const auto add = [&](const char* kind) {
    return b.post("/api/v1/jobs",
                  fmt::format(R"({{"lifecycle":"media","request":{{"kind":"{}","title":"t",)"
                              R"("release_name":"r","uri":"magnet:?xt=urn:btih:{}"}}}})",
                              kind, std::string(40, 'a')));
  };

  const WebReply refused = add("series");
  CHECK(refused.status == 422);
  CHECK(member(refused, "code") == "not_configured");
  CHECK(member(refused, "detail") ==
        "this daemon cannot run this media job: configure library.series");
  CHECK(b.store().reader().list({}).jobs.empty());
  CHECK(is_json_text(seen));
  CHECK(add("movie").status == 201);
}

}  // namespace haul::testing
