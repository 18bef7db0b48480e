#include "engine/qbittorrent/replies.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "base/json.h"
#include "base/text.h"
#include "engine/qbittorrent/info_hash.h"

namespace haul::qbittorrent {

std::string ApiVersion::text() const { return fmt::format("{}.{}.{}", major, minor, patch); }

Result<ApiVersion> read_version(std::string_view text) {
  text = trimmed(text);
  int parts[3] = {0, 0, 0};
  std::size_t count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  bool good = !text.empty() && text.size() <= 20;
  while (good && count < 3) {
    const auto [stop, error] = std::from_chars(at, end, parts[count]);
    good = error == std::errc{} && parts[count] >= 0;
    ++count;
    at = stop;
    if (!good || at == end) break;
    good = *at++ == '.' && count < 3;
  }
  if (!good || at != end || count < 2)
    return std::unexpected{
        Fault{FaultKind::environment, "client_unknown",
              fmt::format("'{}' is not a Web API version", printable(text.substr(0, 40)))}};
  return ApiVersion{parts[0], parts[1], parts[2]};
}

LoginReply judge_login(int status, std::string_view body) {
  const std::string_view word = trimmed(body);
  if (status == 200 && word == "Ok.") return LoginReply::in;
  if (status == 200 && word == "Fails.") return LoginReply::wrong;
  if (status == 204) return LoginReply::in;
  // Newer versions answer 401 to wrong credentials. Every version answers 401 to a Host header that
  // it does not accept. A retry helps with neither.
  if (status == 401) return LoginReply::wrong;
  if (status == 403) return LoginReply::banned;
  return LoginReply::odd;
}

std::string cookie_pair(std::string_view set_cookie) {
  const std::string_view pair = trimmed(set_cookie.substr(0, set_cookie.find(';')));
  const std::size_t equals = pair.find('=');
  const bool is_plain =
      std::ranges::all_of(pair, [](char c) { return c > ' ' && c < '\x7f' && c != ','; });
  const bool is_pair = equals != std::string_view::npos && equals > 0 && equals + 1 < pair.size();
  return is_pair && is_plain && pair.size() <= 4'096 ? std::string{pair} : std::string{};
}

Addition judge_add(int status, std::string_view body) {
  const std::string_view word = trimmed(body);
  if (status == 409) return {AddReply::nothing_new, {}};
  if (status == 415) return {AddReply::not_torrent, {}};
  if (status == 401 || status == 403 || status == 400) return {AddReply::refused, {}};
  if (!is_good(status)) return {AddReply::odd, {}};
  if (word == "Fails.") return {AddReply::nothing_new, {}};
  if (word == "Ok." || word.empty()) return {AddReply::added, {}};
  const auto fields = read_object(word);
  if (!fields) return {AddReply::odd, {}};
  for (const JsonField& field : *fields) {
    if (field.name != "added_torrent_ids") continue;
    const auto ids = read_array(field.json);
    if (ids && ids->size() == 1)
      return {AddReply::added, hex_digits(ids->front(), 40).value_or("")};
  }
  const auto counts = [&](std::string_view name) {
    const auto found = std::ranges::find(*fields, name, &JsonField::name);
    return found != fields->end() && found->text != "0";
  };
  return {
      counts("success_count") || counts("pending_count") ? AddReply::added : AddReply::nothing_new,
      {}};
}

}  // namespace haul::qbittorrent
