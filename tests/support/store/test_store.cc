#include "support/store/test_store.h"

#include <stdlib.h>

#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMemory = "memory:";
constexpr std::string_view kSqlite = "sqlite:";

std::string chosen() {
  const char* url = std::getenv("HAUL_TEST_STORE");  // NOLINT(concurrency-mt-unsafe)
  return url ? url : std::string{kMemory};
}

fs::path parent_folder() {
  const std::string url = chosen();
  if (url == kMemory) return fs::temp_directory_path();
  if (!url.starts_with(kSqlite) || url.size() == kSqlite.size())
    throw std::runtime_error{"HAUL_TEST_STORE: expected memory: or sqlite:FOLDER, not " + url};
  const fs::path folder = url.substr(kSqlite.size());
  fs::create_directories(folder);
  return folder;
}

// A store that removes its folder at the end.
class FolderStore final : public Store {
 public:
  FolderStore(const StoreOptions& options, Time now)
      : store_{open_store(folder_.url(), options, now)} {}

  Jobs& jobs() override { return store_->jobs(); }
  Reader& reader() override { return store_->reader(); }
  Items& items() override { return store_->items(); }
  Events& events() override { return store_->events(); }
  Workers& workers() override { return store_->workers(); }
  Intents& intents() override { return store_->intents(); }
  Catalog& catalog() override { return store_->catalog(); }
  Users& users() override { return store_->users(); }
  Access& access() override { return store_->access(); }
  Ledger& ledger() override { return store_->ledger(); }
  Limits& limits() override { return store_->limits(); }
  Manifest& manifest() override { return store_->manifest(); }
  Purges& purges() override { return store_->purges(); }
  Deliveries& deliveries() override { return store_->deliveries(); }
  Identity& identity() override { return store_->identity(); }
  Uptime& uptime() override { return store_->uptime(); }
  Duties& duties() override { return store_->duties(); }
  Sealed& sealed() override { return store_->sealed(); }

  void begin_outage() override { store_->begin_outage(); }
  void end_outage() override { store_->end_outage(); }
  bool in_outage() const override { return store_->in_outage(); }
  BotRows& bot() override { return store_->bot(); }

 private:
  TestFolder folder_;  // Removed after the store is closed.
  std::unique_ptr<Store> store_;
};

}  // namespace

TestFolder::TestFolder() {
  std::string name = (parent_folder() / "haul-store-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error{"cannot make the folder of a store"};
  folder_ = name;
}

TestFolder::~TestFolder() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::unique_ptr<Store> open_test_store(Time now, std::function<void(CommitPhase)> around_commit) {
  StoreOptions options;
  options.around_commit = std::move(around_commit);
  if (chosen() != kMemory) return std::make_unique<FolderStore>(options, now);
  return open_store(std::string{kMemory}, options, now);
}

}  // namespace haul::testing
