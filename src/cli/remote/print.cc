#include "cli/remote/print.h"

#include <ostream>

namespace haul::cli {

int print_table(Remote remote, const Walk& what, Table table, const AddRow& add_row) {
  if (remote.is_json()) return print_list(remote, what);
  ShownItems listed;
  const auto next = walk(remote, what, [&](const ListView& page) {
    for (const std::string& item : page.items)
      if (const auto row = JsonView::read(item)) add_row(table, *row);
    if (!page.items.empty()) remote.terminal.out << table.text();
    listed.add(page);
  });
  if (!next) return tell(next.error(), remote);
  if (!next->empty())
    remote.terminal.out << more_line(what, listed, "rows");
  else if (listed.shown == 0)
    remote.terminal.out << "None found.\n";
  return 0;
}

int print_reply(Remote remote, const ApiRequest& what, const Sentence& sentence) {
  const auto answer = ask(remote, what);
  if (!answer) return tell(answer.error(), remote);
  if (remote.is_json())
    remote.terminal.out << (answer->body.empty() ? "{}" : safe_json(answer->body)) << "\n";
  else
    remote.terminal.out << sentence(JsonView::read(answer->body).value_or(JsonView{})) << "\n";
  return 0;
}

}  // namespace haul::cli
