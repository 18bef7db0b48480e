// Z-10: the links of HTML pages, broken and hostile ones too.

#include "io/web/html_page.h"

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <rapidcheck.h>

#include <set>

namespace haul::io {
namespace {

using namespace std::string_literals;

const Url kBase = parse_url("http://h/dir/page?x=1").value();

std::string repeated(int n, std::string_view what) {
  std::string out;
  for (int i = 0; i < n; ++i) out += what;
  return out;
}

// The links of a page, separated by blanks, without the "http://h" that most have.
std::string links(std::string_view html) {
  std::string out;
  for (const std::string& link : read_html_page(html, kBase).links) {
    CHECK(link.starts_with("http"));
    out += (out.empty() ? "" : " ") +
           (link.starts_with("http://h/") ? link.substr(std::string{"http://h"}.size()) : link);
  }
  return out;
}

std::string next(std::string_view html) { return read_html_page(html, kBase).next; }

bool is_whole(std::string_view html) { return read_html_page(html, kBase).is_whole; }

}  // namespace

TEST_CASE("Z-10: links of a, img, source, video and audio come in the order of the page") {
  CHECK(links("<!doctype html><html><body><a href='1.html'>x</a><p><img src=2.jpg>"
              "<video src='3.mp4'><source src='4.webm'></video><audio src=/5.mp3></audio>"
              "<a href='https://other/6'>y</a>") ==
        "/dir/1.html /dir/2.jpg /dir/3.mp4 /dir/4.webm /5.mp3 https://other/6");
}

TEST_CASE("Z-10: a link comes once, whatever it looked like") {
  CHECK(links("<a href=x></a><a href='./x'></a><a href='HTTP://H:80/dir/x#top'></a><img src=x>") ==
        "/dir/x");
}

TEST_CASE("Z-10: other elements and attributes lead nowhere") {
  CHECK(links("<link href=a><script src=b></script><iframe src=c></iframe><a src=d></a>"
              "<img href=e><video href=f></video><a name=g></a><a href></a><a href=''></a>"
              "<!-- <a href=h></a> --><script>'<a href=i></a>'</script><a data-href=j></a>"
              "<style><a href=k></a></style><textarea srcset=l></textarea>") == "");
}

TEST_CASE("Z-10: every candidate of a srcset is a link") {
  CHECK(links("<img srcset='a.jpg 1x, b.jpg 2x,c.jpg  300w , d.jpg'>") ==
        "/dir/a.jpg /dir/b.jpg /dir/c.jpg /dir/d.jpg");
  CHECK(links("<source srcset=',, a,b.jpg 1x,'>") == "/dir/a,b.jpg");
  CHECK(links("<source srcset='a.jpg, b.jpg,'>") == "/dir/a.jpg /dir/b.jpg");
  CHECK(links("<img srcset='data:image/png;base64,AA== 1x, b.jpg 2x' src=c.jpg>") ==
        "/dir/c.jpg /dir/b.jpg");
  CHECK(links("<img srcset=' , '><img srcset=''><img srcset>") == "");
}

TEST_CASE("U7: links that are not of the web are left out, also in disguise") {
  CHECK(
      links(
          "<a href='javascript:alert(1)'></a><a href=' JaVaScRiPt:x'></a><a href='java\nscript:x'>"
          "</a><a href='&#106;avascript:x'></a><a href='data:,x'></a><a href='file:///etc/passwd'>"
          "</a><a href='mailto:a@h'></a><a href='#top'></a><a href='http://h:22/'></a>"
          "<a href='/\\evil/'></a><img src='\\\\evil\\x'>") == "");
}

TEST_CASE("entities, blanks and letters beyond ASCII in an attribute are read as browsers do") {
  CHECK(links("<a href='a?b=1&amp;c=2'></a>") == "/dir/a?b=1&c=2");
  CHECK(links("<a href='a?b=1&c=2'></a>") == "/dir/a?b=1&c=2");
  CHECK(links("<a href='\n a b\n\tc '></a>") == "/dir/a%20bc");
  CHECK(links("<a href='\u00fc&uuml;'></a>") == "/dir/%C3%BC%C3%BC");
  CHECK(links("\xef\xbb\xbf<a href='\u00fc'></a>") == "/dir/%C3%BC");
  CHECK(links("<A HREF=x></A>") == "/dir/x");
}

TEST_CASE("a page is UTF-8, or else Latin-1, whatever charset it names") {
  CHECK(links("<meta charset='iso-2022-cn-ext'><a href='\u00fc'></a>") == "/dir/%C3%BC");
  CHECK(links("<meta charset='utf-16'><a href='\xfc'></a>") == "/dir/%C3%BC");
  CHECK(links("<?xml version='1.0' encoding='ebcdic'?><a href='x'></a>") == "/dir/x");
}

TEST_CASE("Z-10: the first base is what links are relative to, also those before it") {
  CHECK(links("<a href=a></a><base href='/b/'><base href='/c/'><a href=d></a>") == "/b/a /b/d");
  CHECK(links("<base href='e/f'><a href=a></a>") == "/dir/e/a");
  CHECK(links("<base href='https://other/x/'><a href=a></a>") == "https://other/x/a");
  CHECK(links("<base target=_top><base href='/b/'><a href=a></a>") == "/b/a");
  CHECK(links("<base href='javascript:x'><a href=a></a>") == "/dir/a");
}

TEST_CASE("Z-10: rel=next of a or link is the next page, the first one, among other words") {
  CHECK(next("<link rel=next href='?p=2'><a rel=next href='?p=3'>") == "http://h/dir/page?p=2");
  CHECK(next("<a rel='nofollow  NEXT' href='?p=3'>") == "http://h/dir/page?p=3");
  CHECK(next("<base href='/b/'><a rel=next href='c'>") == "http://h/b/c");
  CHECK(next("<a rel=next><a rel=next href=x>") == "http://h/dir/x");
  CHECK(links("<link rel=next href=a><a rel=next href=b>") == "/dir/b");
  for (const char* html :
       {"", "<a rel=nextpage href=x>", "<a rel='prev' href=x>", "<img rel=next src=x>",
        "<a rel=next href='javascript:x'>", "<a rel href=x>", "<a rel=next href='#'>",
        "<a rel=next href='?x=1#end'>"})
    CHECK_MESSAGE(next(html).empty(), html);
}

TEST_CASE("broken HTML is read as far as it goes") {
  CHECK(links("<a href=x") == "");
  CHECK(links("<a href='x") == "");
  CHECK(links("<a href=y></a><a href='x") == "/dir/y");
  CHECK(links("</b></b><table><a href=x><td><img src=y></p></table>") == "/dir/x /dir/y");
  CHECK(links("<a href=x href=y>") == "/dir/x");
  CHECK(links("<<<a href=x>>>") == "/dir/x");
  CHECK(links("plain text, http://h/x") == "");
  CHECK(links("<a href=x>\0<a href=y>"s) == "/dir/x /dir/y");
}

TEST_CASE("entity declarations are not believed") {
  CHECK(links("<!DOCTYPE html [<!ENTITY a SYSTEM 'file:///etc/passwd'><!ENTITY b '&a;&a;'>]>"
              "<a href='x&b;'></a>") == "/dir/x&b;");
}

TEST_CASE("512 elements deep is read, deeper is not, and neither takes long") {
  const std::string end = "<a href=x></a>";
  CHECK(links(repeated(511, "<div>") + end) == "/dir/x");
  CHECK(links(repeated(600, "<div>") + end) == "");
  CHECK(links(repeated(100'000, "<b>") + repeated(100'000, "</i>")) == "");
  CHECK(links(repeated(600, "<div></div>") + end) == "/dir/x");
}

TEST_CASE("a page that is too deep is whole if what was not read has no element with links") {
  const std::string end = "<a href=x></a>";
  CHECK(is_whole(""));
  CHECK(is_whole(repeated(511, "<div>") + end));
  CHECK(is_whole(end + repeated(600, "<div>") + "<article>text</article><a-b>"));
  CHECK_FALSE(is_whole(repeated(600, "<div>") + end));
  CHECK_FALSE(is_whole(repeated(600, "<div>") + "<IMG src=x>"));
  CHECK_FALSE(is_whole(repeated(600, "<div>") + "<link rel=next href=x>"));
}

TEST_CASE("50,000 links are taken and no more") {
  std::string html;
  for (int i = 0; i < 50'000; ++i) html += fmt::format("<a href={}></a>", i);
  CHECK(is_whole(html + "<p>text</p><a name=x></a><a href='#top'></a>"));

  const HtmlPage page = read_html_page(html + "<a href=more></a>", kBase);

  CHECK(page.links.size() == 50'000);
  CHECK(page.links.back() == "http://h/dir/49999");
  CHECK_FALSE(page.is_whole);
}

TEST_CASE("short links on a long base stay within 16 MiB") {
  const Url base = parse_url("http://h/" + std::string(8'000, 'a') + "/").value();
  std::string html;
  for (int i = 0; i < 3'000; ++i) html += fmt::format("<a href={}>", i);
  const HtmlPage page = read_html_page(html, base);
  std::size_t bytes = 0;
  for (const std::string& link : page.links) bytes += link.size();
  CHECK(bytes > (std::size_t{15} << 20U));
  CHECK(bytes <= (std::size_t{16} << 20U));
  CHECK_FALSE(page.is_whole);
}

TEST_CASE("8 MiB of a page are read, a link beyond is not seen") {
  const std::string link = "<a href=x>";
  const std::string filler((std::size_t{8} << 20U) - link.size(), ' ');
  CHECK(links(filler + link) == "/dir/x");
  CHECK(is_whole(filler + link));
  CHECK(links(filler + " " + link) == "");
  CHECK_FALSE(is_whole(filler + " " + link));
}

TEST_CASE("one long attribute or text without links does not make a page less than whole") {
  const std::string megabyte(std::size_t{1} << 20U, 'A');
  const std::string html = "<img src='data:image/png;base64," + megabyte + "'><p title='" +
                           megabyte + "'>" + megabyte + "</p><a href=x></a>";
  CHECK(links(html) == "/dir/x");
  CHECK(is_whole(html));
}

TEST_CASE("a tag of 300 attributes is read, one of 100,000 ends the page") {
  const auto tag = [](int attributes) {
    std::string text = "<a";
    for (int i = 0; i < attributes; ++i) text += fmt::format(" x{}", i);
    return text + " href=x><img src=y>";
  };
  CHECK(links(tag(300)) == "/dir/x /dir/y");
  CHECK(is_whole(tag(300)));
  CHECK(links(tag(100'000)) == "");
  CHECK_FALSE(is_whole(tag(100'000)));
}

TEST_CASE("whatever a page says, its links are canonical, and each comes once") {
  const std::string alphabet = "<>/='\"!-?&;#. ,ahref\n\0\xc3\xbc\xff"s;
  CHECK(rc::check([&] {
    const auto some = *rc::gen::container<std::string>(rc::gen::elementOf(alphabet));
    for (const char* before : {"", "<a href='", "<img srcset=", "<base href="}) {
      const HtmlPage page = read_html_page(before + some + "'><a href=x>", kBase);
      const std::set<std::string> unique{page.links.begin(), page.links.end()};
      RC_ASSERT(unique.size() == page.links.size());
      for (const std::string& link : page.links) RC_ASSERT(parse_url(link).value().text == link);
    }
  }));
}

}  // namespace haul::io
