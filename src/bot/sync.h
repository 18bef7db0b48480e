#pragma once
// Lists the disk into the catalogue, folder by folder and page by page. A folder that cannot be
// listed is left out. A listing that is not whole removes nothing (S3-25).

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "store/bot.h"

namespace haul::bot {

struct ListRequest {
  std::string path;
  std::size_t offset = 0;
  std::size_t limit = 200;

  bool operator==(const ListRequest&) const = default;
};

// One page of a folder, as the disk lists it.
struct ListedPage {
  struct Entry {
    std::string path;
    std::string name;
    bool is_folder = false;
    std::int64_t size = 0;
  };
  std::vector<Entry> entries;
  std::size_t total = 0;         // Entries of the folder on all pages.
  std::optional<Fault> lacks{};  // Why entries are missing, if some are.
};

// Lists a page of a folder and calls `then` once, on any thread.
using ListThen = std::function<void(Result<ListedPage>)>;
using ListFolder = std::function<void(const ListRequest&, ListThen then)>;

struct SyncEnd {
  bool is_whole = false;
  std::size_t entries = 0;
  std::size_t gone = 0;
  std::string why{};     // Why it is not whole: a stable word.
  std::string folder{};  // The first one that is not whole, if it was one.
  bool may_pass = true;  // Another round may soon be whole.
};

class CatalogueSync {
 public:
  CatalogueSync(BotCatalogue& catalogue, std::string root, std::size_t entries_max = 100'000)
      : catalogue_{catalogue}, root_{std::move(root)}, entries_max_{entries_max} {}

  // Begins a new round, also in the middle of another.
  void begin(Time now);
  bool is_running() const { return !folders_.empty(); }
  // The page to list next. Nothing if no round is running.
  std::optional<ListRequest> next() const;
  // The answer to next(). Returns how the round ended, if it has.
  std::optional<SyncEnd> see(const Result<ListedPage>& page, Time now);

 private:
  struct Folder {
    EntryId id;
    std::string path;
    std::size_t offset = 0;
    std::optional<std::size_t> total{};
  };
  struct LackingFolder {
    std::string path;
    std::string code;
  };
  std::optional<SyncEnd> stop(std::string why);
  // The folder that is listed now is not whole.
  void remember(const Fault& why);
  // If all folders were listed.
  std::optional<SyncEnd> finish(Time now);
  void take(Folder& folder, const ListedPage& page);

  BotCatalogue& catalogue_;
  const std::string root_;
  const std::size_t entries_max_;
  std::deque<Folder> folders_;
  std::int64_t round_ = 0;
  std::size_t entries_ = 0;
  bool has_changed_ = false;  // A folder changed while it was listed: entries may be missing.
  std::optional<LackingFolder> lacking_{};  // The first one.
  std::size_t lacking_count_ = 0;
  bool may_pass_ = false;
};

}  // namespace haul::bot
