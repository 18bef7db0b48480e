#include <doctest/doctest.h>

#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

// Adds a book job for this user.
JobId add_book_job(ApiBench& b, const std::string& who, const std::string& book,
                   const std::string& type = "text") {
  const NewJob job{.lifecycle = &kBook,
                   .owner = b.users.at(who).id,
                   .request = fmt::format(
                       R"({{"book_id":"{}","title":"{} <b>","media_type":"{}","uri":"magnet:?x",)"
                       R"("source":"s"}})",
                       book, book, type)};
  return b.store().jobs().add({&job, 1}, b.clock.now()).front().value().id;
}

void land(ApiBench& b, JobId id, const std::string& book, const std::string& type = "text") {
  const auto ask = [&](On on) {
    Ask move{.version = b.store().reader().find(id)->version, .on = on, .by = By::worker};
    move.holds = {Guard::active_report, Guard::file_in_place};
    if (on == On::landed) {
      move.proof = {Proof::evidence, R"({"size":100})"};
      move.assets = {AssetFacts{.book = book,
                                .title = book,
                                .media_type = type,
                                .path = "/books/" + book + "." + type,
                                .size = 100,
                                .checksum = "c",
                                .source_url = "https://tracker/1?token=canary",
                                .source = "s"}};
    }
    REQUIRE(b.store().jobs().move({&move, 1}, b.clock.now()).front().has_value());
  };
  ask(On::started);
  ask(On::landed);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

}  // namespace

TEST_CASE("a book is added once, and shown with its title") {
  ApiBench b;
  const WebReply made = b.as("adder", "POST", "/api/v1/books", R"({"id":"b 1","title":"Dune"})");
  CHECK(made.status == 201);
  CHECK(made.body == R"({"id":"b 1","title":"Dune","shelf":"archive","assets":[],"open_jobs":[]})");
  CHECK(b.post("/api/v1/books", R"({"id":"b 1","title":"Other"})").status == 200);

  const WebReply shown = b.as("viewer", "GET", "/api/v1/books/b%201");
  CHECK(shown.status == 200);
  CHECK(member(shown, "title") == "Dune");
  CHECK(member(shown, "jobs") == "[]");
  CHECK(b.get("/api/v1/books/none").status == 404);
  CHECK(b.get("/api/v1/books/none/jobs").status == 404);
}

TEST_CASE("an id that cannot be part of a URL is refused for books and for jobs") {
  ApiBench b;
  const std::vector<std::string> bad{"",   "a/b",   "a\\\\b",    ".",
                                     "..", "a\\nb", "a\\u2028b", std::string(201, 'x')};
  for (const std::string& id : bad) {
    CAPTURE(id);
    CHECK(b.post("/api/v1/books", "{\"id\":\"" + id + "\"}").status == 400);
    const int job =
        b.post("/api/v1/jobs", R"({"lifecycle":"book","request":{"media_type":"text","uri":"m",)"
                               R"("source":"s","book_id":")" +
                                   id + "\"}}")
            .status;
    CHECK(job == (id.empty() ? 400 : 422));
  }
  CHECK(
      b.post("/api/v1/books", R"({"id":"x","title":")" + std::string(1'001, 'x') + "\"}").status ==
      400);
  CHECK(b.post("/api/v1/books", R"({"id":")" + std::string(200, 'x') + "\"}").status == 201);
  CHECK(b.post("/api/v1/books", R"({"id":"x","shelf":"library"})").status == 400);
  CHECK(b.post("/api/v1/books", R"({"title":"x"})").status == 400);
}

TEST_CASE("books are listed by title, in pages, by shelf, and by search") {
  ApiBench b;
  for (const char* title : {"Emma", "Dune", "Dracula"})
    b.store().catalog().ensure_book(std::string{"id-"} + title, title);
  land(b, add_book_job(b, "boss", "id-Dune"), "id-Dune");

  const WebReply first = b.get("/api/v1/books?limit=2");
  CHECK(member(first, "next") == "id-Dune");
  CHECK(first.body.find("Dracula") < first.body.find("Dune"));
  const WebReply second = b.get("/api/v1/books?limit=2&cursor=id-Dune");
  CHECK(second.body.ends_with("\"next\":null}"));
  CHECK(count(second.body, "\"shelf\"") == 1);
  CHECK(count(b.get("/api/v1/books?shelf=library").body, "\"shelf\"") == 1);
  CHECK(count(b.get("/api/v1/books?shelf=archive").body, "\"shelf\"") == 2);
  CHECK(count(b.get("/api/v1/books?q=dra").body, "\"shelf\"") == 1);
  CHECK(b.get("/api/v1/books?shelf=attic").status == 400);
  CHECK(b.get("/api/v1/books?limit=0").status == 400);
  CHECK(b.get("/api/v1/books?limit=101").status == 400);
  CHECK(b.get("/api/v1/books?sort=title").status == 400);
  CHECK(member(b.get("/api/v1/stats"), "books") == R"({"archive":2,"library":1})");
}

TEST_CASE("S0-26: a book has its assets by type and its jobs, newest first, page by page") {
  ApiBench b;
  const JobId text = add_book_job(b, "boss", "b1");
  land(b, text, "b1");
  const JobId audio = add_book_job(b, "boss", "b1", "audio");

  const WebReply book = b.get("/api/v1/books/b1");
  CHECK(member(book, "shelf") == "library");
  CHECK(count(book.body, "\"media_type\":\"text\",\"status\":\"available\"") == 1);
  CHECK(count(member(book, "open_jobs"), "\"lifecycle\":\"book\"") == 1);
  CHECK(count(member(book, "jobs"), "\"lifecycle\":\"book\"") == 2);
  const WebReply newest = b.get("/api/v1/books/b1/jobs?limit=1");
  CHECK(newest.body.find(fmt::format("\"id\":{},", audio.value)) != std::string::npos);
  const WebReply older = b.get("/api/v1/books/b1/jobs?limit=1&cursor=" + member(newest, "next"));
  CHECK(older.body.find(fmt::format("\"id\":{},", text.value)) != std::string::npos);
}

