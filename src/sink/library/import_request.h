#pragma once
// What a media request says about the names of its files, and what a person says by hand.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fault.h"

namespace haul::library {

enum class LibraryKind : std::uint8_t { movie, series };

// The fields of a media request (lifecycle/media.cc). What it does not say is empty.
struct ImportRequest {
  std::optional<LibraryKind> kind{};
  std::string title{};
  std::optional<int> year{};
  std::optional<int> season{};
  std::optional<int> episode{};
  std::string quality{};
  std::string release_name{};

  bool operator==(const ImportRequest&) const = default;
};

// Reads the request of a job, which was checked when the job was added.
Result<ImportRequest> read_import_request(std::string_view json);

// Why files are not imported. The job waits until a person follows the fix.
struct ImportRefusal {
  std::string code;    // no_video, cannot_parse, ambiguous, two_for_one_target
  std::string detail;  // Prose for people.
  std::string fix;     // What to do, as a sentence or a command.

  bool operator==(const ImportRefusal&) const = default;
};

// `haul import JOB --as …`: what a file is, said by hand.
struct ImportOverride {
  std::string path{};  // The file, by its path or by its name alone. Empty: the job as a whole.
  std::string as{};    // "S01E02", "S01", "1x02", "2024-01-15", "movie" or "skip".

  bool operator==(const ImportOverride&) const = default;
};

// Reads "S01E02" or "Show 2.mkv=S01E02". The last '=' ends the path.
ImportOverride read_override(std::string_view text);

// The command that says what a file is: haul import JOB --as 'Show 2.mkv=S01E02'. The name of a
// file cannot break out of its quotes in a shell.
std::string override_command(std::string_view file, std::string_view as);

}  // namespace haul::library
