#pragma once
// Reads the links of an HTML page (Z-10).

#include <string>
#include <string_view>
#include <vector>

#include "base/url.h"

namespace haul::io {

struct HtmlPage {
  std::vector<std::string> links;  // Canonical URLs in the order of the page, each once.
  std::string next;                // The next page, by rel=next. Empty if there is none.
  bool is_whole = false;           // Every link was read. False if a limit left some out.
};

// Reads the links of a, img, source, video and audio, with all candidates of a srcset. Reads broken
// HTML as far as it can: the first 8 MiB, 512 elements deep, 50,000 links. What ends within a tag
// counts as broken, not as cut by a limit.
HtmlPage read_html_page(std::string_view html, const Url& base);

}  // namespace haul::io
