#include "flow/book/book.h"

#include "base/ensure.h"
#include "flow/client/client_jobs.h"
#include "lifecycle/request.h"
#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

// The text of a field; empty if the request does not have it.
std::string text_of(std::span<const JsonField> request, std::string_view name) {
  const JsonField* field = find_field(request, name);
  return field ? field->text : std::string{};
}

// The judge knows the file that arrived. The request says which book it is.
void name_asset(const ClientJob& job, Verdict& verdict) {
  ensure(!job.job.worker, "no worker leases a book");
  for (WantedMove& move : verdict.moves) {
    if (move.assets.empty()) continue;
    ensure(move.assets.size() == 1, "a book of one type is one file or folder");
    const auto request = read_object(job.request).value_or(std::vector<JsonField>{});
    AssetFacts& asset = move.assets.front();
    asset.book = text_of(request, "book_id");
    asset.title = text_of(request, "title");
    asset.media_type = text_of(request, "media_type");
    asset.source_url = text_of(request, "source_url");
    asset.source = text_of(request, "source");
  }
}

// A book has no leased state: no worker ever holds one.
class BookHandler final : public Handler {
 public:
  BookHandler(Desk& desk, RemoteEngine& client)
      : desk_{desk}, jobs_{desk, client, kBook, name_asset} {}

  const Lifecycle& lifecycle() const override { return kBook; }
  ClientWork* client_work() override { return &jobs_; }

  void begin(Held& held) override { desk_.drop(held.job.version.id); }
  void see(Held&, Sight&) override {}
  void stop(Held&, Leftovers) override {}
  bool is_at_rest(const Held&) const override { return true; }

 private:
  Desk& desk_;
  ClientJobs jobs_;
};

}  // namespace

LifecycleWork book_work(RemoteEngine& client) {
  return {
      .lifecycle = &kBook,
      .make_handler = [&client](Desk& desk) { return std::make_unique<BookHandler>(desk, client); },
      .not_ready = [&client](std::string_view) { return client.not_ready({}).text; }};
}

}  // namespace haul::flow
