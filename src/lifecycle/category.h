#pragma once
// Categories of jobs: a request that names one gets the folder and the limits that the
// configuration sets for it. Pure.

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lifecycle/request.h"

namespace haul {

inline constexpr std::int64_t kCategoryMax = 32;  // Bytes of a name.
inline constexpr std::size_t kCategoriesMax = 100;

struct Category {
  std::string name;
  std::string label{};              // Shown to people. Empty: the name.
  std::string folder{};             // Below the download folder. Empty: the download folder.
  std::vector<JsonField> limits{};  // By the names of limit_fields(), each as JSON.
};

// A name has a to z, 0 to 9, - and _.
std::string wrong_with_category(std::string_view name);

// The category that a stored request names. Empty if it names none.
std::string category_of(const RequestForm& form, const std::string& request);

const Category* find_category(std::span<const Category> all, std::string_view name);
// "expected films or music", or that none is configured.
std::string known_categories(std::span<const Category> all);

// The request with what its category sets: the folder if the request names none, and each limit
// unless the request's own is tighter (Z-11). Refuses an unknown category. Leaves values of the
// wrong type as they are, because the check of the request refuses them.
std::expected<std::vector<JsonField>, RequestProblem> with_category(const RequestForm& form,
                                                                    std::vector<JsonField> fields,
                                                                    std::span<const Category> all);

}  // namespace haul
