#pragma once
// The head of an answer, line by line, with limits: a server may send heads without end.

#include <optional>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "io/http.h"

namespace haul {

class HeadReader {
 public:
  // False: `fault` says why the answer is refused.
  [[nodiscard]] bool add(std::string_view line);
  // The head is whole, and has this status. False as above.
  [[nodiscard]] bool end(int status);

  const HttpHead& head() const { return head_; }
  const std::optional<Fault>& fault() const { return fault_; }
  // Of the body, in the order they were applied: "gzip, gzip".
  std::string codings() const;

 private:
  bool refuse(const char* why);

  HttpHead head_;
  std::optional<Fault> fault_;
  std::size_t bytes_ = 0;
  int heads_ = 0;
  bool ended_ = false;  // What follows are trailers.
};

}  // namespace haul
