#include "flow/batch/relink.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "base/json.h"
#include "base/url.h"
#include "base/url_options.h"
#include "lifecycle/request.h"
#include "seam/former_link.h"
#include "seam/item_key.h"

namespace haul::flow {
namespace {

using Fields = std::vector<JsonField>;

std::string put_together(const std::map<std::string, std::string>& fields) {
  std::string out;
  for (const auto& [name, json] : fields)
    out += fmt::format("{}{}:{}", out.empty() ? "" : ",", json_quoted(name), json);
  return "{" + out + "}";
}

bool is_other_origin(const std::string& former, const std::string& url) {
  const auto before = parse_url(former);
  const auto now = parse_url(url);
  return !before || !now || before->origin() != now->origin();
}

// The URLs of the request in the order of their positions, and how many come before `urls`.
struct GivenUrls {
  std::vector<std::string> urls;
  std::size_t before = 0;
};
GivenUrls listed_in(const Fields& fields) {
  GivenUrls all;
  if (const JsonField* url = find_field(fields, "url"); url && !is_unset(*url)) {
    all.urls.push_back(url->text);
    all.before = 1;
  }
  const JsonField* urls = find_field(fields, "urls");
  if (const auto list = urls ? read_array(urls->json) : Result<std::vector<std::string>>{})
    all.urls.insert(all.urls.end(), list->begin(), list->end());
  return all;
}

// The options that the request has for the item alone, as JSON. Empty if there are none.
std::string own_options(const Fields& fields, const std::string& key, bool with_secrets) {
  const JsonField* each = find_field(fields, "each");
  const auto options =
      each ? read_url_options(each->json) : Result<std::map<std::size_t, UrlOptions>>{};
  if (!options || options->empty()) return {};
  const GivenUrls all = listed_in(fields);
  std::map<std::size_t, UrlOptions> by_position;
  for (const auto& [position, own] : *options) by_position[all.before + position] = own;
  const std::vector<std::string> keys = item_keys(all.urls, by_position);
  const auto found = std::ranges::find(keys, key);
  const auto position = static_cast<std::size_t>(found - keys.begin());
  if (found == keys.end() || !by_position.contains(position)) return {};
  const auto members = read_object(each->json);
  const auto member =
      std::ranges::find(*members, std::to_string(position - all.before), &JsonField::name);
  const auto own = member == members->end() ? Result<Fields>{} : read_object(member->json);
  std::map<std::string, std::string> kept;
  for (const JsonField& field : *own)
    if (with_secrets || field.name != "headers") kept[field.name] = field.json;
  return kept.empty() ? "" : put_together(kept);
}

// The filters chose the item already; only its size is not known for certain.
std::string filters_left(const JsonField& filters) {
  const auto inner = read_object(filters.json);
  const JsonField* most = inner ? find_field(*inner, "max_size") : nullptr;
  return most ? fmt::format(R"({{"max_size":{}}})", most->json) : "";
}

bool contains(auto names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

NewItem continued_at(const Item& item, const std::string& url) {
  const auto parsed = parse_url(url);
  const std::string address = parsed ? parsed->text : url;
  return {.key = address,
          .url = address,
          .size = {},
          .skip = {},
          .checkpoint = at_new_link(item.checkpoint, item.url)};
}

std::expected<Relinked, Refusal> relink(std::string_view request, const Item& item,
                                        const std::string& url) {
  constexpr std::array<std::string_view, 7> kOfTheList = {
      "url", "urls", "each", "filters", "discover", "pages_max", "engine"};
  constexpr std::array<std::string_view, 3> kOfOneFile = {"name", "checksum", "mirrors"};
  constexpr std::array<std::string_view, 4> kOfTheOrigin = {"headers", "cookies", "netrc",
                                                            "insecure"};
  if (const std::string_view engine = engine_of(item.key); engine != kHttp)
    return std::unexpected{
        Refusal{RefusalKind::forbidden, "no_link",
                fmt::format("item {} has no link to replace: {} fetches it", item.n, engine)}};
  const auto fields = read_object(request);
  if (!fields) return std::unexpected{Refusal{RefusalKind::guarded, "bad_request", ""}};
  const bool is_other = is_other_origin(item.url, url);
  const JsonField* discover = find_field(*fields, "discover");
  const bool is_single =
      listed_in(*fields).urls.size() == 1 && !(discover && discover->text == "true");
  std::map<std::string, std::string> kept;
  for (const JsonField& field : *fields) {
    if (is_unset(field) || contains(kOfTheList, field.name)) continue;
    if (contains(kOfOneFile, field.name) && !is_single) continue;
    if (contains(kOfTheOrigin, field.name) && is_other) continue;
    kept[field.name] = field.json;
  }
  kept["urls"] = "[" + json_quoted(url) + "]";
  kept["engine"] = json_quoted(kHttp);
  if (const std::string own = own_options(*fields, item.key, !is_other); !own.empty())
    kept["each"] = fmt::format(R"({{"0":{}}})", own);
  const JsonField* filters = find_field(*fields, "filters");
  if (const std::string left = filters ? filters_left(*filters) : ""; !left.empty())
    kept["filters"] = left;
  return Relinked{.request = put_together(kept), .item = continued_at(item, url)};
}

}  // namespace haul::flow
