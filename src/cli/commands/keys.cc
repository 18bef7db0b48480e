// `haul keys`: lists API keys, adds or revokes one.

#include <fmt/core.h>

#include "base/json.h"
#include "cli/commands/user_id.h"
#include "cli/draw/job_lines.h"
#include "cli/remote/json_body.h"
#include "cli/remote/print.h"

namespace haul::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

int list_keys(const PageOptions& page, Remote remote) {
  Table table{{{.title = "ID", .align = Align::right, .least = 20},
               {.title = "NAME", .least = 8},
               {.title = "USER", .align = Align::right, .least = 4},
               {.title = "SCOPES", .least = 8, .spare = 1},
               {.title = "BEGINS", .least = 8, .spare = 3},
               {.title = "USED", .least = 19, .spare = 2},
               {.title = "REVOKED", .least = 10}},
              remote.columns,
              remote.colour};
  return print_table(remote, {.path = "/api/v1/keys", .page = page, .default_limit = 100},
                     std::move(table), [](Table& rows, const JsonView& key) {
                       rows.add({{key.text("id")},
                                 {key.text("name")},
                                 {key.text("user")},
                                 {joined(key.list("scopes"))},
                                 {key.text("prefix"), Ink::dim},
                                 {time_of(key, "used_at"), Ink::dim},
                                 {time_of(key, "revoked_at"), Ink::red}});
                     });
}

int add_key(const KeysOptions& options, Remote remote) {
  JsonBody body;
  body.text("name", options.name);
  if (!options.scopes.empty()) {
    std::vector<std::string> quoted;
    quoted.reserve(options.scopes.size());
    for (const std::string& scope : options.scopes) quoted.push_back(json_quoted(scope));
    body.json("scopes", "[" + joined(quoted) + "]");
  }
  if (!options.user.empty()) {
    const auto id = user_id(remote, options.user);
    if (!id) return tell(id.error(), remote);
    body.json("user", std::to_string(*id));
  }
  return print_reply(remote, {.method = "POST", .path = "/api/v1/keys", .body = body.str()},
                     [](const JsonView& key) {
                       return fmt::format("Key {} has the scopes {}. haul shows it only once:\n{}",
                                          cell_text(key.text("id")),
                                          cell_text(joined(key.list("scopes"))),
                                          cell_text(key.text("key")));
                     });
}

int revoke_key(const KeysOptions& options, Remote remote) {
  return print_reply(
      remote, {.method = "DELETE", .path = fmt::format("/api/v1/keys/{}", options.id)},
      [&](const JsonView&) {
        return fmt::format("Key {} and all keys created with it are revoked", options.id);
      });
}

}  // namespace

int run_keys(const KeysOptions& options, Remote remote) {
  switch (options.act) {
    case KeysAct::list:
      return list_keys(options.page, remote);
    case KeysAct::add:
      return add_key(options, remote);
    case KeysAct::revoke:
      return revoke_key(options, remote);
  }
  return 2;
}

}  // namespace haul::cli
