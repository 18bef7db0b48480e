#include "support/store/stopped_store.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "store/sqlite/sqlite.h"

namespace haul::testing {

StoppedStore::StoppedStore(const std::function<void(Bench&)>& fill) {
  Bench bench{open_sqlite(folder_.path(), {}, Bench::kStart)};
  fill(bench);
}

Finished StoppedStore::shell(const std::string& sql) const {
  return run_program({"sqlite3", "-batch", "-init", "/dev/null", file().string(), sql});
}

std::string StoppedStore::answer(const std::string& sql) const {
  const Finished finished = shell(sql);
  REQUIRE_MESSAGE(finished.code == 0, finished.err);
  return finished.out;
}

std::string read_bytes(const std::filesystem::path& file) {
  std::ifstream in{file, std::ios::binary};
  REQUIRE_MESSAGE(in.is_open(), "cannot read " << file.string());
  return {std::istreambuf_iterator<char>{in}, {}};
}

void check_refused(const StoppedStore& store, const std::string& sql,
                   const std::vector<std::string>& words) {
  INFO(sql);
  const std::string before = read_bytes(store.file());

  const Finished finished = store.shell(sql);

  CHECK_MESSAGE(finished.code > 0, "it was allowed");
  CHECK_MESSAGE((read_bytes(store.file()) == before), "the file has changed");
  for (const std::string& word : words)
    CHECK_MESSAGE(finished.err.find(word) != std::string::npos,
                  "'" << word << "' is not in: " << finished.err);
}

void check_allowed(const StoppedStore& store, const std::string& sql) {
  INFO(sql);
  const Finished finished =
      store.shell("BEGIN; " + sql + "; SELECT 'changed ' || changes(); ROLLBACK;");
  CHECK_MESSAGE(finished.code == 0, finished.err);
  CHECK(finished.out == "changed 1\n");
}

}  // namespace haul::testing
