#include "cli/commands/user_id.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "base/json.h"
#include "cli/draw/table.h"

namespace haul::cli {

OrFailure<std::int64_t> user_id(Remote remote, const std::string& user) {
  const bool is_number = !user.empty() && user.size() < 18 && std::ranges::all_of(user, is_digit);
  if (is_number) return std::stoll(user);
  std::optional<std::int64_t> found;
  const Walk users{.path = "/api/v1/users", .page = {.limit = {}, .all = true}};
  const auto walked = walk(remote, users, [&](const ListView& page) {
    for (const std::string& text : page.items) {
      const auto each = JsonView::read(text);
      if (each && each->text("name") == user) found = each->number("id");
    }
  });
  if (!walked) return std::unexpected{walked.error()};
  if (found) return *found;
  const std::string detail = fmt::format("there is no user '{}'", user);
  return std::unexpected{Failure{
      .line = cell_text(detail) + " (no_such_user)",
      .json = fmt::format(R"({{"code":"no_such_user","detail":{}}})", json_quoted(detail))}};
}

}  // namespace haul::cli
