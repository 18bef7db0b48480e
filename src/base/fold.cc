#include "base/fold.h"

#include <algorithm>
#include <vector>

#include "base/ascii.h"
#include "base/utf8.h"

namespace haul {
namespace {

struct CodeRun {
  std::uint32_t from;
  std::uint32_t to;
};

// Marks that strike a letter through or enclose it, and signs that are not drawn.
constexpr CodeRun kOverlays[] = {{0x0334, 0x0338}, {0x0488, 0x0489}, {0x17b4, 0x17b5},
                                 {0x20d0, 0x20f0}, {0xfff9, 0xfffb}, {0x1d173, 0x1d17a}};

// Besides the invisible ones of base/utf8.h: soft hyphen, joiners, variation selectors, tags.
bool is_ignored(std::uint32_t code) {
  for (const CodeRun& run : kOverlays)
    if (code >= run.from && code <= run.to) return true;
  if (is_invisible(code) || code == 0x00ad || code == 0x034f) return true;
  if (code == 0x115f || code == 0x1160 || code == 0x3164 || code == 0xffa0) return true;  // fillers
  if (code == 0x2800 || code == 0xfffc) return true;  // an empty pattern of dots, a placeholder
  if ((code >= 0x180b && code <= 0x180f) || (code >= 0xfe00 && code <= 0xfe0f)) return true;
  return code >= 0xe0000 && code <= 0xe0fff;
}

// Marks that stand above or below the letter before them.
bool is_mark(std::uint32_t code) {
  if (code >= 0x0300 && code <= 0x036f) return true;
  if (code >= 0x1ab0 && code <= 0x1aff) return true;
  return (code >= 0x1dc0 && code <= 0x1dff) || (code >= 0x20d0 && code <= 0x20ff);
}

// Empty if the code point stays as it is.
std::string_view find_fold(std::uint32_t code) {
  const std::span<const FoldRun> runs = fold_runs();
  const auto after = std::ranges::upper_bound(runs, code, {}, &FoldRun::from);
  if (after == runs.begin()) return {};
  const FoldRun& run = *(after - 1);
  std::string_view words = run.words;
  for (std::uint32_t at = run.from; at < code; ++at) {
    const std::size_t blank = words.find(' ');
    if (blank == std::string_view::npos) return {};
    words.remove_prefix(blank + 1);
  }
  return words.substr(0, words.find(' '));
}

// Appends code points and keeps the marks behind one letter sorted.
class FoldedText {
 public:
  void add(std::uint32_t code) {
    if (is_mark(code)) {
      marks_.push_back(code);
      return;
    }
    end_letter();
    append_utf8(text_, code);
  }
  std::string take() {
    end_letter();
    return std::move(text_);
  }

 private:
  void end_letter() {
    std::ranges::sort(marks_);
    for (const std::uint32_t mark : marks_) append_utf8(text_, mark);
    marks_.clear();
  }

  std::string text_;
  std::vector<std::uint32_t> marks_;
};

void add_folded(FoldedText& out, std::uint32_t code) {
  if (is_ignored(code)) return;
  if (code < 0x80) return out.add(static_cast<unsigned char>(lower(static_cast<char>(code))));
  std::string_view fold = find_fold(code);
  if (fold.empty()) return out.add(code);
  if (fold == "_") return out.add(' ');
  while (!fold.empty()) {
    const CodePoint next = first_code_point(fold);
    if (next.size == 0) return;
    if (!is_ignored(next.code)) out.add(next.code);
    fold.remove_prefix(next.size);
  }
}

}  // namespace

std::string folded(std::string_view text) {
  FoldedText out;
  while (!text.empty()) {
    const CodePoint next = first_code_point(text);
    if (next.size == 0)
      out.add(' ');
    else
      add_folded(out, next.code);
    text.remove_prefix(std::max<std::size_t>(next.size, 1));
  }
  return out.take();
}

}  // namespace haul
