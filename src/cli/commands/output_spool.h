#pragma once
// The file of `haul get -o -`: it is downloaded into a temporary folder, then written to standard
// output, or with --stream while it arrives.

#include <cstdint>
#include <filesystem>
#include <memory>

#include "base/fault.h"
#include "base/hash.h"
#include "cli/draw/progress.h"

namespace haul::cli {

class OutputSpool {
 public:
  // Makes a private folder below `temporary`, which goes with this object. `output` is a
  // descriptor.
  static Result<std::unique_ptr<OutputSpool>> open(const std::filesystem::path& temporary,
                                                   int output);
  ~OutputSpool();
  OutputSpool(const OutputSpool&) = delete;
  OutputSpool& operator=(const OutputSpool&) = delete;

  static constexpr const char* kName = "file";  // The name of the file in folder().
  std::filesystem::path folder() const { return root_ / "files"; }
  std::filesystem::path state() const { return root_ / "state"; }

  // So many bytes from the first one are in the part. Writes those that are not written yet.
  void take(std::int64_t have);
  // The file has arrived. Writes the rest. Fault if the reader is gone, or if bytes were written
  // that the file does not have: the server's file changed on the way.
  [[nodiscard]] Result<void> finish();
  // Whether a program still reads the output.
  bool is_read() const { return is_read_; }

 private:
  OutputSpool(std::filesystem::path root, int output, Hasher hasher);
  // Writes the bytes from written_ up to `end`.
  void copy(const std::filesystem::path& from, std::int64_t end);

  const std::filesystem::path root_;
  const int output_;
  std::int64_t written_ = 0;
  Hasher hasher_;  // Of the bytes written while the file arrived.
  bool is_read_ = true;
};

// Passes everything on to `shown`, and the bytes of the one file to the spool.
std::unique_ptr<Progress> streaming_progress(Progress& shown, OutputSpool& spool);

}  // namespace haul::cli
