// Adding a job: haul checks the request strictly, and keys make one job of repeated requests
// (promise 14, F46).

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "base/hash.h"
#include "lifecycle/request.h"
#include "support/flow/script.h"
#include "support/store/test_store.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

using Answer = std::expected<Added, Refusal>;

// Adds jobs to a store. The clock stands at a full minute, 29500000 minutes after 1970.
struct Counter {
  std::unique_ptr<Store> store = open_test_store(Bench::kStart);
  Time now = from_unix_ms(std::int64_t{29'500'000} * 60'000);

  Answer ask(const flow::AddRequest& to_add) const { return flow::add(*store, to_add, now); }
  Answer ask(const Lifecycle& table, const std::string& request) const {
    return ask({.lifecycle = &table, .request = request});
  }
  // "unknown_field titel: unknown field; did you mean 'title'?": why it was refused, or "added".
  std::string why(const Lifecycle& table, const std::string& request) const {
    const Answer answer = ask(table, request);
    return answer ? "added" : answer.error().code + " " + answer.error().detail;
  }
  Job job(const Answer& answer) const { return store->reader().find(answer.value().id).value(); }
  std::size_t jobs() const { return store->reader().list({.limit = 100}).jobs.size(); }
};

const std::string kRelayAsk = R"({"user_id":1,"chat_id":2,"file_id":"/f","nonce":"n"})";
const std::string kBoat = R"({"prompt":"a boat","params":{"size":"1024","steps":4}})";
const std::string kFilm = R"({"title":"Film","release_name":"Film.2026"})";

}  // namespace

