// Redirect rules, tested for everything in a batch that follows redirects: downloads, mirrors
// beside them, pages, lookups of a file's size, of an address's content type and of a dry run. No
// secret leaves its origin, and no redirect leads from a public address to a private one.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/choose/look.h"
#include "engine/http/head_look.h"
#include "engine/http/http.h"
#include "support/io/fake_loop.h"
#include "support/io/open_gate.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

// The main source of each file that has a mirror.
const std::string kMain = "http://main.example/0.bin";

// Fake servers by address. Every other address answers 404.
class Web {
 public:
  explicit Web(std::string kind) : kind_{std::move(kind)} {
    loop_.server = [this](const io::HttpRequest& request) -> std::optional<FakeReply> {
      if (request.url == kMain) return main_reply();
      requests.push_back(request);
      const auto found = pages_.find(request.url);
      return found == pages_.end() ? FakeReply{.status = 404} : found->second;
    };
  }
  ~Web() { loop_.is_closing = true; }
  Web(const Web&) = delete;
  Web& operator=(const Web&) = delete;

  void redirect(const std::string& from, const std::string& to, bool from_public = true) {
    pages_[from] = {.status = 302, .headers = {{"location", to}}, .from_public = from_public};
  }
  // Requests these addresses in the way that `kind_` names, and follows all redirects.
  void ask(const std::vector<std::string>& urls) {
    if (kind_ == "choose") return look(urls);
    if (kind_ == "head") return look_at_heads(urls);
    if (kind_ == "mirror") return ask_mirrors(urls);
    for (const std::string& url : urls) {
      const std::string more = kind_ == "page"   ? R"(,"discover":true)"
                               : kind_ == "size" ? R"(,"filters":{"min_size":1})"
                                                 : "";
      Order order{.job = JobId{1}, .item = 1, .fence = 1, .start = ++starts_};
      std::string list;
      for (const std::string& each : urls) list += (list.empty() ? "\"" : ",\"") + each + "\"";
      order.request = fmt::format(
          R"({{"urls":[{}],"folder":"{}","headers":["X-Token: secret"],"netrc":"/n"{}}})", list,
          folder_.path().string(), more);
      order.url = url;
      if (kind_ != "download") return run([&] { engine_->plan(order, letters_); });
      run([&] { engine_->start(order, letters_); });
    }
  }
  // Per request "HOST secret" or "HOST none"; both headers and netrc file must agree.
  std::string secrets() const {
    std::string text;
    for (const io::HttpRequest& request : requests) {
      bool token = false;
      for (const std::string& header : request.headers)
        token = token || header == "X-Token: secret";
      const bool netrc = request.netrc_file == "/n";
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", host_in(request.url),
                          token && netrc ? "secret" : (token || netrc ? "half" : "none"));
    }
    return text;
  }
  // Per request "HOST any" or "HOST public": which addresses it may connect to.
  std::string reaches() const {
    std::string text;
    for (const io::HttpRequest& request : requests)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", host_in(request.url),
                          request.reach.private_too ? "any" : "public");
    return text;
  }

  std::vector<io::HttpRequest> requests;

 private:
  static std::string host_in(const std::string& url) {
    const std::size_t from = url.find("//") + 2;
    return url.substr(from, url.find('.', from) - from);
  }
  void run(const std::function<void()>& begin) {
    begin();
    loop_.run();
  }
  static engine::GetRequest with_secrets(const std::vector<std::string>& urls) {
    engine::GetRequest request{.urls = urls};
    request.headers = {"X-Token: secret"};
    request.netrc = "/n";
    return request;
  }
  void look(const std::vector<std::string>& urls) {
    for (const std::string& url : urls) {
      choose::Look look{
          loop_, gate_, settings_, with_secrets(urls), ++starts_, [](const std::string&) {}};
      look.begin(url);
      loop_.run();
    }
  }
  void look_at_heads(const std::vector<std::string>& urls) {
    const engine::GetRequest request = with_secrets(urls);
    http::HeadLook look{loop_, request, settings_};
    for (std::size_t position = 0; position < urls.size(); ++position)
      run([&] { look.look(position, clock_.now(), [](const http::HeadSeenOf&) {}); });
  }
  // A file that is large enough for a mirror to fetch a part of it. The rest never comes, so the
  // download goes on while the mirror is asked.
  static FakeReply main_reply() {
    return {.body = "x",
            .headers = {{"content-length", std::to_string(std::int64_t{32} << 20U)},
                        {"accept-ranges", "bytes"},
                        {"etag", "\"v\""}},
            .stays_open = true};
  }
  // Each address is the mirror of a file of its own. A hash proves the file, so the mirror is asked
  // beside the main source.
  void ask_mirrors(const std::vector<std::string>& urls) {
    for (const std::string& url : urls) {
      Order order{.job = JobId{++starts_}, .item = 1, .fence = 1, .start = starts_};
      order.request =
          fmt::format(R"({{"urls":["{}"],"mirrors":["{}"],"checksum":"sha256:{}","folder":"{}",)"
                      R"("segments":1,"headers":["X-Token: secret"],"netrc":"/n"}})",
                      kMain, url, std::string(64, 'a'), folder_.path().string());
      order.url = kMain;
      order.key = kMain;
      run([&] { engine_->start(order, letters_); });
    }
  }

  const std::string kind_;
  TempFolder folder_;
  HandClock clock_;
  FakeLoop loop_{clock_};
  OpenGate gate_;
  http::HttpSettings settings_;
  Letters letters_;
  std::int64_t starts_ = 0;
  std::map<std::string, FakeReply> pages_;
  std::unique_ptr<ItemEngine> engine_ =
      http::make_http_engine(loop_, gate_, clock_, settings_, io::Durability::off);
};

