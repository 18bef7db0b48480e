#pragma once
// The library files of a job, looked at before haul proves them or removes their sources: whether
// each is in its place, and whether the library has the bytes of a source.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/file/beneath.h"
#include "seam/sight.h"
#include "sink/library/evidence.h"
#include "sink/library/known_hashes.h"

namespace haul::library {

// Where a source is, and what it is now.
struct SourceEntry {
  const SourceFile& listed;
  io::EntrySeen seen;
  io::EntrySeen folder;  // The folder that has the name.
  std::string name;
  std::function<Result<io::File>()> open;  // For reading, if its bytes must be compared.
};

class LibraryCopies {
 public:
  // Looks at each placed file. `evidence` is what landing them reported.
  LibraryCopies(std::span<const PlacedFile> placed, std::string_view evidence, KnownHashes& hashes);
  LibraryCopies(const LibraryCopies&) = delete;
  LibraryCopies& operator=(const LibraryCopies&) = delete;

  // Those that are regular files with the size that they landed with.
  std::vector<PlacedFile> present() const;
  // The first that is not, with the reason: "/lib/film.mkv is gone". Empty if all are present.
  std::string missing() const;
  // Why one cannot be looked at (environment): it may be there. No value if each could.
  std::optional<Fault> unseen() const;

  enum class Has : std::uint8_t {
    nothing_alike,  // No library file has the size of this source: it was not imported.
    bytes,          // A library file has its bytes, under a name of its own.
    other_bytes,    // Library files of this size have other bytes, or are gone by now.
    its_own_name,   // The library file is this very entry: removing it removes the library's file.
  };
  // Reads what it must. Faults if a file cannot be read, or with `stopped`.
  Result<Has> look_for(const SourceEntry& source, const io::CopyWatch& watch);
  // Whether the library file is still there in which look_for() has just found the bytes. True if
  // it found none.
  bool still_has() const { return !found_ || is_still_there(*found_); }

  // Whether a present file still has the bytes that were read from its source.
  Result<bool> is_whole(const PlacedFile& file, std::span<const SourceFile> sources,
                        const io::CopyWatch& watch);

 private:
  struct Copy {
    PlacedFile placed;
    LandedFile landed;     // Empty if there is no evidence of it.
    io::EntrySeen folder;  // The folder that has it.
    std::string name;
    io::EntrySeen seen;
    std::string wrong;             // Empty if it is present.
    std::optional<Fault> fault{};  // Why it is not known whether it is there.
  };

  static Copy look(const PlacedFile& file);
  static Result<io::File> open(const Copy& copy);
  static bool is_still_there(const Copy& copy);
  // A copy that still is what was seen.
  static Result<io::File> open_unchanged(const Copy& copy);
  Result<std::string> hash_of(const Copy& copy, const io::CopyWatch& watch);
  Result<bool> has_bytes(const Copy& copy, const SourceEntry& source, const io::CopyWatch& watch);

  KnownHashes& hashes_;
  std::vector<Copy> copies_;
  const Copy* found_ = nullptr;  // One of them, after a look_for() that says `bytes`.
};

}  // namespace haul::library
