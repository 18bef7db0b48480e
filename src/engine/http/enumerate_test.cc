// A listing that breaks off: the engine reports what it has found, then the fault.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/http/http.h"
#include "support/io/fake_loop.h"
#include "support/io/open_gate.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

constexpr const char* kFirst = "http://h.example/1";
constexpr const char* kSecond = "http://h.example/2";

// A page with three files, and a link to the second page.
FakeReply first_page() {
  return {.body = R"(<a href="/a.png">a</a> <a href="/b.png">b</a> <a href="/c.png">c</a>
                     <a rel="next" href="/2">next</a>)",
          .headers = {{"content-type", "text/html"}}};
}
FakeReply second_page() {
  return {.body = R"(<a href="/d.png">d</a>)", .headers = {{"content-type", "text/html"}}};
}

// The files of a page in the order they were found: "a b c".
std::string names(const Planned& planned) {
  std::string text;
  for (const FoundItem& item : planned.items) {
    const std::size_t from = item.url.rfind('/') + 1;
    text += (text.empty() ? "" : " ") + item.url.substr(from, item.url.rfind('.') - from);
  }
  return text;
}

class Listing {
 public:
  Listing() {
    loop_.server = [this](const io::HttpRequest& request) -> std::optional<FakeReply> {
      const auto found = pages.find(request.url);
      return found == pages.end() ? FakeReply{.status = 404} : found->second;
    };
  }
  ~Listing() { loop_.is_closing = true; }
  Listing(const Listing&) = delete;
  Listing& operator=(const Listing&) = delete;

  std::map<std::string, FakeReply> pages;

  // What a listing of the first page reports: "found a b c, failed http_503".
  std::string run() {
    Order order{.job = JobId{1}, .item = 0, .fence = 1, .start = ++starts_};
    order.request = fmt::format(R"({{"url":"{}","folder":"{}","discover":true,"pages_max":9}})",
                                kFirst, folder_.path().string());
    engine_->plan(order, letters_);
    loop_.run();
    std::string text;
    for (const Sight& sight : letters_.take()) {
      if (!text.empty()) text += ", ";
      if (const auto* planned = std::get_if<Planned>(&sight.what))
        text += (planned->complete ? "all " : "found ") + names(*planned);
      if (const auto* failed = std::get_if<Failed>(&sight.what)) {
        text += "failed " + failed->fault.code;
        kind = failed->fault.kind;
        wait_ms = failed->wait_ms;
      }
    }
    return text;
  }

  FaultKind kind{};  // Of the last fault.
  std::int64_t wait_ms = 0;

 private:
  TempFolder folder_;
  HandClock clock_;
  FakeLoop loop_{clock_};
  OpenGate gate_;
  Letters letters_;
  std::int64_t starts_ = 0;
  std::unique_ptr<ItemEngine> engine_ =
      http::make_http_engine(loop_, gate_, clock_, {}, io::Durability::off);
};

}  // namespace

TEST_CASE("a listing whose second page fails has found the files of the first, and is not whole") {
  Listing listing;
  listing.pages[kFirst] = first_page();

  listing.pages[kSecond] = {.status = 503};
  CHECK(listing.run() == "found a b c, failed http_503");
  CHECK(listing.kind == FaultKind::retryable);
  CHECK(listing.wait_ms == 0);

  listing.pages[kSecond] = {.status = 503, .headers = {{"retry-after", "90"}}};
  CHECK(listing.run() == "found a b c, failed http_503");
  CHECK(listing.wait_ms == 90'000);

  listing.pages[kSecond] = {.fault = Fault{FaultKind::retryable, "connection_lost", "reset"}};
  CHECK(listing.run() == "found a b c, failed connection_lost");

  listing.pages[kSecond] = {.status = 404};
  CHECK(listing.run() == "found a b c, failed http_404");
  CHECK(listing.kind == FaultKind::permanent);
}

TEST_CASE("a listing after one that broke off begins at the first page and reads to the end") {
  Listing listing;
  listing.pages[kFirst] = first_page();
  listing.pages[kSecond] = {.status = 503};
  REQUIRE(listing.run() == "found a b c, failed http_503");

  listing.pages[kSecond] = second_page();

  CHECK(listing.run() == "found a b c, all d");
}

TEST_CASE("Z-10: a page of 8 MiB is listed whole; of a longer one it is said that links may lack") {
  for (const std::size_t more : {std::size_t{0}, std::size_t{1}}) {
    Listing listing;
    listing.pages[kFirst] = first_page();
    listing.pages[kSecond] = second_page();
    std::string& body = listing.pages[kFirst].body;
    body.append((std::size_t{8} << 20U) + more - body.size(), ' ');

    if (more == 0) {
      CHECK(listing.run() == "found a b c, all d");
    } else {
      CHECK(listing.run() == "found a b c, found d, failed too_long_a_list");
      CHECK(listing.kind == FaultKind::permanent);
    }
  }
}

TEST_CASE("Z-10: a page whose links are too deep is not listed as whole") {
  Listing listing;
  listing.pages[kFirst] = second_page();
  for (int i = 0; i < 600; ++i) listing.pages[kFirst].body += "<div>";
  CHECK(listing.run() == "all d");

  listing.pages[kFirst].body += R"(<a href="/e.png">e</a>)";
  CHECK(listing.run() == "found d, failed too_long_a_list");
  CHECK(listing.kind == FaultKind::permanent);
}

TEST_CASE("Z-10: a page that is too deep for all of its links fails the listing without a file") {
  Listing listing;
  for (int i = 0; i < 600; ++i) listing.pages[kFirst].body += "<div>";
  listing.pages[kFirst].headers = {{"content-type", "text/html"}};
  listing.pages[kFirst].body += R"(<a href="/e.png">e</a>)";

  CHECK(listing.run() == "failed too_long_a_list");
}

}  // namespace haul::testing
