#include "support/server/fake_telegram.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/json.h"

namespace haul::testing {
namespace {

using Fields = std::map<std::string, std::string>;

FakeReply good(const std::string& result) {
  return {.body = fmt::format(R"({{"ok":true,"result":{}}})", result)};
}

std::int64_t whole(const Fields& fields, const std::string& name) {
  const auto found = fields.find(name);
  return found == fields.end() || found->second.empty() ? 0 : std::stoll(found->second);
}

std::string text(const Fields& fields, const std::string& name) {
  const auto found = fields.find(name);
  return found == fields.end() ? std::string{} : found->second;
}

std::string message_json(std::int64_t chat, std::int64_t id, const std::string& more) {
  return fmt::format(
      R"({{"message_id":{},"from":{{"id":4242,"is_bot":true,"first_name":"b"}},)"
      R"("chat":{{"id":{},"type":"private","first_name":"u"}},"date":1700000000,{}}})",
      id, chat, more);
}

std::string user_json(std::int64_t user, const std::string& language) {
  return fmt::format(R"({{"id":{0},"is_bot":false,"first_name":"User {0}","language_code":"{1}"}})",
                     user, language);
}

// The buttons of a message, as (label, data), in order.
std::vector<std::pair<std::string, std::string>> buttons_of(const std::string& markup) {
  std::vector<std::pair<std::string, std::string>> all;
  const auto fields = read_object(markup);
  if (!fields) return all;
  for (const JsonField& field : *fields)
    for (const std::string& row : read_array(field.json).value_or(std::vector<std::string>{}))
      for (const std::string& button : read_array(row).value_or(std::vector<std::string>{})) {
        std::pair<std::string, std::string> one;
        for (const JsonField& part : read_object(button).value_or(std::vector<JsonField>{}))
          (part.name == "text" ? one.first : one.second) = part.text;
        all.push_back(std::move(one));
      }
  return all;
}

}  // namespace

FakeReply telegram_fault(int code, const std::string& description, const std::string& parameters) {
  return {.status = code,
          .body = fmt::format(R"({{"ok":false,"error_code":{},"description":{}{}{}}})", code,
                              json_quoted(description),
                              parameters.empty() ? "" : R"(,"parameters":)", parameters)};
}

std::int64_t FakeTelegram::deliver(const std::string& member) {
  const std::int64_t id = ++last_update_;
  queue_.push_back({id, fmt::format(R"({{"update_id":{},{}}})", id, member)});
  all_updates_.push_back(queue_.back());
  return id;
}

std::int64_t FakeTelegram::deliver_text(std::int64_t user, const std::string& said,
                                        const std::string& language) {
  return deliver(
      fmt::format(R"("message":{{"message_id":{},"from":{},"chat":{{"id":{},"type":"private"}},)"
                  R"("date":1700000000,"text":{}}})",
                  ++last_message_, user_json(user, language), user, json_quoted(said)));
}

std::int64_t FakeTelegram::deliver_click(std::int64_t user, std::int64_t message,
                                         const std::string& data, const std::string& click) {
  const std::string id = click.empty() ? fmt::format("click{}", ++last_click_) : click;
  clicks_.insert(id);
  return deliver(fmt::format(
      R"("callback_query":{{"id":"{}","from":{},"message":{{"message_id":{},)"
      R"("chat":{{"id":{},"type":"private"}},"date":1700000000}},"chat_instance":"1","data":{}}})",
      id, user_json(user, "ru"), message, user, json_quoted(data)));
}

void FakeTelegram::deliver_again(std::size_t at_most) {
  const std::size_t count = std::min(at_most, all_updates_.size());
  again_.assign(all_updates_.rbegin(), all_updates_.rbegin() + static_cast<long>(count));
}

void FakeTelegram::fail_next(const std::string& method, FakeReply reply) {
  faults_[method].push_back(std::move(reply));
}

void FakeTelegram::flood(std::int64_t chat, int seconds) {
  floods_[chat] = {clock_.steady() + Millis{seconds * 1'000}, false};
}

std::optional<FakeReply> FakeTelegram::answer(const io::HttpRequest& sent) {
  const SentRequest request = read_sent(sent);
  if (mood.decides(request)) return mood.reply();
  const std::string start = "/bot" + token + "/";
  if (!request.path.starts_with(start)) return telegram_fault(401, "Unauthorized");
  const std::string method = request.path.substr(start.size());
  Fields fields = request.fields;
  for (const JsonField& field : read_object(request.body).value_or(std::vector<JsonField>{}))
    fields[field.name] = field.text;
  if (method == "getUpdates")
    ++polls;
  else
    calls.push_back(fmt::format("{} {}", method, whole(fields, "chat_id")));
  if (auto& scripted = faults_[method]; !scripted.empty()) {
    FakeReply reply = std::move(scripted.front());
    scripted.pop_front();
    return reply;
  }
  FakeReply reply = act(method, fields);
  if (const auto lost = std::ranges::find(lost_, method); lost != lost_.end()) {
    lost_.erase(lost);
    return FakeReply{.fault = Fault{FaultKind::retryable, "connection_lost", "reset"}};
  }
  return reply;
}

FakeReply FakeTelegram::act(const std::string& method, const Fields& fields) {
  if (method == "getMe")
    return good(R"({"id":4242,"is_bot":true,"first_name":"b","username":"haul_bot"})");
  if (method == "getUpdates") return updates(fields);
  if (method == "sendMessage") return send_text(fields);
  if (method == "editMessageText") return edit_text(fields);
  if (method == "answerCallbackQuery") return answer_click(fields);
  if (method == "sendDocument") return send_by_id(fields);
  return telegram_fault(404, "Not Found");
}

FakeReply FakeTelegram::updates(const Fields& fields) {
  const std::int64_t offset = whole(fields, "offset");
  if (offset > 0) std::erase_if(queue_, [&](const QueuedUpdate& each) { return each.id < offset; });
  const std::int64_t asked = whole(fields, "limit");
  const auto limit = static_cast<std::size_t>(asked < 1 ? 100 : std::min<std::int64_t>(asked, 100));
  std::vector<QueuedUpdate> given = std::exchange(again_, {});
  given.insert(given.end(), queue_.begin(), queue_.end());
  std::string list;
  for (std::size_t i = 0; i < std::min(limit, given.size()); ++i)
    list += (list.empty() ? "" : ",") + given[i].json;
  return good("[" + list + "]");
}

std::optional<FakeReply> FakeTelegram::refuse_send(std::int64_t chat) {
  if (chat == 0 || unknown_chats.contains(chat))
    return telegram_fault(400, "Bad Request: chat not found");
  if (blocked.contains(chat)) return telegram_fault(403, "Forbidden: bot was blocked by the user");
  const auto flooded = floods_.find(chat);
  if (flooded == floods_.end()) return std::nullopt;
  Flood& flood = flooded->second;
  if (clock_.steady() >= flood.until) {
    floods_.erase(flooded);
    return std::nullopt;
  }
  if (std::exchange(flood.was_told, true)) ++early;
  const auto left = (flood.until - clock_.steady() + Millis{999}) / Millis{1'000};
  FakeReply reply = telegram_fault(429, fmt::format("Too Many Requests: retry after {}", left),
                                   fmt::format(R"({{"retry_after":{}}})", left));
  reply.headers.emplace_back("retry-after", std::to_string(left));
  return reply;
}

FakeReply FakeTelegram::take_document(FakeDocument document) {
  document.message = ++last_message_;
  if (document.file_id.empty()) document.file_id = fmt::format("BQAC{}", ++last_file_);
  const std::string more = fmt::format(
      R"("document":{{"file_name":{},"mime_type":"application/octet-stream","file_id":"{}",)"
      R"("file_unique_id":"AgAD{}","file_size":{}}})",
      json_quoted(document.name), document.file_id, document.file_id, document.size);
  files.emplace(document.file_id, document);
  documents.push_back(document);
  return good(message_json(document.chat, document.message, more));
}

FakeReply FakeTelegram::send_text(const Fields& fields) {
  const std::int64_t chat = whole(fields, "chat_id");
  if (auto refused = refuse_send(chat)) return *std::move(refused);
  if (text(fields, "text").empty())
    return telegram_fault(400, "Bad Request: message text is empty");
  texts[{chat, ++last_message_}] = {
      text(fields, "text"), text(fields, "reply_markup"), 0, {clock_.steady()}};
  return good(message_json(chat, last_message_,
                           fmt::format(R"("text":{})", json_quoted(text(fields, "text")))));
}

FakeReply FakeTelegram::edit_text(const Fields& fields) {
  const std::int64_t chat = whole(fields, "chat_id");
  if (auto refused = refuse_send(chat)) return *std::move(refused);
  const auto found = texts.find({chat, whole(fields, "message_id")});
  if (found == texts.end()) return telegram_fault(400, "Bad Request: message to edit not found");
  FakeText& now = found->second;
  if (now.text == text(fields, "text") && now.markup == text(fields, "reply_markup"))
    return telegram_fault(
        400,
        "Bad Request: message is not modified: specified new message content and reply markup are "
        "exactly the same as a current content and reply markup of the message");
  now.text = text(fields, "text");
  now.markup = text(fields, "reply_markup");
  ++now.edits;
  now.changes.push_back(clock_.steady());
  return good(
      message_json(chat, found->first.second, fmt::format(R"("text":{})", json_quoted(now.text))));
}

FakeReply FakeTelegram::answer_click(const Fields& fields) {
  const std::string id = text(fields, "callback_query_id");
  if (!clicks_.contains(id))
    return telegram_fault(400,
                          "Bad Request: query is too old and response timeout expired or query ID "
                          "is invalid");
  answered[id] = text(fields, "text");
  return good("true");
}

FakeReply FakeTelegram::send_by_id(const Fields& fields) {
  const std::int64_t chat = whole(fields, "chat_id");
  if (auto refused = refuse_send(chat)) return *std::move(refused);
  const auto known = files.find(text(fields, "document"));
  if (known == files.end())
    return telegram_fault(400, "Bad Request: wrong file identifier/HTTP URL specified");
  FakeDocument document = known->second;
  document.chat = chat;
  document.was_uploaded = false;
  return take_document(std::move(document));
}

std::int64_t FakeTelegram::newest(std::int64_t chat) const {
  const auto after = texts.lower_bound({chat + 1, 0});
  if (after == texts.begin()) return 0;
  const auto& [of, message] = std::prev(after)->first;
  return of == chat ? message : 0;
}

std::string FakeTelegram::shown(std::int64_t chat, std::int64_t message) const {
  const auto found = texts.find({chat, message});
  if (found == texts.end()) return {};
  std::string labels;
  for (const auto& each : buttons_of(found->second.markup))
    labels += (labels.empty() ? " / " : " | ") + each.first;
  return found->second.text + labels;
}

std::vector<std::pair<std::string, std::string>> FakeTelegram::buttons(std::int64_t chat,
                                                                       std::int64_t message) const {
  const auto found = texts.find({chat, message});
  if (found == texts.end()) return {};
  return buttons_of(found->second.markup);
}

std::string FakeTelegram::button(std::int64_t chat, std::int64_t message,
                                 std::string_view label) const {
  for (const auto& [text_of, data] : buttons(chat, message))
    if (text_of == label) return data;
  return {};
}

}  // namespace haul::testing