TEST_CASE("J14: an unknown field is refused and the nearest one named, or none if none is near") {
  const Counter c;
  CHECK(c.why(kMedia, R"({"titel":"x","release_name":"y"})") ==
        "unknown_field titel: unknown field; did you mean 'title'?");
  CHECK(c.why(kBook, R"({"book":"x"})") == "unknown_field book: unknown field");
  CHECK(c.why(kBatch, R"({"ulr":"https://h"})") ==
        "unknown_field ulr: unknown field; did you mean 'url'?");
  CHECK(c.why(kImage, R"({"prompt":"x","zzzzzzzz":1})") == "unknown_field zzzzzzzz: unknown field");
  CHECK(c.why(kImage, R"({"prompt":"x","__proto__":{}})") ==
        "unknown_field __proto__: unknown field");
  CHECK(c.why(kImage, R"({"Prompt":"x"})") ==
        "unknown_field Prompt: unknown field; did you mean 'prompt'?");
  CHECK(c.jobs() == 0);
}

TEST_CASE("each required field that is left out, or empty, is named, and nothing is written") {
  const Counter c;
  for (const Lifecycle* table : {&kBook, &kMedia, &kRelay, &kImage})
    for (const RequestField& field : table->request.fields) {
      if (!field.required) continue;
      std::string without = "{";
      for (const RequestField& other : table->request.fields)
        if (other.required && other.name != field.name)
          without +=
              (without.size() > 1 ? "," : "") + ("\"" + std::string{other.name} + "\":\"x\"");
      const std::string expected = "missing_field " + std::string{field.name} + ": required";
      CHECK(c.why(*table, without + "}") == expected);
      const std::string comma = without.size() > 1 ? "," : "";
      CHECK(c.why(*table, without + comma + "\"" + std::string{field.name} + "\":\"\"}") ==
            expected);
    }
  CHECK(c.jobs() == 0);
}

TEST_CASE("000, 001, 003, 004: what each document asks for is what must be given") {
  const auto required = [](const Lifecycle& table) {
    std::string text;
    for (const RequestField& field : table.request.fields)
      if (field.required) text += (text.empty() ? "" : " ") + std::string{field.name};
    return text;
  };
  CHECK(required(kBook) == "book_id media_type uri source");
  CHECK(required(kMedia) == "title release_name");
  CHECK(required(kRelay) == "user_id chat_id file_id nonce");
  CHECK(required(kImage) == "prompt");
  CHECK(kItem.request.fields.empty());
}

TEST_CASE("J1, J2, J6, J16: what is not one object is refused before anything else is looked at") {
  const Counter c;
  CHECK(c.why(kImage, "not JSON") == "bad_json not JSON: line 1, column 2");
  CHECK(c.why(kImage, R"({"prompt":"x")") == "bad_json not JSON: line 1, column 14");
  CHECK(c.why(kImage, R"([{"prompt":"x"}])") == "bad_json not an object");
  CHECK(c.why(kImage, R"({"prompt":"x","prompt":"y"})") == "bad_json 'prompt' is given twice");
  CHECK((c.ask(kImage, "").error().kind == RefusalKind::guarded));
}

TEST_CASE("S2-32: the request is kept in canonical form, so that equal requests are equal text") {
  const Counter c;
  const Answer answer =
      c.ask(kImage, "{ \"prompt\" : \"a\\u0020boat\",\n \"params\":{\"b\":1,\"a\":2}}");
  CHECK(c.store->reader().request(answer->id) == R"({"params":{"a":2,"b":1},"prompt":"a boat"})");
}

TEST_CASE("003 §3: a relay's key is sha256 of \"1:/f:n\", to the byte") {
  const Counter c;
  const Answer answer = c.ask(kRelay, kRelayAsk);
  CHECK(c.job(answer).key == sha256_hex("1:/f:n"));
  CHECK(c.job(answer).key == "a78a84284a8c0a449bffa7d0c7ffb20c86851d1657d4ffc00ecd40f101a1c86b");
}

TEST_CASE("S3-10, Z-13: the same click gives the same job for ever, another click another") {
  Counter c;
  const Answer first = c.ask(kRelay, kRelayAsk);
  c.now += 24h * 365;
  const Answer again = c.ask(kRelay, R"({"nonce":"n","file_id":"/f","chat_id":2,"user_id":1})");
  CHECK((again == Added{first->id, true}));

  const Answer other = c.ask(kRelay, R"({"user_id":1,"chat_id":2,"file_id":"/f","nonce":"n2"})");
  CHECK_FALSE(other->replayed);
  CHECK((other->id != first->id));
}

TEST_CASE("S3-10: a user id given as text or as a number is the same user to the key") {
  const Counter c;
  const Answer number = c.ask(kRelay, kRelayAsk);
  const Answer text = c.ask(kRelay, R"({"user_id":"1","chat_id":2,"file_id":"/f","nonce":"n"})");
  CHECK(c.job(number).key == sha256_hex("1:/f:n"));
  CHECK(text.error().code == "already_asked");  // Same key, another request.
}

TEST_CASE("Z-26: a relay's user_id is its owner's number; another user's, or a name, is refused") {
  const Counter c;
  const UserId ann = c.store->users().add("ann", Role::adder, c.now).value().id;
  const auto answer = [&](UserId owner, const std::string& user) {
    const Answer added =
        c.ask({.lifecycle = &kRelay,
               .owner = owner,
               .request = fmt::format(R"({{"user_id":{},"chat_id":2,"file_id":"/f","nonce":"n"}})",
                                      user)});
    return added ? "added" : added.error().code + " " + added.error().detail;
  };

  CHECK(answer(ann, fmt::format("{}", kAdmin.value)) ==
        fmt::format("bad_request user_id: expected {}, the owner of the job", ann.value));
  CHECK(answer(ann, R"("ann")").starts_with("bad_request user_id: expected"));
  CHECK(c.jobs() == 0);
  CHECK(answer(ann, fmt::format("{}", ann.value)) == "added");
  CHECK(answer(kAdmin, R"("1")") == "added");
}

// S4-12.
TEST_CASE("Z-15: an image's key is the hash of [user, prompt, params, minute], as documented") {
  const Counter c;
  const Answer answer = c.ask(kImage, kBoat);
  CHECK(c.job(answer).key == sha256_hex(R"([1,"a boat",{"size":"1024","steps":4},29500000])"));
  CHECK(c.job(answer).key == "786e8882efdfa504afb7a62a2072fd8c816a7d3126adf7446b139fdf8a82b7ba");
  const Answer plain = c.ask(kImage, R"({"prompt":"a \"boat\""})");
  CHECK(c.job(plain).key == sha256_hex(R"([1,"a \"boat\"",{},29500000])"));
}

