// `haul lifecycle`, and docs/lifecycles.md, which it generates.

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "api/json/lifecycle_json.h"
#include "cli/commands/commands.h"
#include "lifecycle/render.h"
#include "lifecycle/tables.h"

namespace haul {
namespace {

struct Printed {
  int code = 0;
  std::string out;
  std::string err;
};

Printed lifecycle(const std::string& name, cli::LifecycleForm form = cli::LifecycleForm::text) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = cli::run_lifecycle({.name = name, .form = form}, {out, err});
  return {code, out.str(), err.str()};
}

std::string read_text(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  REQUIRE_MESSAGE(file.is_open(), path);
  return {std::istreambuf_iterator<char>{file}, {}};
}

TEST_CASE("docs/lifecycles.md is what haul lifecycle --markdown prints; ./dev docs updates it") {
  const Printed page = lifecycle("", cli::LifecycleForm::markdown);

  CHECK(page.code == 0);
  CHECK(page.err == "");
  CHECK(page.out == read_text(HAUL_SOURCE_DIR "/docs/lifecycles.md"));
}

TEST_CASE("without a name haul lifecycle shows all six, with a blank line between") {
  std::string wanted;
  for (const Lifecycle* table : all_lifecycles())
    wanted += (wanted.empty() ? "" : "\n") + to_text(*table);

  CHECK(lifecycle("").out == wanted);
}

TEST_CASE("with a name haul lifecycle shows that one, in the form asked for") {
  const Lifecycle* relay[] = {&kRelay};

  CHECK(lifecycle("relay").out == to_text(kRelay));
  CHECK(lifecycle("relay", cli::LifecycleForm::mermaid).out == to_mermaid(kRelay));
  CHECK(lifecycle("relay", cli::LifecycleForm::markdown).out == to_markdown(kRelay));
  CHECK(lifecycle("relay", cli::LifecycleForm::json).out == api::to_json(relay) + "\n");
  CHECK(lifecycle("relay").code == 0);
}

TEST_CASE("a name that is nearly one is wrong usage, and the nearest is named") {
  for (const cli::LifecycleForm form : {cli::LifecycleForm::text, cli::LifecycleForm::json}) {
    const Printed answer = lifecycle("medai", form);

    CHECK(answer.code == 2);
    CHECK(answer.out == "");
    CHECK(answer.err == "haul: there is no lifecycle 'medai' (did you mean 'media'?)\n");
  }
}

TEST_CASE("a name like none of them is wrong usage, and nothing is guessed") {
  const Printed answer = lifecycle("nope");

  CHECK(answer.code == 2);
  CHECK(answer.out == "");
  CHECK(answer.err == "haul: there is no lifecycle 'nope'\n");
}

TEST_CASE("T1: a name that would steer the terminal is shown, not obeyed") {
  CHECK(lifecycle("\x1b]0;pwn\x07").err == "haul: there is no lifecycle '\\u{1b}]0;pwn\\u{7}'\n");
}

}  // namespace
}  // namespace haul
