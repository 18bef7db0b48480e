#pragma once
// An immutable text with shared ownership, so that copies are cheap: every order of a job carries
// the job's request, which may list a hundred thousand addresses.

#include <memory>
#include <string>
#include <utility>

namespace haul {

class SharedText {
 public:
  SharedText() = default;
  SharedText(std::string text)  // NOLINT(google-explicit-constructor): converts on purpose.
      : text_{std::make_shared<const std::string>(std::move(text))} {}
  SharedText(const char* text) : SharedText{std::string{text}} {}  // NOLINT

  // Empty if it was moved from.
  const std::string& text() const {
    static const std::string empty;
    return text_ ? *text_ : empty;
  }
  operator const std::string&() const { return text(); }  // NOLINT(google-explicit-constructor)

 private:
  std::shared_ptr<const std::string> text_;  // Null: empty.
};

}  // namespace haul
