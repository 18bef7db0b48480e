// `haul users`, `keys`, `credits` and `audit`.

#include <fmt/core.h>

#include <algorithm>
#include <istream>
#include <ostream>

#include "base/ascii.h"
#include "base/json.h"
#include "base/secret.h"
#include "cli/draw/job_lines.h"
#include "cli/remote/answers.h"

namespace haul {
namespace {

constexpr std::size_t kKeyLength = 22;  // 128 bits.

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

// Builds a JSON body; leaves out fields without a value.
class Body {
 public:
  Body& text(std::string_view name, const std::string& value) {
    return value.empty() ? *this : json(name, json_quoted(value));
  }
  Body& json(std::string_view name, const std::string& value) {
    body_ += fmt::format("{}\"{}\":{}", body_.empty() ? "" : ",", name, value);
    return *this;
  }
  std::string str() const { return "{" + body_ + "}"; }

 private:
  std::string body_;
};

using AddRow = std::function<void(Table&, const JsonView&)>;

int print_table(Remote remote, const Walk& what, Table table, const AddRow& add_row) {
  if (remote.is_json()) return print_list(remote, what);
  bool any = false;
  const auto next = walk(remote, what, [&](const ListView& page) {
    for (const std::string& item : page.items)
      if (const auto row = JsonView::read(item)) add_row(table, *row);
    if (!page.items.empty()) remote.terminal.out << table.text();
    any = any || !page.items.empty();
  });
  if (!next) return tell(next.error(), remote);
  if (!any) remote.terminal.out << "There are none.\n";
  if (!next->empty()) remote.terminal.out << "There are more: --all shows them\n";
  return 0;
}

// Makes the sentence to print from the reply.
using Sentence = std::function<std::string(const JsonView&)>;
int act(Remote remote, const ApiAsk& what, const Sentence& sentence) {
  const auto answer = ask(remote, what);
  if (!answer) return tell(answer.error(), remote);
  if (remote.is_json())
    remote.terminal.out << (answer->body.empty() ? "{}" : safe_json(answer->body)) << "\n";
  else
    remote.terminal.out << sentence(JsonView::read(answer->body).value_or(JsonView{})) << "\n";
  return 0;
}

// The id of a user given by number or by name.
Asked<std::int64_t> user_id(Remote remote, const std::string& user) {
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

int list_users(const PageOptions& page, Remote remote) {
  Table table{{{.title = "ID", .align = Align::right, .least = 20},
               {.title = "NAME", .least = 8},
               {.title = "ROLE", .least = 5},
               {.title = "STATUS", .least = 6},
               {.title = "SINCE", .least = 19, .spare = 1}},
              remote.columns,
              remote.colour};
  return print_table(remote, {.path = "/api/v1/users", .page = page, .usual = 100},
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

int set_user(const UsersOptions& options, std::istream& standard_input, Remote remote) {
  std::string password;
  if (options.password) {
    std::getline(standard_input, password);
    if (password.ends_with('\r')) password.pop_back();
    if (password.empty())
      return tell(wrong_usage("--password reads it from standard input, which is empty"), remote);
    if (const std::string why = why_no_password(password); !why.empty())
      return tell(wrong_usage("--password: " + why), remote);
  }
  if (options.role.empty() && options.status.empty() && password.empty())
    return tell(wrong_usage("nothing to set: --role, --status or --password"), remote);
  const auto id = user_id(remote, options.user);
  if (!id) return tell(id.error(), remote);
  Body body;
  body.text("role", options.role).text("status", options.status).text("password", password);
  return act(remote,
             {.method = "POST", .path = fmt::format("/api/v1/users/{}", *id), .body = body.str()},
             user_sentence);
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
  return print_table(remote, {.path = "/api/v1/keys", .page = page, .usual = 100}, std::move(table),
                     [](Table& rows, const JsonView& key) {
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
  Body body;
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
  return act(remote, {.method = "POST", .path = "/api/v1/keys", .body = body.str()},
             [](const JsonView& key) {
               return fmt::format("Key {} may {}. It is shown only now:\n{}",
                                  cell_text(key.text("id")), cell_text(joined(key.list("scopes"))),
                                  cell_text(key.text("key")));
             });
}

std::string wallet_lines(const JsonView& wallet, Colour colour) {
  std::string lines = fact_lines({{"granted", wallet.text("granted")},
                                  {"available", wallet.text("available"), Ink::green},
                                  {"reserved", wallet.text("reserved")},
                                  {"spent", wallet.text("spent")}},
                                 colour);
  if (lines.ends_with('\n')) lines.pop_back();
  return lines;
}

}  // namespace

int run_users(const UsersOptions& options, std::istream& standard_input, Remote remote) {
  if (options.act == PeopleAct::set) return set_user(options, standard_input, remote);
  if (options.act != PeopleAct::add) return list_users(options.page, remote);
  Body body;
  body.text("name", options.user).text("role", options.role);
  return act(remote, {.method = "POST", .path = "/api/v1/users", .body = body.str()},
             user_sentence);
}

int run_keys(const KeysOptions& options, Remote remote) {
  if (options.act == PeopleAct::add) return add_key(options, remote);
  if (options.act != PeopleAct::revoke) return list_keys(options.page, remote);
  return act(remote, {.method = "DELETE", .path = fmt::format("/api/v1/keys/{}", options.id)},
             [&](const JsonView&) {
               return fmt::format("Key {} and the keys made by it open nothing any more",
                                  options.id);
             });
}

int run_credits(const CreditsOptions& options, Remote remote) {
  const auto id = user_id(remote, options.user);
  if (!id) return tell(id.error(), remote);
  ApiAsk what{.path = fmt::format("/api/v1/users/{}/credits", *id)};
  if (options.act == PeopleAct::grant) {
    Body body;
    body.json("amount", std::to_string(options.amount)).text("detail", options.detail);
    what.method = "POST";
    what.body = body.str();
    what.idempotency_key = options.key.empty() ? random_base62(kKeyLength) : options.key;
  }
  return act(remote, what,
             [&](const JsonView& wallet) { return wallet_lines(wallet, remote.colour); });
}

int run_audit(const PageOptions& options, Remote remote) {
  Table table{{{.title = "ID", .align = Align::right, .least = 20, .spare = 2},
               {.title = "AT", .least = 19, .spare = 1},
               {.title = "WHO", .least = 8},
               {.title = "JOB", .align = Align::right, .least = 3},
               {.title = "ACTION", .least = 8},
               {.title = "DETAIL", .least = 12}},
              remote.columns,
              remote.colour};
  return print_table(remote, {.path = "/api/v1/audit", .page = options}, std::move(table),
                     [](Table& rows, const JsonView& entry) {
                       rows.add({{entry.text("id")},
                                 {time_of(entry, "at"), Ink::dim},
                                 {entry.text("user_hash").substr(0, 12)},
                                 {entry.text("job")},
                                 {entry.text("action")},
                                 {entry.text("detail")}});
                     });
}

}  // namespace haul
