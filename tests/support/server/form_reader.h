#pragma once
// Reads a multipart body as the Bot API does, piece by piece. It keeps the fields and the digest of
// the file, but not its bytes.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.h"

namespace haul::testing {

// A file as the Bot API has read it.
struct ReadFile {
  std::string field;  // The name of its part.
  std::string name;   // Cut and cleaned as the Bot API does.
  std::string mime;
  std::int64_t size = 0;
  std::string sha256;
};

class FormReader {
 public:
  explicit FormReader(std::string boundary) : boundary_{std::move(boundary)} {}

  // False once the body is not a form.
  bool add(std::string_view bytes);
  // The last part has come to its end.
  bool is_whole() const { return at_ == At::end; }
  // Bytes of the file so far.
  std::int64_t came() const { return file_ ? file_->size : 0; }

  const std::map<std::string, std::string>& fields() const { return fields_; }
  const std::optional<ReadFile>& file() const { return file_; }

 private:
  enum class At : std::uint8_t { start, head, part, after_part, end, broken };

  // One step. False if it needs more bytes.
  bool step();
  bool read_start();
  bool read_head();
  bool read_part();
  bool read_after_part();
  void take(std::string_view bytes);
  void end_part();
  bool broken();

  const std::string boundary_;
  At at_ = At::start;
  std::string unread_;
  std::string field_;  // The part that is read.
  bool is_file_ = false;
  std::map<std::string, std::string> fields_;
  std::optional<ReadFile> file_;
  std::optional<Hasher> hasher_;
};

// The name that the Bot API keeps.
std::string cleaned_name(std::string_view name);

}  // namespace haul::testing
