#pragma once
// Reads the head of an answer line by line, with limits, because a server may send an endless one.

#include <optional>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "io/web/http.h"

namespace haul::io {

class HeadReader {
 public:
  // False if the answer is refused; fault() says why.
  [[nodiscard]] bool add(std::string_view line);
  // Call it at the end of a head, with its status. False as above.
  [[nodiscard]] bool end(int status);

  const HttpHead& head() const { return head_; }
  const std::optional<Fault>& fault() const { return fault_; }
  // The codings of the body in the order they were applied: "gzip,gzip".
  std::string codings() const;

 private:
  bool refuse(const char* why);

  HttpHead head_;
  std::optional<Fault> fault_;
  std::size_t bytes_ = 0;
  int heads_ = 0;
  bool is_first_ = true;  // The next line is the first of a head.
  bool ended_ = false;    // Later lines are trailers.
};

}  // namespace haul::io
