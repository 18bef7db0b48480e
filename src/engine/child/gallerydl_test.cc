// How gallery-dl is called, and what its lists, lines and exit codes mean.

#include <doctest/doctest.h>

#include <algorithm>

#include "engine/child/program.h"

using namespace haul;

namespace {

const std::string kPage = "https://h/p";
const engine::GetRequest kPlain;

child::PagesRead list(const std::string& out, std::vector<std::string> pages = {kPage},
                      std::vector<std::string> said = {}, int code = 0) {
  return child::gallery_dl().read_listing(
      {.pages = std::move(pages), .out = out, .said = std::move(said), .code = code}, {});
}

std::string why(int code, std::vector<std::string> said, std::string_view url = "https://h/1.jpg") {
  const Fault fault = child::gallery_dl().why(code, said, url);
  return fault.code + (fault.kind == FaultKind::retryable ? ", again" : "");
}

}  // namespace

TEST_CASE("S2-11: every file of a page is an item, numbered as the program counts them") {
  const child::PagesRead listed =
      list(R"([[2,{}],[3,"https://c/1.jpg",{"filename":"1","extension":"jpg"}],
                                 [6,"https://h/more",{}],[3,"https://c/2.jpg",{}]])");

  REQUIRE(listed.items.size() == 2);
  CHECK(listed.items[0].key == "gallery-dl:1:https://h/p");
  CHECK(listed.items[0].url == "https://c/1.jpg");
  CHECK(listed.items[1].key == "gallery-dl:2:https://h/p");
  CHECK(listed.pages == std::vector<std::string>{"https://h/more"});
  CHECK(listed.faults.empty());
}

TEST_CASE("errors are found in the list, old form and new, although it ends with 0") {
  CHECK(list(R"([["HttpError","'404 Not Found' for 'https://h/p'"]])").faults.at(kPage).code ==
        "http_404");
  CHECK(list(R"([[-1,{"error":"HttpError","message":"'503 Busy' for 'https://h/p'"}]])")
            .faults.at(kPage)
            .kind == FaultKind::retryable);
  CHECK(list(R"([["NotFoundError","Requested post could not be found"]])").faults.at(kPage).kind ==
        FaultKind::permanent);
  CHECK(list(R"([["AuthorizationError","no"]])").faults.at(kPage).code == "site_refuses");
}

TEST_CASE("several pages have a list each; one it cannot list has none") {
  const child::PagesRead listed = list(R"([[3,"https://c/1.jpg",{}]] [[3,"https://c/3.jpg",{}]])",
                                       {"https://h/1", "https://h/2", "https://h/3"},
                                       {"[gallery-dl][error] Unsupported URL 'https://h/2'"}, 64);

  REQUIRE(listed.items.size() == 2);
  CHECK(listed.items[1].key == "gallery-dl:1:https://h/3");
  CHECK(listed.faults.at("https://h/2").code == "unsupported_url");
}

TEST_CASE("a list that ends in an error keeps what came before it, and says that it broke") {
  for (const char* error : {R"(["HttpError","'503 Service Unavailable' for 'https://h/p'"])",
                            R"([-1,{"error":"HttpError","message":"'503 Busy' for 'x'"}])"}) {
    const child::PagesRead listed =
        list(R"([[3,"https://c/1.jpg",{}],[3,"https://c/2.jpg",{}],)" + std::string{error} + "]");
    CHECK(listed.items.size() == 2);
    CHECK(listed.faults.empty());
    CHECK(listed.broken.at(kPage).code == "http_503");
    CHECK(listed.broken.at(kPage).kind == FaultKind::retryable);
  }
  CHECK(list(R"([[6,"https://h/q",{}],["HttpError","'503 x'"]])").broken.contains(kPage));
  CHECK(list(R"([["HttpError","'503 x'"]])").faults.contains(kPage));
}

TEST_CASE("a list that was cut off in the middle keeps its whole entries, and says that it broke") {
  const child::PagesRead listed = list(R"([[3,"https://c/1.jpg",{}],[3,"https://c/2.j)");
  CHECK(listed.items.size() == 1);
  CHECK(listed.broken.at(kPage).code == "program_failed");
  CHECK(list(R"([[3,"https://c/1.jpg",{}]])").broken.empty());
}

TEST_CASE("pages that are none are not visited") {
  CHECK(list(R"([[6,"--exec=x",{}],[6,"file:///etc/passwd",{}]])").pages.empty());
}

TEST_CASE("a program that wrote no list has failed") {
  CHECK(list("", {kPage}, {}, 1).faults.at(kPage).code == "program_failed");
  CHECK(list("", {kPage}, {"[gallery-dl][error] x"}, 16).faults.at(kPage).code == "site_refuses");
}

TEST_CASE("one process fetches the files that are wanted of its pages, and no others") {
  const child::ProgramCall call{.request = kPlain,
                                .folder = "/w",
                                .cookies = {},
                                .options = "/w/options",
                                .ca_file = {},
                                .apart = {}};
  const auto words = child::gallery_dl().fetch_words(
      call, {{2, kPage}, {5, kPage}, {2, "https://h/q"}, {5, "https://h/q"}});

  CHECK(*std::next(std::ranges::find(words, "--range")) == "2,5");
  CHECK(*std::next(std::ranges::find(words, "-i")) == "/w/options");
  for (const std::string& word : words) CHECK(word.find("https://") == std::string::npos);
  CHECK(child::gallery_dl().private_options(kPlain, {kPage, "https://h/q"}) ==
        kPage + "\nhttps://h/q\n");
  CHECK(*std::next(std::ranges::find(words, "--retries")) == "0");
}

TEST_CASE("lines say which file is next and which is there") {
  const child::Program& program = child::gallery_dl();
  const auto begins = program.read_line(io::Stream::out, R"(@N "https://c/\u00e9.jpg")");
  REQUIRE(std::holds_alternative<child::Begins>(begins));
  CHECK(std::get<child::Begins>(begins).url == "https://c/\u00e9.jpg");
  CHECK(std::get<child::Delivered>(program.read_line(io::Stream::out, "@D /w/out/a b.jpg")).path ==
        "/w/out/a b.jpg");
  CHECK(std::holds_alternative<std::monostate>(program.read_line(io::Stream::out, "@N x")));
  CHECK(std::holds_alternative<child::Complains>(
      program.read_line(io::Stream::err, "@D /etc/passwd")));
}

TEST_CASE("a file's own failure is found by its address, any other by the sum of the exit code") {
  CHECK(why(4, {"[downloader.http][warning] '404 Not Found' for 'https://h/1.jpg'"}) == "http_404");
  CHECK(why(4, {"[downloader.http][warning] '404 Not Found' for 'https://h/2.jpg'"}) ==
        "program_failed, again");
  CHECK(why(64, {}) == "unsupported_url");
  CHECK(why(16, {}) == "site_refuses");
  CHECK(why(128, {}) == "program_failed, again");
  CHECK(why(137, {}) == "program_failed, again");
  CHECK(why(0, {}) == "no_file, again");
}

TEST_CASE("X12: versions are compared number by number") {
  CHECK(child::is_at_least("1.25.3", "1.25"));
  CHECK(child::is_at_least("1.25", "1.25"));
  CHECK(child::is_at_least("1.32.9-dev", "1.25"));
  CHECK(child::is_at_least("2.0", "1.25"));
  CHECK(!child::is_at_least("1.9", "1.25"));
  CHECK(!child::is_at_least("1", "1.25"));
  CHECK(!child::is_at_least("", "1.25"));
}
