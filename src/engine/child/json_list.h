#pragma once
// Splits a long JSON array into its elements without parsing them.

#include <string_view>
#include <vector>

namespace haul::child {

struct TakenArray {
  std::vector<std::string_view> elements;
  bool is_whole = false;  // False if the text has no array, or ends before the array does.
};

// Returns the text of each element of the first array, in order, without an incomplete last one.
// Removes the array from the front of the text, so that the next call reads the next array.
TakenArray take_array(std::string_view& text);

}  // namespace haul::child
