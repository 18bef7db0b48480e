#pragma once
// Books and assets in JSON.

#include <string>
#include <vector>

#include "store/catalog.h"

namespace haul {

// Where a file lies and where it came from is its owner's to know, and the operators', who see no
// tokens of addresses.
enum class AssetView : std::uint8_t { of_owner, of_operator, of_another };

struct BookView {
  Book book;
  std::vector<std::string> assets;     // Each as JSON.
  std::vector<std::string> open_jobs;  // Likewise, newest first.
};

std::string to_json(const Asset& asset, AssetView view);
// The members of an object, without its braces, so that more can follow.
std::string members_of(const BookView& view);

}  // namespace haul
