#include "store/scopes.h"

#include <doctest/doctest.h>

#include <string>

namespace haul {

using namespace std::string_literals;

TEST_CASE("scopes are written in their own order, whatever the order they came in") {
  CHECK(to_text({}).empty());
  CHECK(to_text({Scope::add}) == "add");
  CHECK(to_text({Scope::admin, Scope::read, Scope::admin}) == "read,admin");
  CHECK(to_text(Scopes::all()) == "read,add,operate,admin");
}

TEST_CASE("every set of scopes is read back as it was written") {
  for (unsigned bits = 0; bits < 16; ++bits) {
    Scopes scopes;
    for (const Scope scope : {Scope::read, Scope::add, Scope::operate, Scope::admin})
      if (bits & (1U << static_cast<unsigned>(scope))) scopes.insert(scope);

    CHECK((read_scopes(to_text(scopes)) == scopes));
    CHECK(scopes.empty() == (bits == 0));
  }
}

TEST_CASE("words that are no scope are left out, and give nothing away") {
  CHECK((read_scopes("read,delete,add") == Scopes{Scope::read, Scope::add}));
  CHECK((read_scopes(",read,,") == Scopes{Scope::read}));
  for (const std::string& text : {""s, ","s, "READ"s, " read"s, "readadd"s, "admin;"s, "*"s,
                                  "read\0"s, std::string(1'000'000, ',')})
    CHECK(read_scopes(text).empty());
}

TEST_CASE("a scope is found by its exact name") {
  CHECK((find_scope("operate") == Scope::operate));
  CHECK_FALSE(find_scope("operator").has_value());
  CHECK_FALSE(find_scope("").has_value());
}

}  // namespace haul
