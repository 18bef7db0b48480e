#include "sink/server/places.h"

#include <fmt/core.h>

#include <utility>

#include "base/ensure.h"
#include "base/text.h"

namespace haul::media_server {
namespace {

constexpr Millis kKeptFor{600'000};

Fault environment(std::string code, std::string detail) {
  return {FaultKind::environment, std::move(code), std::move(detail)};
}

}  // namespace

ServerPlaces::ServerPlaces(const Clock& clock, Words words, PathMap paths, ListLibraries list)
    : clock_{clock}, words_{std::move(words)}, paths_{std::move(paths)}, list_{std::move(list)} {
  ensure(static_cast<bool>(list_), "the libraries of a server can be listed");
}

void ServerPlaces::locate(std::vector<std::string> paths, std::string kind, Then then) {
  const bool is_fresh = known_ && clock_.steady() - known_->since < kKeptFor;
  if (is_fresh) {
    auto found = located(paths, kind);
    // A library may be newer than the list.
    const bool may_be_new = !found && found.error().code == "path_not_in_library";
    if (!may_be_new) return then(std::move(found));
  }
  list_([this, paths = std::move(paths), kind = std::move(kind),
         then = std::move(then)](Result<Libraries> libraries) {
    if (!libraries) {
      known_.reset();
      return then(std::unexpected{libraries.error()});
    }
    known_ = {*std::move(libraries), clock_.steady()};
    auto found = located(paths, kind);
    if (found) found->requests = 1;
    then(std::move(found));
  });
}

Result<LocatedPaths> ServerPlaces::located(const std::vector<std::string>& paths,
                                           std::string_view kind) const {
  const Known* known = known_ ? &*known_ : nullptr;
  ensure(known, "the libraries are known before paths are looked for");
  LocatedPaths all;
  for (const std::string& path : paths) {
    const auto there = paths_.there(path);
    if (!there)
      return std::unexpected{environment(
          "path_not_mapped",
          fmt::format("'{}' is in no folder of {}: add \"{}'s folder=haul's folder\", or "
                      "\"identity\" if both see the same paths",
                      printable(path), words_.map_setting, words_.name))};
    const LibraryMatch match = library_of(known->libraries, *there, kind);
    if (!match.library)
      return std::unexpected{environment(
          "path_not_in_library",
          fmt::format("no library of {} has a folder that contains '{}': add one in "
                      "{}, or correct {}",
                      words_.name, printable(there->string()), words_.name, words_.map_setting))};
    all.places.push_back({there->string(), *match.library, match.is_folder_itself});
  }
  return all;
}

}  // namespace haul::media_server
