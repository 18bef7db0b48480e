#include "cli/draw/paint.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>

namespace haul::cli {
namespace {

int code_of(Ink ink) {
  switch (ink) {
    case Ink::plain:
      return 0;
    case Ink::bold:
      return 1;
    case Ink::dim:
      return 2;
    case Ink::red:
      return 31;
    case Ink::green:
      return 32;
    case Ink::yellow:
      return 33;
    case Ink::cyan:
      return 36;
  }
  return 0;
}

}  // namespace

std::string painted(Colour colour, Ink ink, std::string_view text) {
  if (colour == Colour::off || ink == Ink::plain || text.empty()) return std::string{text};
  return fmt::format("\x1b[{}m{}\x1b[0m", code_of(ink), text);
}

std::string unpainted(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const std::size_t escape = text.find('\x1b');
    plain += text.substr(0, escape);
    if (escape == std::string_view::npos) break;
    text.remove_prefix(escape);
    text.remove_prefix(std::min(text.find('m'), text.size() - 1) + 1);
  }
  return plain;
}

}  // namespace haul::cli
