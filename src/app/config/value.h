#pragma once
// Checks the value of a key by its row. Pure.

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/config/key.h"
#include "io/web/address.h"

namespace haul::app {

// What is wrong with a value, and what was expected. Empty if it is valid. For an element of a list
// it begins with the index: "[1]: …".
std::string wrong_with(const ConfigKey& key, const std::string& value);

// The elements of a list: "a, b".
std::vector<std::string> elements_of(std::string_view list);
std::optional<std::int64_t> whole_number(std::string_view text);

// Checks that several keys share.
std::string wrong_with_network(const std::string& text);
// An entry of a path map: the other program's folder, then haul's.
std::string wrong_with_mapping(const std::string& text);
// A folder that haul keeps or removes files in. Absolute, or empty.
std::string wrong_with_root(const std::string& text);

// "http://127.0.0.1:32400", without a trailing slash. Empty if the text is no HTTP address.
std::string server_address(const std::string& text);

// The networks of a list. A refusal names the key and the index in the list.
Result<std::vector<io::Network>> networks_in(std::string_view key,
                                             const std::vector<std::string>& texts);

// The value in quotes, safe to print.
std::string in_quotes(std::string_view text);

// Refuses a configuration. `from` says where the value comes from: "haul.toml:3".
std::unexpected<Fault> bad_config(std::string_view from, std::string_view why);

}  // namespace haul::app
