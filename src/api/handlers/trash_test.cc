// Z-4: the trash over the API: what is in it, how files come back, and how it is emptied.

#include <doctest/doctest.h>

#include "support/api/api_bench.h"
#include "support/flow/fake_trash.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

constexpr Time kStart = Bench::kStart;

struct TrashApi {
  TrashApi() {
    mine = b.add_for("adder");
    other = b.add_for("boss");
  }

  WebReply restore(const std::string& who, const std::string& body) {
    return b.as(who, "POST", "/api/v1/trash/restore", body);
  }
  WebReply empty(const std::string& who, const std::string& body = "{}") {
    return b.as(who, "POST", "/api/v1/trash/empty", body);
  }
  // "1:a.mkv 2:b.mkv", or the code of the error.
  std::string seen_by(const std::string& who, const std::string& query = {}) {
    const WebReply reply = b.as(who, "GET", "/api/v1/trash" + query);
    if (reply.status != 200) return member(reply, "code");
    std::string text;
    const auto entries = read_array(member(reply, "entries")).value();
    for (const std::string& entry : entries) {
      const auto fields = read_object(entry).value();
      std::string job, path;
      for (const JsonField& field : fields) {
        if (field.name == "job") job = field.text;
        if (field.name == "path") path = field.text;
      }
      text += (text.empty() ? "" : " ") + job + ":" + path;
    }
    return text;
  }
  std::string audited() {
    std::string text;
    for (const AuditEntry& entry : b.store().ledger().audits(0, 100))
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", entry.action, entry.job.value);
    return text;
  }

  FakeTrash trash;
  ApiBench b{open_test_store(kStart),
             std::vector<flow::LifecycleWork>{{.lifecycle = &kMedia, .trash = &trash}}};
  JobId mine;
  JobId other;
};

}  // namespace

TEST_CASE("Z-4: GET /trash shows each file, since when it is there and when it leaves") {
  TrashApi t;
  t.trash.put(t.mine, "Film/film.mkv", kStart, 5);
  CHECK(t.b.get("/api/v1/trash").body ==
        R"({"entries":[{"job":1,"path":"Film/film.mkv","size":5,)"
        R"("trashed_at":"2026-02-02T02:40:00.000Z","leaves_at":null}],"next":null,"problems":[]})");

  t.trash.keeps = 24h;
  CHECK(t.b.get("/api/v1/trash").body.find(R"("leaves_at":"2026-02-03T02:40:00.000Z")") !=
        std::string::npos);
}

TEST_CASE("Z-4: the trash is listed page by page, the newest job first") {
  TrashApi t;
  for (const char* path : {"a", "b", "c"}) t.trash.put(t.mine, path, kStart);
  t.trash.put(t.other, "d", kStart);
  const auto next = [&](const std::string& query) {
    return member(t.b.get("/api/v1/trash" + query), "next");
  };

  CHECK(t.seen_by("boss") == "2:d 1:a 1:b 1:c");
  CHECK(t.seen_by("boss", "?limit=2") == "2:d 1:a");
  CHECK(next("?limit=2") == "1.1");
  CHECK(t.seen_by("boss", "?limit=2&cursor=1.1") == "1:b 1:c");
  CHECK(next("?limit=2&cursor=1.1") == "null");
  CHECK(t.seen_by("boss", "?cursor=1.3").empty());
  for (const char* wrong : {"1", "x.1", "0.0", "1.-1", "1.", ".1", "9223372036854775807.0", "1.x"})
    CHECK(t.seen_by("boss", std::string{"?cursor="} + wrong) == "wrong_type");
  CHECK(t.seen_by("boss", "?limit=101") == "wrong_type");
  CHECK(t.seen_by("boss", "?job=1") == "unknown_field");
}

