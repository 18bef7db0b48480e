#include <doctest/doctest.h>

#include "cli/remote/remote.h"
#include "support/api/fake_api.h"

namespace haul::cli {
namespace {

using testing::Desk;

const std::string kDune =
    R"("id":"b1","title":"Dune","shelf":"library","assets":[{"id":1,"media_type":"audio",)"
    R"("status":"missing","size":null,"path":null,"created_at":"2026-02-03T04:05:06.789Z",)"
    R"("removed_at":"2026-03-03T04:05:06.789Z","source_url":"https://tracker/1"},{"id":2,)"
    R"("media_type":"text","status":"available","size":2048,"path":"/books/dune.epub",)"
    R"("created_at":"2026-02-03T04:05:06.789Z","removed_at":null,)"
    R"("source_url":"https://tracker/2"}],"open_jobs":[{"id":7,"lifecycle":"book",)"
    R"("state":"downloading","end":"open","request":{"media_type":"audio","title":"Dune"}}])";

TEST_CASE("book prints a table with each book's files and open jobs") {
  Desk desk;
  desk.api.on("GET /api/v1/books?shelf=library&q=du&limit=20", 200,
              "{\"items\":[{" + kDune +
                  R"(},{"id":"b2","title":"\u001b[2JEvil","shelf":"archive","assets":[],)"
                  R"("open_jobs":[]}],"next":null})");

  CHECK(run_book({.shelf = "library", .search = "du"}, desk.remote()) == 0);

  CHECK(desk.printed() == R"(
ID  SHELF    TITLE          FILES                OPEN JOBS
b1  library  Dune           audio missing, text  audio downloading
b2  archive  \u{1b}[2JEvil
)");
}

TEST_CASE("book says when it finds no books") {
  Desk desk;
  desk.api.on("GET /api/v1/books?limit=20", 200, R"({"items":[],"next":null})");
  CHECK(run_book({}, desk.remote()) == 0);
  CHECK(desk.out.str() == "No books found.\n");
}

TEST_CASE("book add says whether the book is new or already exists") {
  const std::string book =
      R"({"id":"a b","title":"Dune","shelf":"archive","assets":[],"open_jobs":[]})";
  Desk desk;
  desk.api.on("POST /api/v1/books", 201, book).on("POST /api/v1/books", 200, book);

  CHECK(run_book({.act = BookAct::add, .id = "a b", .title = "Dune"}, desk.remote()) == 0);
  CHECK(run_book({.act = BookAct::add, .id = "a b"}, desk.remote()) == 0);

  CHECK(desk.api.asked ==
        "POST /api/v1/books {\"id\":\"a b\",\"title\":\"Dune\"}\n"
        "POST /api/v1/books {\"id\":\"a b\"}\n");
  CHECK(desk.out.str() ==
        "Book a b (Dune) is new, in the archive\nBook a b (Dune) already exists, in the archive\n");
}

TEST_CASE("book show encodes the id in the path and prints files and jobs") {
  Desk desk;
  desk.api.on("GET /api/v1/books/b%201", 200,
              "{" + kDune +
                  R"(,"jobs":[{"id":7,"lifecycle":"book","state":"downloading","end":"open",)"
                  R"("request":{"title":"Dune"}}]})");

  CHECK(run_book({.act = BookAct::show, .id = "b 1"}, desk.remote()) == 0);

  const std::string out = desk.out.str();
  for (const char* part : {"library", "audio", "missing", "2026-03-03 04:05:06", "text",
                           "available", "2.0 KiB", "/books/dune.epub", "downloading"})
    CHECK_MESSAGE(out.find(part) != std::string::npos, part << " in\n" << out);
  CHECK(run_book({.act = BookAct::show, .id = "none"}, desk.remote()) == 1);
}

}  // namespace
}  // namespace haul::cli
