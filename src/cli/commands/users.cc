// `haul users`: lists users, adds or changes one.

#include <fmt/core.h>

#include <istream>

#include "base/secret.h"
#include "cli/commands/user_id.h"
#include "cli/draw/job_lines.h"
#include "cli/remote/json_body.h"
#include "cli/remote/print.h"

namespace haul::cli {
namespace {

int list_users(const PageOptions& page, Remote remote) {
  Table table{{{.title = "ID", .align = Align::right, .least = 20},
               {.title = "NAME", .least = 8},
               {.title = "ROLE", .least = 5},
               {.title = "STATUS", .least = 6},
               {.title = "SINCE", .least = 19, .spare = 1}},
              remote.columns,
              remote.colour};
  return print_table(remote, {.path = "/api/v1/users", .page = page, .default_limit = 100},
                     std::move(table), [](Table& rows, const JsonView& user) {
                       const std::string status = user.text("status");
                       rows.add({{user.text("id")},
                                 {user.text("name")},
                                 {user.text("role")},
                                 {status, status == "active" ? Ink::green : Ink::yellow},
                                 {time_of(user, "created_at"), Ink::dim}});
                     });
}

std::string user_sentence(const JsonView& user) {
  return cell_text(fmt::format("User {} ({}) is {}, {}", user.text("id"), user.text("name"),
                               user.text("role"), user.text("status")));
}

int add_user(const UsersOptions& options, Remote remote) {
  JsonBody body;
  body.text("name", options.user).text("role", options.role);
  return print_reply(remote, {.method = "POST", .path = "/api/v1/users", .body = body.str()},
                     user_sentence);
}

int set_user(const UsersOptions& options, std::istream& standard_input, Remote remote) {
  std::string password;
  if (options.password) {
    std::getline(standard_input, password);
    if (password.ends_with('\r')) password.pop_back();
    if (password.empty())
      return tell(wrong_usage("--password: expected a password on standard input"), remote);
    if (const std::string why = why_no_password(password); !why.empty())
      return tell(wrong_usage("--password: " + why), remote);
  }
  if (options.role.empty() && options.status.empty() && password.empty())
    return tell(wrong_usage("nothing to change: give --role, --status or --password"), remote);
  const auto id = user_id(remote, options.user);
  if (!id) return tell(id.error(), remote);
  JsonBody body;
  body.text("role", options.role).text("status", options.status).text("password", password);
  return print_reply(
      remote, {.method = "POST", .path = fmt::format("/api/v1/users/{}", *id), .body = body.str()},
      user_sentence);
}

}  // namespace

int run_users(const UsersOptions& options, std::istream& standard_input, Remote remote) {
  switch (options.act) {
    case UsersAct::list:
      return list_users(options.page, remote);
    case UsersAct::add:
      return add_user(options, remote);
    case UsersAct::set:
      return set_user(options, standard_input, remote);
  }
  return 2;
}

}  // namespace haul::cli
