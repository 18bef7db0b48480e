// Reads pages with libxml2's SAX parser.

#include "io/web/html_page.h"

#include <libxml/HTMLparser.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <unordered_set>

#include "base/ascii.h"
#include "base/utf8.h"

namespace haul::io {
namespace {

constexpr std::size_t kBytesMax = std::size_t{8} << 20U;
constexpr int kDepthMax = 512;         // As in browsers: each end tag searches libxml2's stack.
constexpr int kAttributesMax = 1'024;  // libxml2 counts a name and its value as two.
constexpr int kOptions = HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NOERROR |
                         HTML_PARSE_NOWARNING | HTML_PARSE_NOIMPLIED | HTML_PARSE_IGNORE_ENC;
constexpr std::size_t kLinksMax = 50'000;
constexpr std::size_t kTextMax = std::size_t{16} << 20U;  // A long base makes every link long.

// The elements that have links, or change where links lead.
constexpr std::string_view kLinking[] = {"a", "audio", "base", "img", "link", "source", "video"};
constexpr std::size_t kLinkingNameMax = 6;

bool is_linking(std::string_view element) {
  return std::ranges::find(kLinking, element) != std::end(kLinking);
}

// What the parser found, not yet resolved: the base may come after the first links.
struct RawLinks {
  xmlParserCtxt* parser = nullptr;
  std::vector<std::string> links;
  std::string next;
  std::optional<std::string> base;
  std::ptrdiff_t linking = 0;  // Elements of kLinking.
  bool too_many = false;       // There were more than kLinksMax links.
  bool too_deep = false;       // The parser was stopped at an element too deep.
  bool is_whole = false;
};

// The attributes of one element: name, value, name, value, ..., null.
class Attributes {
 public:
  explicit Attributes(const xmlChar** list) : list_{list} {}

  std::string_view find(std::string_view name) const {
    for (const xmlChar** at = list_; at != nullptr && at[0] != nullptr; at += 2)
      if (text(at[0]) == name) return text(at[1]);
    return {};
  }