TEST_CASE("F49: all users see the shelves, but not who downloaded what, from where and to where") {
  ApiBench b;
  const JobId theirs = add_book_job(b, "boss", "b1");
  land(b, theirs, "b1");
  add_book_job(b, "boss", "b1", "audio");

  for (const char* who : {"viewer", "adder"}) {
    for (const char* path : {"/api/v1/books", "/api/v1/books/b1", "/api/v1/books/b1/jobs"}) {
      CAPTURE(path);
      const WebReply seen = b.as(who, "GET", path);
      CHECK(seen.status == 200);
      CHECK(seen.body.find("\"lifecycle\"") == std::string::npos);
      CHECK(seen.body.find("tracker") == std::string::npos);
      CHECK(seen.body.find("/books/b1") == std::string::npos);
      CHECK(seen.body.find(fmt::format("\"job\":{}", theirs.value)) == std::string::npos);
    }
    CHECK(count(b.as(who, "GET", "/api/v1/books").body, "\"available\"") == 1);
    CHECK(member(b.as(who, "GET", "/api/v1/assets"), "items") == "[]");
  }
  CHECK(b.as("operator", "GET", "/api/v1/books/b1").body.find("tracker") != std::string::npos);
  CHECK(count(b.as("operator", "GET", "/api/v1/assets").body, "\"available\"") == 1);

  land(b, add_book_job(b, "adder", "b2"), "b2");
  const WebReply own = b.as("adder", "GET", "/api/v1/assets");
  CHECK(count(own.body, "\"book\":\"b2\"") == 1);
  CHECK(count(own.body, "\"book\":\"b1\"") == 0);
  CHECK(b.as("adder", "GET", "/api/v1/books/b2").body.find("tracker") != std::string::npos);
}

TEST_CASE("F52: the owner sees a file's source URL, and operators see it without tokens") {
  ApiBench b;
  land(b, add_book_job(b, "adder", "b1"), "b1");
  for (const char* path : {"/api/v1/books", "/api/v1/books/b1", "/api/v1/assets"}) {
    CAPTURE(path);
    const auto told = [&](const char* who) { return b.as(who, "GET", path).body; };
    CHECK(told("adder").find("token=canary") != std::string::npos);
    CHECK(told("operator").find("token=***") != std::string::npos);
    CHECK(told("operator").find("canary") == std::string::npos);
  }
}

TEST_CASE("assets are listed by number, and by status") {
  ApiBench b;
  land(b, add_book_job(b, "boss", "b1"), "b1");
  land(b, add_book_job(b, "boss", "b2"), "b2");
  const FileId first = b.store().catalog().assets({}).at(0).id;
  REQUIRE(b.store().catalog().lose(first, AssetLoss::missing, b.clock.now()));

  const WebReply page = b.get("/api/v1/assets?limit=1");
  CHECK(member(page, "next") == std::to_string(first.value));
  CHECK(count(b.get("/api/v1/assets?limit=1&cursor=" + member(page, "next")).body, "b2.text") == 1);
  const WebReply missing = b.get("/api/v1/assets?status=missing");
  CHECK(count(missing.body, "\"book\":\"b1\"") == 1);
  CHECK(count(missing.body, "\"path\":null") == 1);
  CHECK(b.get("/api/v1/assets?status=lost").status == 400);
}

TEST_CASE("Z-5: stalled is what is at work and has not moved for five minutes, stillest first") {
  ApiBench b;
  const JobId moving = b.add_for("boss");
  const JobId still = b.add_for("boss");
  const JobId stillest = b.add_for("adder");
  const Steady now = b.clock.steady();
  const auto at = [&](JobId job, const char* who, Millis since) {
    return std::pair{job, api::JobProgress{.job = job,
                                           .owner = b.users.at(who).id,
                                           .have = 1,
                                           .size = {},
                                           .speed = 0,
                                           .eta = {},
                                           .items = {},
                                           .still_since = now - since}};
  };
  b.progress.put_up({at(moving, "boss", Millis{299'999}), at(still, "boss", Millis{300'000}),
                     at(stillest, "adder", Millis{900'000})});

  const std::string all = b.get("/api/v1/stalled").body;
  CHECK(count(all, "\"lifecycle\"") == 2);
  CHECK(all.find(fmt::format("\"id\":{},", stillest.value)) <
        all.find(fmt::format("\"id\":{},", still.value)));
  CHECK(count(b.get("/api/v1/stalled?limit=1").body, "\"lifecycle\"") == 1);
  CHECK(count(b.as("adder", "GET", "/api/v1/stalled").body, "\"lifecycle\"") == 1);
  CHECK(count(b.as("viewer", "GET", "/api/v1/stalled").body, "\"lifecycle\"") == 0);
}

TEST_CASE("the path of a book serves the web page, even if the id has dots") {
  ApiBench b;
  CHECK(b.as("", "GET", "/library").status == 200);
  CHECK(b.as("", "GET", "/library/978-3.16").body == "<title>haul</title>");
  CHECK(b.as("", "GET", "/assets/none.js").status == 404);
}

}  // namespace haul::testing
