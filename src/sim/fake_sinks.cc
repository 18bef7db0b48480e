// Fake sinks: a library with its media server, a chat, a bucket.

#include "sim/fakes.h"

namespace haul::sim {
namespace {

class FakeLibrary final : public Sink {
 public:
  explicit FakeLibrary(Fakes& fakes) : fakes_{fakes} {}

  void land(const Parcel& parcel, Inbox& inbox) override {
    if (fakes_.strikes(Chaos::engine_fails, 5))
      return fakes_.tell(inbox, parcel, Failed{.fault = fakes_.some_fault()},
                         fakes_.some(50, 5'000));
    // A new file: what the server listed before was another file.
    films_[parcel.job.value] = {.indexed_at =
                                    fakes_.clock().steady() + fakes_.some(1'000, 300'000)};
    fakes_.tell(inbox, parcel,
                Landed{.files = {{path(parcel), 1000}}, .evidence = R"({"size":1000})"},
                fakes_.some(100, 20'000));
  }

  void verify(const Parcel& parcel, Inbox& inbox) override {
    if (fakes_.strikes(Chaos::engine_vanishes, 5))
      return fakes_.tell(inbox, parcel, Unseen{.code = "server_unreachable"}, Millis{500});
    Film& film = films_[parcel.job.value];
    if (fakes_.clock().steady() < film.indexed_at)
      return fakes_.tell(inbox, parcel, NotIndexed{}, Millis{50});
    // Sometimes the server lists another file of the same title.
    const bool other = fakes_.strikes(Chaos::engine_vanishes, 6);
    film.listed = film.listed || !other;
    fakes_.tell(inbox, parcel, Indexed{.files = {{path(parcel), other ? 999 : 1000}}}, Millis{50});
  }

  void clean(const Parcel& parcel, Inbox& inbox) override {
    fakes_.act({.kind = Act::Kind::clean, .job = parcel.job, .of = &inbox, .path = parcel.path});
    const Film& film = films_[parcel.job.value];
    ++fakes_.ledger().cleaned[parcel.job.value];
    if (!film.listed) fakes_.ledger().cleaned_unproven.insert(parcel.job.value);
    const bool again = fakes_.ledger().cleaned[parcel.job.value] > 1;
    if (fakes_.strikes(Chaos::lost_replies, 6)) return;
    fakes_.tell(inbox, parcel, Cleaned{.outcome = again ? "already_gone" : "deleted"},
                fakes_.some(10, 500));
  }

  // What is cleaned stays so: then its answer comes, unless it is lost.
  void stop(const Parcel& parcel, Inbox& inbox) override {
    if (!fakes_.ledger().cleaned.contains(parcel.job.value))
      fakes_.tell(inbox, parcel, Stopped{}, Millis{10});
  }

 private:
  struct Film {
    Steady indexed_at;
    bool listed = false;
  };
  static std::string path(const Parcel& parcel) {
    return "/library/" + std::to_string(parcel.job.value);
  }

  Fakes& fakes_;
  std::map<std::int64_t, Film> films_;
};

// Delivers the message, but sometimes the reply is lost.
class FakeChat final : public Sink {
 public:
  explicit FakeChat(Fakes& fakes) : fakes_{fakes} {}

  void land(const Parcel& parcel, Inbox& inbox) override {
    if (fakes_.strikes(Chaos::engine_fails, 5))
      return fakes_.tell(inbox, parcel, Failed{.fault = fakes_.some_fault()},
                         fakes_.some(50, 5'000));
    fakes_.act({.kind = Act::Kind::send, .job = parcel.job, .of = &inbox});
    const int message = ++fakes_.ledger().sent[parcel.job.value];
    if (fakes_.strikes(Chaos::lost_replies, 5))
      return fakes_.tell(
          inbox, parcel,
          Failed{.fault = {FaultKind::retryable, "timeout", ""}, .outcome_unknown = true},
          Millis{30'000});
    fakes_.tell(inbox, parcel, Sent{.ack = R"({"message_id":)" + std::to_string(message) + "}"},
                fakes_.some(500, 20'000));
  }
  void verify(const Parcel&, Inbox&) override {}
  void clean(const Parcel&, Inbox&) override {}
  void stop(const Parcel&, Inbox&) override {}  // It is sent already.

 private:
  Fakes& fakes_;
};

// Keeps one object per job, however often it is put.
class FakeBucket final : public Sink {
 public:
  explicit FakeBucket(Fakes& fakes) : fakes_{fakes} {}

  void land(const Parcel& parcel, Inbox& inbox) override {
    if (fakes_.strikes(Chaos::engine_fails, 6))
      return fakes_.tell(inbox, parcel,
                         Failed{.fault = {FaultKind::environment, "bucket_unreachable", ""}},
                         fakes_.some(50, 2'000));
    fakes_.ledger().kept[parcel.job.value] = 1;
    fakes_.tell(inbox, parcel, landed(parcel), fakes_.some(50, 2'000));
  }
  void verify(const Parcel&, Inbox&) override {}
  void clean(const Parcel&, Inbox&) override {}
  // An object that is kept stays, so its answer came first.
  void stop(const Parcel& parcel, Inbox& inbox) override {
    const bool is_kept = fakes_.ledger().kept.contains(parcel.job.value);
    fakes_.tell(inbox, parcel, is_kept ? What{landed(parcel)} : What{Stopped{}}, Millis{10});
  }

 private:
  static Landed landed(const Parcel& parcel) {
    return {.files = {{"originals/" + std::to_string(parcel.job.value) + ".png", parcel.size}},
            .evidence = "{}"};
  }

  Fakes& fakes_;
};

}  // namespace

std::unique_ptr<Sink> make_library(Fakes& fakes) { return std::make_unique<FakeLibrary>(fakes); }
std::unique_ptr<Sink> make_chat(Fakes& fakes) { return std::make_unique<FakeChat>(fakes); }
std::unique_ptr<Sink> make_bucket(Fakes& fakes) { return std::make_unique<FakeBucket>(fakes); }

}  // namespace haul::sim
