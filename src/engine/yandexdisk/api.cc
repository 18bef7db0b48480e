#include "engine/yandexdisk/api.h"

#include <fmt/core.h>

#include <utility>

#include "base/ensure.h"
#include "base/ensured.h"
#include "base/query.h"

namespace haul::yandexdisk {
namespace {

constexpr std::int64_t kReadMax = std::int64_t{16} * 1'024;  // Most answers are short.
constexpr int kAtOnce = 8;
constexpr std::size_t kWaitingMax = 10'000;
constexpr std::size_t kBodyMax = std::size_t{4} << 20U;  // A page of a thousand entries.
constexpr Millis kWithin{60'000};
constexpr Millis kHoldFor{30'000};
constexpr const char* kMetaFields = "name,path,type,size,md5,sha256,mime_type,revision,resource_id";

DiskRefusal refused(Fault fault) { return {.fault = std::move(fault)}; }

// A bad answer is of the file that haul asked for, a server that it cannot reach is not.
DiskRefusal unanswered(Fault fault) {
  fault.kind = is_outage(fault) ? FaultKind::environment : FaultKind::retryable;
  fault.detail = "Yandex Disk: " + fault.detail;
  return refused(std::move(fault));
}

// A store that is away is no fault of the disk.
bool holds_disk(const Fault& fault) {
  return fault.kind == FaultKind::environment && fault.code != "store_unavailable";
}

}  // namespace

DiskApi::DiskApi(io::HttpLoop& loop, const Clock& clock, TokenKeeper& keeper,
                 const DiskSettings& settings)
    : clock_{clock}, settings_{settings}, fetcher_{loop}, tokens_{loop, clock, keeper, settings} {}

void DiskApi::ask(std::string target, Then then) {
  ensure(target.starts_with('/'), "a request to the disk has a path");
  if (is_held())
    return then(std::unexpected{refused(ensured(held_, "a disk that is held has a reason"))});
  if (queue_.size() >= kWaitingMax)
    return then(std::unexpected{refused(
        {FaultKind::retryable, "disk_busy", "too many requests to Yandex Disk are waiting"})});
  queue_.push_back({std::move(target), std::move(then)});
  pump();
}

void DiskApi::pump() {
  while (running_ < kAtOnce && !queue_.empty()) {
    WaitingCall next = std::move(queue_.front());
    queue_.pop_front();
    ++running_;
    send(std::move(next));
  }
}

void DiskApi::send(WaitingCall waiting) {
  const auto token = tokens_.current();
  if (!token) return end(waiting, std::unexpected{refused(token.error())});
  if (token->empty()) return replace(std::move(waiting), *token);
  const io::HttpRequest request{
      .url = settings_.url + waiting.target,
      .headers = {"Authorization: OAuth " + *token, "Accept: application/json"},
      .user_agent = settings_.user_agent,
      .direct = !settings_.url.starts_with("https://"),  // A proxy would read the token.
      .ca_file = settings_.ca_file,
      .connect_timeout = settings_.connect_timeout,
      .head_timeout = settings_.read_timeout,
      .stall_timeout = settings_.read_timeout,
      .read_max = kReadMax,
      .reach = {.private_too = true, .allowed = {}}};
  fetcher_.fetch(request, {.body_max = kBodyMax, .within = kWithin},
                 [this, waiting = std::move(waiting), token = *token](
                     Result<io::HttpWhole> answer) { see(waiting, token, std::move(answer)); });
}

void DiskApi::see(WaitingCall waiting, const std::string& token, Result<io::HttpWhole> answer) {
  if (!answer) return end(waiting, std::unexpected{unanswered(answer.error())});
  const int status = answer->head.status;
  const bool was_out = held_ && held_->code != kUnauthorised;
  if (status != 401 && (status < 500 || was_out)) let_go();
  if (status >= 200 && status < 300)
    return end(waiting, DiskReply{std::move(answer->body), answer->was_public});
  if (status == 401 && waiting.refused.empty()) return replace(std::move(waiting), token);
  end(waiting, std::unexpected{refusal_of_api(answer->head, answer->body, clock_.now())});
}

// Z-14: once per request.
void DiskApi::replace(WaitingCall waiting, const std::string& token) {
  waiting.refused = token.empty() ? "none" : token;
  tokens_.replace(token, [this, waiting = std::move(waiting)](const Result<std::string>& fresh) {
    if (!fresh) return end(waiting, std::unexpected{refused(fresh.error())});
    send(waiting);
  });
}

void DiskApi::end(const WaitingCall& waiting, const Answer& answer) {
  --running_;
  if (!answer && holds_disk(answer.error().fault)) hold(answer.error().fault);
  waiting.then(answer);
  pump();
}

void DiskApi::hold(const Fault& why) {
  held_ = why;
  next_try_ = clock_.steady() + kHoldFor;
  tell_trouble();
}

// The disk answers, and has not refused the token.
void DiskApi::let_go() {
  held_.reset();
  tell_trouble();
}

void DiskApi::see_link_host(const Fault* fault) {
  link_host_ = fault ? std::optional{*fault} : std::nullopt;
  tell_trouble();
}

// Lets one call in 30 s through, which finds out whether the disk is there again.
bool DiskApi::is_held() {
  if (!held_) return false;
  if (clock_.steady() < next_try_) return true;
  next_try_ = clock_.steady() + kHoldFor;
  return false;
}

void DiskApi::tell_trouble() {
  const auto& trouble = held_ ? held_ : link_host_;
  const Fault* fault = trouble ? &*trouble : nullptr;
  const std::string code = fault ? fault->code : std::string{};
  if (std::exchange(trouble_, code) == code) return;
  if (settings_.on_trouble) settings_.on_trouble(fault);
}

std::string meta_target(const std::string& path) {
  return with_query("/v1/disk/resources", {{"path", path}, {"fields", kMetaFields}});
}

std::string link_target(const std::string& path) {
  return with_query("/v1/disk/resources/download", {{"path", path}});
}

std::string page_target(const std::string& folder, std::int64_t offset, std::int64_t limit) {
  std::string fields = "_embedded.total";
  for (const char* name :
       {"name", "path", "type", "size", "md5", "sha256", "mime_type", "revision", "resource_id"})
    fields += fmt::format(",_embedded.items.{}", name);
  return with_query("/v1/disk/resources", {{"path", folder},
                                           {"limit", std::to_string(limit)},
                                           {"offset", std::to_string(offset)},
                                           {"sort", "path"},
                                           {"fields", fields}});
}

}  // namespace haul::yandexdisk
