// Deliveries: what a chat's server has received, written by the move that proves it.

#include "store/deliveries.h"

#include <doctest/doctest.h>

#include "lifecycle/tables.h"
#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

const std::string kFilm(64, 'a');
const std::string kBookFile(64, 'b');

struct Chat {
  Bench b;

  Deliveries& deliveries() { return b.store().deliveries(); }
  // Delivers a relay whose file has this fingerprint, under the server's name for it.
  MoveAnswer deliver(std::optional<DeliveryFacts> file) {
    const JobId id = b.reach(kRelay, "STREAMING");
    Ask ask = b.draft(id, On::ack);
    ask.delivery = std::move(file);
    return b.ask(ask);
  }
  std::string find(const std::string& fingerprint) {
    return deliveries().find(fingerprint).value_or("none");
  }
};

}  // namespace

TEST_CASE("S3-22: the move that proves a delivery keeps the server's name for the file") {
  Chat c;
  CHECK(c.find(kFilm) == "none");
  REQUIRE(c.deliver(DeliveryFacts{kFilm, "id-1"}).has_value());
  CHECK(c.find(kFilm) == "id-1");
  CHECK(c.find(kBookFile) == "none");
}

TEST_CASE("S3-22: a delivery whose file the server does not name keeps nothing") {
  Chat c;
  REQUIRE(c.deliver({}).has_value());
  CHECK(c.find(kFilm) == "none");
}

TEST_CASE("S3-22: a later delivery of the same file replaces the name") {
  Chat c;
  REQUIRE(c.deliver(DeliveryFacts{kFilm, "id-1"}).has_value());
  REQUIRE(c.deliver(DeliveryFacts{kFilm, "id-2"}).has_value());
  CHECK(c.find(kFilm) == "id-2");
}

TEST_CASE("S3-22, F03: a refused move keeps nothing") {
  Chat c;
  const JobId id = c.b.reach(kRelay, "STREAMING");
  Ask ask = c.b.draft(id, On::ack);
  ask.delivery = DeliveryFacts{kFilm, "id-1"};
  ask.version.seq -= 1;
  CHECK_FALSE(c.b.ask(ask).has_value());
  CHECK(c.find(kFilm) == "none");
}

TEST_CASE("S3-22: a stale name is forgotten, one that replaced it meanwhile is not") {
  Chat c;
  REQUIRE(c.deliver(DeliveryFacts{kFilm, "id-1"}).has_value());
  c.deliveries().forget({kFilm, "id-0"});
  CHECK(c.find(kFilm) == "id-1");
  c.deliveries().forget({kFilm, "id-1"});
  CHECK(c.find(kFilm) == "none");
  c.deliveries().forget({kFilm, "id-1"});
}

TEST_CASE("SX-7: names that were last used long ago are removed, oldest first") {
  Chat c;
  REQUIRE(c.deliver(DeliveryFacts{kFilm, "id-1"}).has_value());
  c.b.after(1h);
  REQUIRE(c.deliver(DeliveryFacts{kBookFile, "id-2"}).has_value());
  const Time last = c.b.now();
  CHECK(c.deliveries().prune(last - 1h, 10) == 0);
  CHECK(c.deliveries().prune(last + 1ms, 1) == 1);
  CHECK(c.find(kFilm) == "none");
  CHECK(c.find(kBookFile) == "id-2");
  CHECK(c.deliveries().prune(last, 10) == 0);
  CHECK(c.deliveries().prune(last + 1ms, 10) == 1);
  CHECK(c.find(kBookFile) == "none");
}
