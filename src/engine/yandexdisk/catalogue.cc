#include "engine/yandexdisk/catalogue.h"

#include <fmt/core.h>

#include <future>
#include <optional>
#include <set>
#include <utility>

#include "engine/yandexdisk/api.h"
#include "engine/yandexdisk/disk_path.h"

namespace haul::yandexdisk {
namespace {

constexpr std::int64_t kPageSize = 200;

using Done = std::function<void(Result<DiskListing>)>;

// One folder, page by page.
class FolderList final : public std::enable_shared_from_this<FolderList> {
 public:
  FolderList(DiskApi& api, std::string folder, Done done)
      : api_{api}, folder_{std::move(folder)}, done_{std::move(done)} {}

  void ask_next() {
    api_.ask(page_target(folder_, asked_, kPageSize),
             [self = shared_from_this()](const DiskApi::Answer& answer) { self->see(answer); });
  }

 private:
  void see(const DiskApi::Answer& answer) {
    if (!answer) return give_up(answer.error().fault);
    auto page = read_page(answer->body);
    if (!page) return give_up(page.error());
    if (total_ && *total_ != page->total)
      return give_up({FaultKind::retryable, "folder_changed", "the folder changed meanwhile"});
    total_ = page->total;
    for (DiskMeta& entry : page->entries) {
      if (!paths_.insert(entry.path).second)
        return give_up({FaultKind::retryable, "folder_changed", "the folder changed meanwhile"});
      listing_.entries.push_back(std::move(entry));
    }
    asked_ += kPageSize;
    unreadable_ += page->unreadable;
    const std::int64_t have = std::ssize(listing_.entries) + unreadable_;
    if (have >= *total_ && unreadable_ > 0)
      return give_up(disk_garbage(fmt::format("{} entries without what each has", unreadable_)));
    if (have >= *total_) return done_(std::move(listing_));
    if (have >= kListingMax)
      return give_up({FaultKind::permanent, "folder_too_large", "the folder has too many entries"});
    if (have < asked_)
      return give_up({FaultKind::retryable, "folder_changed", "a page of the folder is short"});
    ask_next();
  }

  void give_up(const Fault& why) {
    if (!total_) return done_(std::unexpected{why});
    listing_.is_complete = false;
    listing_.why_not = why;
    done_(std::move(listing_));
  }

  DiskApi& api_;
  const std::string folder_;
  Done done_;
  DiskListing listing_;
  std::set<std::string> paths_;
  std::int64_t asked_ = 0;  // Entries that were asked for so far.
  std::int64_t unreadable_ = 0;
  std::optional<std::int64_t> total_;
};

class Folders final : public DiskCatalogue {
 public:
  Folders(const CatalogueParts& parts, DiskSettings settings)
      : settings_{std::move(settings)},
        loop_{parts.loop},
        api_{std::make_unique<DiskApi>(parts.loop, parts.clock, parts.keeper, settings_)} {}
  // The API lives on the loop's thread and is destroyed there.
  ~Folders() override {
    std::promise<void> cleared;
    loop_.post([this, &cleared] {
      api_.reset();
      cleared.set_value();
    });
    cleared.get_future().wait();
  }

  void list(std::string folder, Done done) override {
    loop_.post([this, folder = std::move(folder), done = std::move(done)] {
      const auto path = disk_folder(folder);
      if (!path) return done(std::unexpected{path.error()});
      std::make_shared<FolderList>(*api_, *path, done)->ask_next();
    });
  }

 private:
  const DiskSettings settings_;
  io::HttpLoop& loop_;
  std::unique_ptr<DiskApi> api_;
};

}  // namespace

std::unique_ptr<DiskCatalogue> make_disk_catalogue(const CatalogueParts& parts,
                                                   DiskSettings settings) {
  return std::make_unique<Folders>(parts, std::move(settings));
}

}  // namespace haul::yandexdisk