const std::vector<std::string> kKinds{"download", "mirror", "page", "size", "choose", "head"};

}  // namespace

TEST_CASE("U37: once a redirect has left the origin, no request carries a secret any more") {
  for (const std::string& kind : kKinds) {
    CAPTURE(kind);
    Web web{kind};
    web.redirect("http://a.example/1.bin", "http://a.example/2.bin");
    web.redirect("http://a.example/2.bin", "http://b.example/3.bin");
    web.redirect("http://b.example/3.bin", "http://b.example/4.bin");
    web.redirect("http://b.example/4.bin", "http://a.example/5.bin");
    web.ask({"http://a.example/1.bin"});
    CHECK(web.secrets() == "a secret, a secret, b none, b none, a none");
  }
}

TEST_CASE("U37: another scheme or port is another origin") {
  for (const std::string& kind : kKinds) {
    CAPTURE(kind);
    for (const std::string to : {"http://a.example:8080/2.bin", "https://a.example/2.bin"}) {
      Web web{kind};
      web.redirect("http://a.example/1.bin", to);
      web.ask({"http://a.example/1.bin"});
      CHECK(web.secrets() == "a secret, a none");
    }
  }
}

TEST_CASE("U37: a redirect of one file takes the secrets from no other file") {
  for (const std::string& kind : kKinds) {
    if (kind == "page") continue;  // The first page that cannot be read ends the plan.
    CAPTURE(kind);
    Web web{kind};
    web.redirect("http://a.example/1.bin", "http://b.example/1.bin");
    web.ask({"http://a.example/1.bin", "http://a.example/2.bin"});
    CHECK(web.secrets() == "a secret, b none, a secret");
  }
}

TEST_CASE("U: after an answer from a public address no redirect may reach a private one") {
  for (const std::string& kind : kKinds) {
    CAPTURE(kind);
    Web web{kind};
    web.redirect("http://a.example/1.bin", "http://b.example/2.bin", false);
    web.redirect("http://b.example/2.bin", "http://c.example/3.bin", true);
    // c has a private address that is allowed explicitly.
    web.redirect("http://c.example/3.bin", "http://d.example/4.bin", false);
    web.ask({"http://a.example/1.bin"});
    CHECK(web.reaches() == "a any, b any, c public, d public");
  }
}

TEST_CASE("redirects: from https to http none is followed") {
  for (const std::string& kind : kKinds) {
    CAPTURE(kind);
    Web web{kind};
    web.redirect("https://a.example/1.bin", "http://a.example/2.bin");
    web.ask({"https://a.example/1.bin"});
    CHECK(web.secrets() == "a secret");
  }
}

}  // namespace haul::testing
