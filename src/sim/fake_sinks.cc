// Fake sinks: a library with its media server, a chat, a bucket.

#include <utility>

#include "base/ensure.h"
#include "sim/fakes.h"

namespace haul::sim {
namespace {

// Copies each file of a film, and sooner or later its media server lists the copy. It removes what
// it is told to remove: that every copy is whole by then is for the flow to know.
class FakeLibrary final : public Sink {
 public:
  explicit FakeLibrary(Fakes& fakes) : fakes_{fakes} {}

  // An equal file that is there already is adopted.
  void land(const Parcel& parcel, Inbox& inbox) override {
    if (fakes_.strikes(Chaos::engine_fails, 5))
      return fakes_.tell(inbox, parcel, Failed{.fault = fakes_.some_fault()},
                         fakes_.some(50, 5'000));
    fakes_.act({.kind = Act::Kind::import, .job = parcel.job, .of = &inbox, .path = {}});
    Landed landed{.files = {}, .evidence = R"({"size":1000})", .told = "plex"};
    for (const std::string& name : names_of(parcel)) {
      FilmFile& file = files_of(parcel)[name];
      if (file.in_library == Steady::max())
        file.in_library = fakes_.clock().steady() + fakes_.some(1'000, 300'000);
      landed.files.push_back({path(parcel, name), 1'000});
    }
    if (fakes_.strikes(Chaos::engine_vanishes, 8))
      return fakes_.tell(inbox, parcel,
                         Failed{.fault = {FaultKind::environment, "server_unreachable", ""}},
                         fakes_.some(100, 20'000));
    fakes_.tell(inbox, parcel, std::move(landed), fakes_.some(100, 20'000));
  }

  // Sometimes the server lists another file of the same title.
  void verify(const Parcel& parcel, Inbox& inbox) override {
    if (fakes_.strikes(Chaos::engine_vanishes, 5))
      return fakes_.tell(inbox, parcel, Unseen{.code = "server_unreachable"}, Millis{500});
    Indexed indexed;
    if (fakes_.strikes(Chaos::engine_vanishes, 6))
      indexed.files.push_back({path(parcel, "another"), 999});
    for (auto& [name, file] : files_of(parcel)) {
      if (fakes_.clock().steady() < file.in_library) continue;
      file.is_proven = true;
      indexed.files.push_back({path(parcel, name), 1'000});
    }
    fakes_.tell(inbox, parcel, indexed.files.empty() ? What{NotIndexed{}} : What{indexed},
                Millis{50});
  }

  void clean(const Parcel& parcel, Inbox& inbox) override {
    const bool again = ++fakes_.ledger().cleaned[parcel.job.value] > 1;
    const bool breaks_off = fakes_.strikes(Chaos::lost_replies, 6);
    std::size_t left = breaks_off ? fakes_.below(parcel.sources.size() + 1) : parcel.sources.size();
    Millis after = fakes_.some(10, 500);
    for (const SourceFile& source : parcel.sources) {
      if (left-- == 0) return;
      fakes_.act({.kind = Act::Kind::clean,
                  .job = parcel.job,
                  .of = &inbox,
                  .path = source.root + "/" + source.path});
      const auto found = film_of(source.root + "/" + source.path);
      const auto* key = found ? &*found : nullptr;
      ensure(key, "a source is a file of the client's");
      FilmFile& file = fakes_.ledger().films[key->job][key->name];
      if (!file.is_proven) fakes_.ledger().cleaned_unproven.insert(parcel.job.value);
      const bool was_there = std::exchange(file.has_source, false);
      fakes_.tell(inbox, parcel,
                  CleanedSome{.files = {{source.path, was_there ? "deleted" : "already_gone"}}},
                  after);
      after += Millis{10};
    }
    if (breaks_off) return;
    fakes_.tell(inbox, parcel, Cleaned{.outcome = again ? "already_gone" : "deleted"}, after);
  }

  // What is cleaned stays so: then its answer comes, unless it is lost.
  void stop(const Parcel& parcel, Inbox& inbox) override {
    if (!fakes_.ledger().cleaned.contains(parcel.job.value))
      fakes_.tell(inbox, parcel, Stopped{}, Millis{10});
  }

 private:
  std::map<std::string, FilmFile>& files_of(const Parcel& parcel) {
    return fakes_.ledger().films[parcel.job.value];
  }
  static std::string name_of(const SourceFile& source) {
    return source.path.substr(source.path.rfind('/') + 1);
  }
  static std::vector<std::string> names_of(const Parcel& parcel) {
    std::vector<std::string> names;
    names.reserve(parcel.sources.size());
    for (const SourceFile& source : parcel.sources) names.push_back(name_of(source));
    if (names.empty()) names.emplace_back("e0");  // No client has listed files.
    return names;
  }
  static std::string path(const Parcel& parcel, const std::string& name) {
    return "/library/" + std::to_string(parcel.job.value) + "/" + name;
  }

  Fakes& fakes_;
};

// Delivers the message, but sometimes the reply is lost. A file that it should have may be gone.
class FakeChat final : public Sink {
 public:
  explicit FakeChat(Fakes& fakes) : fakes_{fakes} {}

  void land(const Parcel& parcel, Inbox& inbox) override {
    if (fakes_.strikes(Chaos::engine_fails, 5))
      return fakes_.tell(inbox, parcel, Failed{.fault = fakes_.some_fault()},
                         fakes_.some(50, 5'000));
    if (!parcel.path.empty() && fakes_.strikes(Chaos::engine_fails, 3))
      return fakes_.tell(inbox, parcel,
                         Failed{.fault = {FaultKind::permanent, "stale_file_id", ""}},
                         fakes_.some(50, 500));
    fakes_.act({.kind = Act::Kind::send, .job = parcel.job, .of = &inbox});
    const int message = ++fakes_.ledger().sent[parcel.job.value];
    if (fakes_.strikes(Chaos::lost_replies, 5))
      return fakes_.tell(
          inbox, parcel,
          Failed{.fault = {FaultKind::retryable, "timeout", ""}, .outcome_unknown = true},
          Millis{30'000});
    const std::string ack = R"({"message_id":)" + std::to_string(message) + R"(,"file_id":"f)" +
                            std::to_string(++files_) + "\"}";
    fakes_.tell(inbox, parcel, Sent{.ack = ack}, fakes_.some(500, 20'000));
  }
  void verify(const Parcel&, Inbox&) override {}
  void clean(const Parcel&, Inbox&) override {}
  void stop(const Parcel&, Inbox&) override {}  // It is sent already.

 private:
  Fakes& fakes_;
  int files_ = 0;
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
  bool is_usable(const Parcel& parcel, Inbox& inbox) override {
    if (!fakes_.strikes(Chaos::engine_fails, 6)) return true;
    if (fakes_.strikes(Chaos::engine_fails, 2))
      fakes_.tell(inbox, parcel, Usable{}, fakes_.some(50, 2'000));
    else
      fakes_.tell(inbox, parcel,
                  Failed{.fault = {FaultKind::environment, "bucket_unreachable", ""}},
                  fakes_.some(50, 2'000));
    return false;
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