 private:
  static std::string_view text(const xmlChar* from) {
    return from == nullptr ? "" : reinterpret_cast<const char*>(from);
  }
  const xmlChar** list_;
};

void see(RawLinks& raw, std::string_view reference) {
  reference = trimmed(reference);
  if (reference.empty() || reference.starts_with('#')) return;
  raw.too_many = raw.links.size() >= kLinksMax;
  if (!raw.too_many) raw.links.emplace_back(reference);
}

// "a.jpg 1x, b.jpg 2x": a URL up to a blank, then its descriptor up to a comma. A comma within a
// URL belongs to it; a comma at its end does not.
void see_set(RawLinks& raw, std::string_view set) {
  while (!set.empty()) {
    const auto start = std::ranges::find_if(set, [](char c) { return !is_blank(c) && c != ','; });
    set.remove_prefix(static_cast<std::size_t>(start - set.begin()));
    const auto end = std::ranges::find_if(set, is_blank);
    std::string_view address = set.substr(0, static_cast<std::size_t>(end - set.begin()));
    set.remove_prefix(address.size());
    if (!address.ends_with(',')) set.remove_prefix(std::min(set.find(','), set.size()));
    while (address.ends_with(',')) address.remove_suffix(1);
    see(raw, address);
  }
}

bool has_word(std::string_view words, std::string_view wanted) {
  while (!words.empty()) {
    const auto end = std::ranges::find_if(words, is_blank);
    const auto size = static_cast<std::size_t>(end - words.begin());
    if (lower(words.substr(0, size)) == wanted) return true;
    words.remove_prefix(std::min(size + 1, words.size()));
  }
  return false;
}

void on_element(void* context, const xmlChar* element, const xmlChar** attributes) {
  RawLinks& raw = *static_cast<RawLinks*>(context);
  const std::string_view name = reinterpret_cast<const char*>(element);
  const Attributes has{attributes};
  if (is_linking(name)) ++raw.linking;
  if (name == "base" && !raw.base && !has.find("href").empty()) raw.base = has.find("href");
  if ((name == "a" || name == "link") && raw.next.empty() && has_word(has.find("rel"), "next"))
    raw.next = has.find("href");
  if (name == "a") see(raw, has.find("href"));
  if (name == "img" || name == "source" || name == "video" || name == "audio")
    see(raw, has.find("src"));
  if (name == "img" || name == "source") see_set(raw, has.find("srcset"));
  if (raw.parser->nameNr > kDepthMax) raw.too_deep = true;
  if (raw.too_deep || raw.too_many) xmlStopParser(raw.parser);
}

// How many start tags of kLinking a text has at most: counts those in comments and scripts, too.
std::ptrdiff_t linking_tags(std::string_view text) {
  const auto is_of_name = [](char c) {
    return is_letter(c) || is_digit(c) || c == ':' || c == '-' || c == '_' || c == '.';
  };
  std::ptrdiff_t count = 0;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    std::string_view name = text.substr(at + 1, kLinkingNameMax + 1);
    const auto end = std::ranges::find_if_not(name, is_of_name);
    name = name.substr(0, static_cast<std::size_t>(end - name.begin()));
    if (is_linking(lower(name))) ++count;
  }
  return count;
}

// The page in UTF-8, so that libxml2 never looks up a charset the page names: charset converters
// have had security holes. Leaves out a tag that is cut off, because half a URL leads elsewhere.
std::string readable(std::string_view html) {
  if (html.starts_with("\xef\xbb\xbf")) html.remove_prefix(3);
  html = html.substr(0, kBytesMax);
  std::string text = to_utf8(html.substr(0, html.rfind('>') + 1));
  std::ranges::replace(text, '\0', ' ');  // libxml2 takes a NUL for the end.
  return text;
}

// Feeds the page to libxml2 piece by piece, so that on_read() notices a tag of endless attributes
// before libxml2 has compared each of them with all others.
struct Source {
  const xmlParserCtxt* parser = nullptr;
  std::string_view rest;
  bool is_cut = false;  // A part of the page was kept from libxml2.
};

int on_read(void* context, char* buffer, int room) {
  Source& source = *static_cast<Source*>(context);
  if (source.parser->maxatts > kAttributesMax && !source.rest.empty()) {
    source.is_cut = true;
    source.rest = {};
  }
  const std::size_t size = source.rest.copy(buffer, static_cast<std::size_t>(room));
  source.rest.remove_prefix(size);
  return static_cast<int>(size);
}

RawLinks read(std::string_view html) {
  static const bool ready = (xmlInitParser(), true);  // Once: it is not thread-safe.
  RawLinks raw;
  const std::unique_ptr<xmlParserCtxt, decltype(&htmlFreeParserCtxt)> parser{htmlNewParserCtxt(),
                                                                             &htmlFreeParserCtxt};
  if (!ready || parser == nullptr) return raw;
  *parser->sax = htmlSAXHandler{};  // No tree and no messages: only start tags.
  parser->sax->startElement = on_element;
  parser->userData = &raw;
  raw.parser = parser.get();
  const std::string text = readable(html);
  Source source{.parser = parser.get(), .rest = text};
  xmlFreeDoc(htmlCtxtReadIO(parser.get(), on_read, nullptr, &source, nullptr, "UTF-8", kOptions));
  raw.parser = nullptr;
  // Below the last element read there may be none that has a link.
  const bool misses_links = raw.too_deep && linking_tags(text) > raw.linking;
  raw.is_whole = html.size() <= kBytesMax && !source.is_cut && !raw.too_many && !misses_links;
  return raw;
}

// Drops tabs and line breaks within a URL, as browsers do.
Result<Url> resolve(const Url& base, std::string reference) {
  std::erase_if(reference, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  return join_url(base, reference);
}

}  // namespace

HtmlPage read_html_page(std::string_view html, const Url& base) {
  const RawLinks raw = read(html);
  const Url from = raw.base ? resolve(base, *raw.base).value_or(base) : base;
  HtmlPage page;
  page.is_whole = raw.is_whole;
  std::unordered_set<std::string> known;
  std::size_t bytes = 0;
  for (const std::string& link : raw.links) {
    Result<Url> url = resolve(from, link);
    if (!url || !known.insert(url->text).second) continue;
    bytes += url->text.size();
    if (bytes > kTextMax) {
      page.is_whole = false;
      break;
    }
    page.links.push_back(std::move(url->text));
  }
  const Result<Url> next = resolve(from, raw.next);
  if (next && next->text != base.text) page.next = next->text;  // A page cannot be its own next.
  return page;
}

}  // namespace haul::io
