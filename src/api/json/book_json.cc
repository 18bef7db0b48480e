#include "api/json/book_json.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/redact.h"

namespace haul::api {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ",") + item;
  return out;
}

}  // namespace

std::string to_json(const Asset& asset, AssetView view) {
  const bool whole = view != AssetView::of_another;
  const std::string& source = asset.source_url;
  Json json;
  json["id"] = asset.id.value;
  json["book"] = or_null(asset.book);
  json["media_type"] = asset.media_type;
  json["status"] = asset.status;
  json["size"] = asset.size ? Json(*asset.size) : Json(nullptr);
  json["created_at"] = to_iso(asset.created_at);
  json["removed_at"] = asset.removed_at ? Json(to_iso(*asset.removed_at)) : Json(nullptr);
  json["job"] = whole ? Json(asset.job.value) : Json(nullptr);
  json["path"] = whole ? or_null(asset.path) : Json(nullptr);
  json["checksum"] = whole ? or_null(asset.checksum) : Json(nullptr);
  json["source_url"] =
      whole ? or_null(view == AssetView::of_owner ? source : redacted(source)) : Json(nullptr);
  json["source"] = whole ? or_null(asset.source) : Json(nullptr);
  // A path may contain any bytes: replace bytes that are not UTF-8 instead of throwing.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string members_of(const BookView& view) {
  return fmt::format(R"("id":{},"title":{},"shelf":"{}","assets":[{}],"open_jobs":[{}])",
                     json_quoted(view.book.id), json_quoted(view.book.title), view.book.shelf,
                     joined(view.assets), joined(view.open_jobs));
}

}  // namespace haul::api
