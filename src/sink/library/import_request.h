#pragma once
// What a media request says about the names of its files, and why files are not imported.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "base/id.h"

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
  std::string code;    // no_video, cannot_parse, ambiguous, two_for_one_target, no_library
  std::string detail;  // Prose for people.
  std::string fix;     // What to do, as a sentence or a command. JOB stands for the job's number.

  bool operator==(const ImportRefusal&) const = default;
};

// The command that says what a file is: haul import JOB --file 'Show 2.mkv=S01E02'. The name of a
// file cannot break out of its quotes in a shell.
std::string file_command(std::string_view file, std::string_view as);

// The fix with the job's number in its command.
std::string fix_for(const ImportRefusal& refusal, JobId job);

}  // namespace haul::library
