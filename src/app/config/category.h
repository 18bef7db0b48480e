#pragma once
// [category.NAME]: the folder, the limits and the label that jobs of a category get.

#include <vector>

#include "app/config/key.h"
#include "lifecycle/category.h"

namespace haul::app {

ConfigArea category_area();

// In the order of their names.
std::vector<Category> categories(const Config& config);

}  // namespace haul::app