TEST_CASE("a page of the trash reads a bounded number of jobs, and has a next one") {
  TrashApi t;
  for (int job = 1; job <= 1'100; ++job) t.trash.put(JobId{job}, "x", kStart);

  const WebReply first = t.b.as("adder", "GET", "/api/v1/trash");  // The last job is theirs.
  CHECK(member(first, "entries") == "[]");
  CHECK(member(first, "next") == "100.0");
  CHECK(t.seen_by("adder", "?cursor=100.0") == "1:x");
}

TEST_CASE("F49: users see the trash of their own jobs; unknown jobs are for operators") {
  TrashApi t;
  t.trash.put(t.mine, "a", kStart).put(t.other, "b", kStart).put(JobId{99}, "c", kStart);

  CHECK(t.seen_by("adder") == "1:a");
  CHECK(t.seen_by("viewer").empty());
  CHECK(t.seen_by("operator") == "99:c 2:b 1:a");
  CHECK(t.seen_by("") == "not_logged_in");
  for (const char* job : {"2", "99"}) {
    const std::string body = fmt::format(R"({{"job":{}}})", job);
    CHECK(t.restore("adder", body).status == 404);
    CHECK(member(t.restore("adder", body), "code") == "no_such_job");
    CHECK(member(t.empty("adder", body), "code") == "no_such_job");
  }
  CHECK(t.restore("viewer", R"({"job":1})").status == 403);
  CHECK(t.empty("viewer").status == 403);

  CHECK(member(t.empty("adder"), "files") == "1");
  CHECK(t.trash.text() == "2:b 99:c");
  CHECK(member(t.empty("operator"), "files") == "2");
}

TEST_CASE("F49: what was trashed before a job was added is of an earlier job with its number") {
  TrashApi t;
  const Time added = t.b.store().reader().find(t.mine)->created_at;
  t.trash.put(t.mine, "earlier", added - 1ms).put(t.mine, "first", added);
  t.trash.put(t.mine, "later", added + 1ms);
  t.b.clock.pass(1s);

  CHECK(t.seen_by("adder") == "1:first 1:later");
  CHECK(t.seen_by("adder", "?limit=1") == "1:first");
  CHECK(t.seen_by("operator") == "1:earlier 1:first 1:later");
  CHECK(t.restore("adder", R"({"job":1,"path":"earlier"})").status == 404);
  CHECK(t.restore("adder", R"({"job":1,"path":"later"})").status == 200);
  CHECK(member(t.empty("adder", R"({"job":1})"), "files") == "1");
  CHECK(member(t.empty("adder"), "files") == "0");
  CHECK(t.trash.text() == "1:earlier");

  CHECK(t.restore("operator", R"({"job":1})").body == R"({"restored":["earlier"],"kept":[]})");
}

TEST_CASE("a trash without answers says why, and one job that cannot be read hides no other") {
  TrashApi t;
  t.trash.put(t.mine, "a", kStart).put(t.other, "b", kStart);
  t.trash.broken = {t.mine};
  CHECK(t.seen_by("boss") == "2:b");
  CHECK(member(t.b.get("/api/v1/trash"), "problems") == R"(["job 1: no index"])");

  t.trash.away = Fault{FaultKind::environment, "folder_gone", "/in: not there"};
  const WebReply reply = t.b.get("/api/v1/trash");
  CHECK(reply.status == 503);
  CHECK(member(reply, "code") == "folder_gone");
}

TEST_CASE("Z-4: POST /trash/restore brings back a job's files, or one, and replaces none") {
  TrashApi t;
  for (const char* path : {"a", "b", "c"}) t.trash.put(t.mine, path, kStart);
  t.trash.taken = {"b"};

  CHECK(t.restore("adder", R"({"job":1,"path":"a"})").body == R"({"restored":["a"],"kept":[]})");
  CHECK(t.restore("adder", R"({"job":"1"})").body ==
        R"({"restored":["c"],"kept":["b: another file has its place"]})");
  CHECK(t.trash.text() == "1:b");

  const WebReply none = t.restore("adder", R"({"job":1,"path":"a"})");
  CHECK(none.status == 404);
  CHECK(member(none, "code") == "not_found");
  t.trash.busy = {t.mine};
  CHECK(t.restore("adder", R"({"job":1})").status == 409);
  CHECK(member(t.restore("adder", "{}"), "code") == "missing_field");
  for (const char* wrong : {R"({"job":0})", R"({"job":"x"})", R"({"job":1.5})", R"({"job":[1]})",
                            R"({"job":1,"path":7})", R"({"job":1,"path":""})"})
    CHECK_MESSAGE(member(t.restore("adder", wrong), "code") == "wrong_type", wrong);
  CHECK(t.restore("adder", fmt::format(R"({{"job":1,"path":"{}"}})", std::string(4'097, 'x')))
            .status == 400);
}

TEST_CASE("Z-4: POST /trash/empty deletes what is old enough, of one job or of all") {
  TrashApi t;
  const Time now = t.b.clock.now();
  t.trash.put(t.mine, "old", now - 168h).put(t.mine, "new", now - 168h + 1ms);
  t.trash.put(t.other, "other", now);

  CHECK(t.empty("boss", R"({"job":1,"older_than":"7d"})").body ==
        R"({"files":1,"bytes":1,"kept":[],"more":false})");
  CHECK(t.trash.text() == "1:new 2:other");
  t.trash.taken = {"other"};
  CHECK(t.empty("boss", "").body ==
        R"({"files":1,"bytes":1,"kept":["job 2: other: it changed"],"more":false})");
  for (const char* wrong :
       {R"({"older_than":"week"})", R"({"older_than":7})", R"({"older_than":"-1d"})",
        R"({"job":-1})", R"({"job":null})", R"({"older_than":""})", R"({"older_than": null})"})
    CHECK(member(t.empty("boss", wrong), "code") == "wrong_type");
}

TEST_CASE("emptying the trash deletes at most a thousand files, and says that there are more") {
  TrashApi t;
  for (int i = 0; i < 1'001; ++i) t.trash.put(t.mine, std::to_string(i), kStart);
  const WebReply first = t.empty("boss");
  CHECK(member(first, "files") == "1000");
  CHECK(member(first, "more") == "true");
  const WebReply second = t.empty("boss");
  CHECK(member(second, "files") == "1");
  CHECK(member(second, "more") == "false");
}

TEST_CASE("a file with a control character in its name is restored; a path with NUL is refused") {
  TrashApi t;
  t.trash.put(t.mine, "a\nb", kStart);
  t.trash.put(t.mine, "a", kStart);

  const WebReply refused = t.restore("adder", R"({"job":1,"path":"a\u0000b"})");
  CHECK(refused.status == 400);
  CHECK(member(refused, "code") == "wrong_type");
  CHECK(t.trash.text() == "1:a\nb 1:a");

  CHECK(t.restore("adder", R"({"job":1,"path":"a\nb"})").status == 200);
  CHECK(t.trash.text() == "1:a");
}

TEST_CASE("Z-31: a restored store restores files, and deletes none") {
  TrashApi t;
  t.trash.put(t.mine, "a", kStart).put(t.mine, "b", kStart);
  t.b.store().identity().mark_restored(kStart);

  CHECK(member(t.empty("boss"), "code") == "restored");
  CHECK(t.trash.text() == "1:a 1:b");
  CHECK(t.restore("adder", R"({"job":1,"path":"a"})").status == 200);
}

TEST_CASE("Z-16: an operator's acts on the trash of another's job are audited") {
  TrashApi t;
  for (const char* path : {"a", "b"}) t.trash.put(t.mine, path, kStart);

  t.restore("operator", R"({"job":1,"path":"a"})");
  t.restore("operator", R"({"job":1,"path":"none"})");
  t.empty("operator", R"({"job":1})");
  t.empty("operator", R"({"job":1})");  // Nothing is left.

  CHECK(t.audited() == "TRASH_RESTORED 1, TRASH_EMPTIED 1");
}

TEST_CASE("Z-16: an operator's acts on the trash of a job that the store lacks are audited") {
  TrashApi t;
  for (const char* path : {"a", "b"}) t.trash.put(JobId{99}, path, kStart);

  t.restore("operator", R"({"job":99,"path":"a"})");
  t.restore("operator", R"({"job":99,"path":"none"})");
  t.empty("operator", R"({"job":99})");
  t.empty("operator", R"({"job":99})");  // Nothing is left.
  t.trash.put(JobId{99}, "c", kStart);
  t.empty("operator");

  CHECK(t.audited() == "TRASH_RESTORED 0, TRASH_EMPTIED 0, TRASH_EMPTIED 0");
  for (const AuditEntry& entry : t.b.store().ledger().audits(0, 100))
    CHECK(entry.detail == "job 99, which the store does not have");
}

TEST_CASE("without a trash the list is empty, and nothing can be restored") {
  ApiBench b;
  CHECK(b.get("/api/v1/trash").body == R"({"entries":[],"next":null,"problems":[]})");
  CHECK(b.post("/api/v1/trash/restore", R"({"job":1})").status == 404);
  CHECK(member(b.post("/api/v1/trash/empty"), "files") == "0");
}

}  // namespace haul::testing
