#pragma once
// A long JSON array, cut into its elements without building any of it.

#include <string_view>
#include <vector>

namespace haul {

struct TakenArray {
  std::vector<std::string_view> elements;
  bool is_whole = false;  // False: the text ends before the array does, or has none.
};

// The text of each element of the first array in the text, in order; what is not whole is left out.
// The array is taken off the front of the text, so that the next one can be asked for.
TakenArray take_array(std::string_view& text);

}  // namespace haul
