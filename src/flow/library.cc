#include "flow/library.h"

#include <utility>

#include "store/reader.h"

namespace haul {

LibraryLook LibraryCheck::run(Time now) {
  LibraryLook look;
  std::set<FileId> unsure;
  FileId after;
  for (std::vector<Asset> page = store_.catalog().assets(after, kListMax); !page.empty();
       page = store_.catalog().assets(after, kListMax)) {
    for (Asset& asset : page) {
      after = asset.id;
      if (asset.book.empty() || asset.status != "available") continue;
      ++look.looked;
      const Presence seen = look_for_(asset.path);
      if (seen == Presence::there) continue;
      if (seen == Presence::gone || unsure_.contains(asset.id)) {
        if (store_.catalog().lose(asset.id, AssetLoss::missing, now))
          look.lost.push_back(std::move(asset));
      } else {
        unsure.insert(asset.id);
        look.unsure.push_back(asset.path);
      }
    }
  }
  unsure_ = std::move(unsure);
  return look;
}

}  // namespace haul
