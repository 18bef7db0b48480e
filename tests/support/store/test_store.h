#pragma once
// The store of tests that must hold for every backend: an empty one that no other test uses. The
// environment variable HAUL_TEST_STORE chooses the backend: "memory:" (the default) or
// "sqlite:FOLDER".

#include <filesystem>
#include <string>

#include "store/open.h"

namespace haul::testing {

// Where a test opens a store on disk, closes it and opens it again: a new folder below that of
// HAUL_TEST_STORE, or below the system's temporary folder. Its destructor removes the folder.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::string url() const { return store_url(folder_); }
  std::unique_ptr<Store> open(Time now) const { return open_store(url(), {}, now); }

 private:
  std::filesystem::path folder_;
};

// See StoreOptions::around_commit.
std::unique_ptr<Store> open_test_store(Time now,
                                       std::function<void(CommitPhase)> around_commit = {});

}  // namespace haul::testing
