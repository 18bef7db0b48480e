#pragma once
// What the fakes of web services share: a request as they read it, and how they misbehave.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/io/fake_reply.h"

namespace haul::testing {

struct SentRequest {
  std::string method;
  std::string path;                           // Without the query.
  std::map<std::string, std::string> fields;  // Of the query, decoded.
  std::vector<std::string> headers;           // "Name: value"
  std::string body;
  std::string url;  // As it was sent.

  std::string header(std::string_view name) const;  // Empty if it is absent.
  std::string field(const std::string& name) const;
};
SentRequest read_sent(const io::HttpRequest& sent);

// How a fake answers, instead of as it should.
struct FakeMood {
  enum class Is : std::uint8_t {
    well,
    unreachable,
    unauthorized,
    starting,  // 503
    garbage,
    silent,  // Takes the request and never answers.
    redirecting,
  };
  Is is = Is::well;
  std::string only{};  // Only requests whose path has this text. Empty for all.
  std::string garbage = "<!DOCTYPE html><html><body>router</body></html>";

  bool decides(const SentRequest& request) const;
  // The answer. No value for silence.
  std::optional<FakeReply> reply() const;
};

// A whole number of a query, or `otherwise`.
std::size_t number_of(const std::string& text, std::size_t otherwise);
// Whether `text` has `part`, in whatever case.
bool has_part(std::string_view text, std::string_view part);
// Whether a text that lists words with commas has this word.
bool lists(std::string_view list, std::string_view word);
// The videos below a folder of this machine, by their paths, with their sizes. Empty if it is not a
// folder.
std::map<std::string, std::int64_t> videos_below(const std::string& folder);

}  // namespace haul::testing
