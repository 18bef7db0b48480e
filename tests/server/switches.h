#pragma once
// What a test asks of the server, one query parameter each; README.md lists them. An unknown switch
// is refused, because a test with a misspelt fault would pass and prove nothing.

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace haul::server {

struct BadSwitch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reads a whole decimal number. Throws BadSwitch with the name of the switch.
std::uint64_t read_number(std::string_view name, std::string_view text);

class Switches {
 public:
  // Throws BadSwitch if a name is unknown.
  explicit Switches(std::string_view query);

  // Still percent-encoded. Empty if it is not given.
  std::string_view raw(std::string_view name) const;
  std::optional<std::string> text(std::string_view name) const;
  std::string text(std::string_view name, std::string_view otherwise) const;
  // One of these words, by default the first. Throws BadSwitch for any other.
  std::string word(std::string_view name, std::vector<std::string_view> words) const;
  std::optional<std::uint64_t> number(std::string_view name) const;
  std::uint64_t number(std::string_view name, std::uint64_t otherwise) const;

  // The same query with another value for one switch.
  std::string query_with(std::string_view name, std::uint64_t value) const;

 private:
  struct Switch {
    std::string name;
    std::string value;  // Still percent-encoded.
  };
  std::vector<Switch> all_;
};

}  // namespace haul::server
