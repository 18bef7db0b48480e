#pragma once
// What a page of HTML leads to (Z-10).

#include <string>
#include <string_view>
#include <vector>

#include "io/url.h"

namespace haul {

struct Page {
  std::vector<std::string> links;  // Canonical addresses in the order of the page, each once.
  std::string next;                // The page after this one, as rel=next says; empty if none.
};

// The links of a, img, source, video and audio, all candidates of a srcset among them. Broken HTML
// is read as far as it goes: the first 8 MiB, 512 elements deep, 50,000 links.
Page read_page(std::string_view html, const Url& base);

}  // namespace haul
