#pragma once
// Books and assets in JSON.

#include <string>
#include <vector>

#include "store/catalog.h"

namespace haul::api {

// An asset's owner sees where the file is and where it came from. Operators see that too, with the
// tokens in URLs redacted. Others see neither.
enum class AssetView : std::uint8_t { of_owner, of_operator, of_another };

struct BookView {
  Book book;
  std::vector<std::string> assets;     // Each as JSON.
  std::vector<std::string> open_jobs;  // Each as JSON, newest first.
};

std::string to_json(const Asset& asset, AssetView view);
// The members of a JSON object without its braces, so that the caller can append more.
std::string members_of(const BookView& view);

}  // namespace haul::api