TEST_CASE("Z-15, A4-7: an equal request within the minute or within 60 s is the same job") {
  for (const Millis asked_at : {Millis{0ms}, Millis{1s}, Millis{59'999ms}}) {
    for (const Millis later : {Millis{1ms}, Millis{30s}, Millis{59'999ms}}) {
      Counter c;
      c.now += asked_at;
      const Answer first = c.ask(kImage, kBoat);
      c.now += later;
      const Answer again =
          c.ask(kImage, R"({"params":{"steps":4,"size":"1024"},"prompt":"a boat"})");
      CHECK((again == Added{first->id, true}));
    }
  }
}

TEST_CASE("Z-15, J27: 60 s later, in another minute, it is a new request") {
  for (const Millis asked_at : {Millis{0ms}, Millis{1s}, Millis{59'999ms}}) {
    Counter c;
    c.now += asked_at;
    const Answer first = c.ask(kImage, kBoat);
    c.now += 60s;
    const Answer next = c.ask(kImage, kBoat);
    CHECK_FALSE(next->replayed);
    CHECK((next->id != first->id));
  }
}

TEST_CASE("F46: another prompt, other params or another user is never merged") {
  const Counter c;
  c.ask(kImage, kBoat);
  CHECK_FALSE(c.ask(kImage, R"({"prompt":"a boat "})")->replayed);
  CHECK_FALSE(c.ask(kImage, R"({"prompt":"a boat","params":{"size":"512"}})")->replayed);
  const UserId bob = c.store->users().add("bob", Role::adder, c.now)->id;
  CHECK_FALSE(c.ask({.lifecycle = &kImage, .owner = bob, .request = kBoat})->replayed);
  CHECK(c.jobs() == 4);
}

TEST_CASE("A4-9: a repetition finds its job with an empty wallet; a new request is refused there") {
  const Counter c;
  CHECK(c.store->ledger().grant(kAdmin, 4, "gift", c.now).has_value());
  const flow::AddRequest boat{.lifecycle = &kImage, .request = kBoat, .price = 4};
  const Answer first = c.ask(boat);
  CHECK((c.ask(boat) == Added{first->id, true}));
  CHECK(c.ask({.lifecycle = &kImage, .request = R"({"prompt":"x"})", .price = 1}).error().code ==
        "no_credit");
  CHECK(c.store->ledger().wallet(kAdmin).reserved == 4);
}

TEST_CASE("Z-26: a client's key holds for ever, beside the lifecycle's, and is the user's own") {
  Counter c;
  const flow::AddRequest keyed{.lifecycle = &kImage, .request = kBoat, .key = "k1"};
  const Answer first = c.ask(keyed);
  CHECK(c.job(first).key == sha256_hex(R"([1,"a boat",{"size":"1024","steps":4},29500000])"));
  CHECK((c.ask(kImage, kBoat) == Added{first->id, true}));  // Found by the lifecycle's key.
  const flow::AddRequest other{.lifecycle = &kImage, .request = kBoat, .key = "k2"};
  CHECK((c.ask(other) == Added{first->id, true}));  // The new caller key finds it too.
  c.now += 24h * 365;
  CHECK((c.ask(keyed) == Added{first->id, true}));
  CHECK((c.ask(other) == Added{first->id, true}));

  CHECK_FALSE(c.ask({.lifecycle = &kImage, .request = kBoat, .key = "k3"})->replayed);
  const UserId bob = c.store->users().add("bob", Role::adder, c.now)->id;
  CHECK_FALSE(c.ask({.lifecycle = &kImage, .owner = bob, .request = kBoat, .key = "k1"})->replayed);
}

TEST_CASE("A0-9: a client's key with another request is refused as key_reused, and not written") {
  const Counter c;
  c.ask({.lifecycle = &kBatch, .request = R"({"url":"https://h/1"})", .key = "k"});
  const Answer other =
      c.ask({.lifecycle = &kBatch, .request = R"({"url":"https://h/2"})", .key = "k"});
  CHECK(other.error().code == "key_reused");
  CHECK(c.jobs() == 1);
}

TEST_CASE("A0-9: a client's key with another lifecycle is refused as key_reused, both ways") {
  const Counter c;
  CHECK(c.ask({.lifecycle = &kImage, .request = kBoat, .key = "k"}));
  CHECK(c.ask({.lifecycle = &kMedia, .request = kFilm, .key = "k"}).error().code == "key_reused");
  CHECK(c.ask({.lifecycle = &kMedia, .request = kFilm, .key = "l"}));
  CHECK(c.ask({.lifecycle = &kImage, .request = kBoat, .key = "l"}).error().code == "key_reused");
  CHECK(c.jobs() == 2);
}

TEST_CASE(
    "A0-9: a key that found its job by the slot finds it again, and is not taken for another") {
  const Counter c;
  const auto book = [](const std::string& uri) {
    return R"({"book_id":"b","media_type":"text","source":"t","uri":"magnet:?)" + uri + R"("})";
  };
  const Answer first = c.ask(kBook, book("1"));
  const flow::AddRequest other{.lifecycle = &kBook, .request = book("2"), .key = "k"};
  CHECK((c.ask(other) == Added{first->id, true}));
  CHECK((c.ask(other) == Added{first->id, true}));
  const flow::AddRequest third{.lifecycle = &kBook, .request = book("1"), .key = "k"};
  CHECK(c.ask(third).error().code == "key_reused");
}

TEST_CASE("a slot is made of the request with its defaults, as a key is") {
  constexpr RequestField fields[] = {
      RequestField{"kind", FieldType::text, "Kind", false, 0, 10}.beginning_as(R"("movie")")};
  Lifecycle table = kMedia;
  table.request = {fields};
  table.slot = {"kind"};
  table.key = {};
  const auto slot = [&](const char* request) {
    return flow::as_job({.lifecycle = &table, .request = request}, Bench::kStart).value().slot;
  };

  CHECK(slot(R"({})") == "movie");
  CHECK(slot(R"({"kind":"movie"})") == "movie");
  CHECK(slot(R"({"kind":"series"})") == "series");
}

TEST_CASE("J26: a client's key of 255 bytes fits, one of 256 is refused") {
  const Counter c;
  const auto with = [&](std::size_t bytes) {
    return c.ask({.lifecycle = &kBatch,
                  .request = R"({"url":"http://h/"})",
                  .key = std::string(bytes, 'k')});
  };
  CHECK(with(255).has_value());
  CHECK(with(256).error().code == "bad_key");
}

TEST_CASE("Z-26, X-4: a film is one job of its owner while it is open, and again after") {
  Counter c;
  const Answer first = c.ask(kMedia, kFilm);
  const UserId bob = c.store->users().add("bob", Role::adder, c.now)->id;
  const Answer bobs = c.ask({.lifecycle = &kMedia, .owner = bob, .request = kFilm});
  CHECK_FALSE(bobs->replayed);
  const std::string better = R"({"title":"Film","release_name":"Film.2026","quality":"4k"})";
  CHECK(c.ask({.lifecycle = &kMedia, .owner = bob, .request = better}).error().detail ==
        fmt::format("job {} has the same title, release_name but differs in another field; cancel "
                    "it first",
                    bobs->id.value));
  CHECK((c.ask(kMedia, kFilm) == Added{first->id, true}));
  CHECK(c.job(first).key == sha256_hex(R"(["Film","Film.2026"])"));

  const Ask fail{.version = c.job(first).version, .on = On::fail, .reason = "gone"};
  CHECK(c.store->jobs().move({&fail, 1}, c.now).front().has_value());
  CHECK_FALSE(c.ask(kMedia, kFilm)->replayed);
}

TEST_CASE("S0-13 to S0-15: one open job per user, book and media type; after its end a new one") {
  Counter c;
  const auto book = [](const std::string& id, const std::string& type, const std::string& uri) {
    return R"({"book_id":")" + id + R"(","media_type":")" + type + R"(","uri":")" + uri +
           R"(","source":"t"})";
  };
  const Answer first = c.ask(kBook, book("b1", "text", "magnet:?1"));
  CHECK((c.ask(kBook, book("b1", "text", "magnet:?1")) == Added{first->id, true}));
  CHECK((c.ask(kBook, book("b1", "text", "magnet:?2")) == Added{first->id, true}));
  CHECK_FALSE(c.ask(kBook, book("b1", "audio", "magnet:?1"))->replayed);
  CHECK_FALSE(c.ask(kBook, book("b2", "text", "magnet:?1"))->replayed);
  const UserId bob = c.store->users().add("bob", Role::adder, c.now)->id;
  CHECK_FALSE(c.ask({.lifecycle = &kBook, .owner = bob, .request = book("b1", "text", "magnet:?m")})
                  ->replayed);

  const Ask fail{.version = c.job(first).version, .on = On::fail, .reason = "gone"};
  CHECK(c.store->jobs().move({&fail, 1}, c.now).front().has_value());
  CHECK_FALSE(c.ask(kBook, book("b1", "text", "magnet:?1"))->replayed);
}

TEST_CASE(
    "a book comes by a magnet link or an address of the web, not from the client's own disk") {
  const Counter c;
  const auto why = [&](const std::string& uri) {
    return c.why(kBook,
                 R"({"book_id":"b","media_type":"text","source":"t","uri":")" + uri + R"("})");
  };
  for (const char* uri : {"/etc/passwd", "file:///etc/passwd", "ftp://h/x", "x", "magnet:x"})
    CHECK_MESSAGE(why(uri).starts_with("bad_uri"), uri);
  CHECK(c.jobs() == 0);
  CHECK(c.ask(kBook, R"({"book_id":"b","media_type":"text","source":"t","uri":"https://h/a"})"));
}

TEST_CASE("a batch has no key of its own: the same address twice is two jobs") {
  const Counter c;
  CHECK_FALSE(c.ask(kBatch, R"({"url":"https://h/1"})")->replayed);
  CHECK_FALSE(c.ask(kBatch, R"({"url":"https://h/1"})")->replayed);
  CHECK(c.jobs() == 2);
}

}  // namespace haul::testing
