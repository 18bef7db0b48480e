#pragma once
// A job whose files are in the library, and the clean of its sources.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "sink/library/clean.h"
#include "support/io/library_bench.h"

namespace haul::testing {

class CleanBench {
 public:
  // A source, and its copy in the library. The copy's name is the source's.
  const SourceFile& add(const std::string& path, const std::string& text) {
    const SourceFile& source = add_source(path, text);
    LibraryBench::write(b.movies() / path, text);
    place(path, text);
    return source;
  }
  // A source whose library file is the same file.
  const SourceFile& add_link(const std::string& path, const std::string& text) {
    const SourceFile& source = add_source(path, text);
    std::filesystem::create_directories((b.movies() / path).parent_path());
    std::filesystem::create_hard_link(b.downloads() / path, b.movies() / path);
    placed.push_back({(b.movies() / path).string(), source.size});
    landed.push_back({placed.back().path, source.size, path, "hardlink", ""});
    return source;
  }
  // A source that was not imported.
  const SourceFile& add_source(const std::string& path, const std::string& text) {
    sources.push_back(b.download(path, text));
    return sources.back();
  }
  void place(const std::string& path, const std::string& text) {
    placed.push_back({(b.movies() / path).string(), static_cast<std::int64_t>(text.size())});
    landed.push_back({placed.back().path, placed.back().size, path, "copy", sha256_hex(text)});
  }

  library::CleanEnd clean(const io::CopyWatch& watch = {}) {
    told.clear();
    const std::string evidence = library::evidence_json(landed);
    const library::CleanEnv env{.by = by,
                                .store = kTestStore,
                                .clock = b.clock,
                                .hashes = b.hashes,
                                .library_roots = library_roots,
                                .root_records = root_records,
                                .download_roots = download_roots ? *download_roots : roots()};
    return library::clean_sources(env,
                                  {.job = JobId{1},
                                   .sources = sources,
                                   .placed = placed,
                                   .evidence = evidence,
                                   .why_kept = why_kept},
                                  watch, [this](const std::vector<CleanedFile>& files) {
                                    for (const CleanedFile& file : files) told[file.path] = file;
                                  });
  }
  // The outcome of a clean, or the code of its fault.
  std::string outcome(const io::CopyWatch& watch = {}) {
    const library::CleanEnd end = clean(watch);
    return end.fault ? end.fault->code : end.outcome;
  }
  // "a=deleted b=kept_unsafe"
  std::string outcomes() const {
    std::string text;
    for (const auto& [path, file] : told)
      text += (text.empty() ? "" : " ") + path + "=" + file.outcome;
    return text;
  }
  std::string downloads() const { return LibraryBench::tree(b.downloads()); }

  LibraryBench b;
  library::CleanBy by = library::CleanBy::deleting;
  std::vector<std::filesystem::path> library_roots;
  std::filesystem::path root_records;
  // Those of the configuration. Default: the roots of the sources.
  std::optional<std::vector<std::filesystem::path>> download_roots;
  WhyKept why_kept;
  std::vector<SourceFile> sources;
  std::vector<PlacedFile> placed;
  std::vector<library::LandedFile> landed;
  std::map<std::string, CleanedFile> told;  // By path, from the last clean.

 private:
  std::vector<std::filesystem::path> roots() const {
    std::vector<std::filesystem::path> roots;
    for (const SourceFile& source : sources) roots.emplace_back(source.root);
    return roots;
  }
};

}  // namespace haul::testing
