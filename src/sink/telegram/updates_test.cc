#include "sink/telegram/updates.h"

#include <doctest/doctest.h>

namespace haul::telegram {

TEST_CASE("a message has its user, chat, language and text") {
  const auto updates = read_updates(
      R"([{"update_id":9,"message":{"message_id":3,"from":{"id":5123456789,"is_bot":false,)"
      R"("first_name":"Анна","last_name":"К","language_code":"ru"},)"
      R"("chat":{"id":5123456789,"type":"private"},"date":1,"text":"/start"}}])");
  REQUIRE(updates);
  CHECK(*updates == std::vector<BotUpdate>{{.id = 9,
                                            .from = 5'123'456'789,
                                            .chat = 5'123'456'789,
                                            .name = "Анна К",
                                            .language = "ru",
                                            .text = "/start"}});
  CHECK(updates->front().is_private());
  CHECK_FALSE(updates->front().is_click());
}

TEST_CASE("a click has its id, its data and the message with the button") {
  const auto updates = read_updates(
      R"([{"update_id":9,"callback_query":{"id":"77","from":{"id":5,"first_name":"A"},)"
      R"("message":{"message_id":3,"chat":{"id":5},"date":1},"chat_instance":"1","data":"o:1:0"}},)"
      R"({"update_id":10,"callback_query":{"id":"78","from":{"id":5,"first_name":"A"},)"
      R"("message":{"message_id":3,"chat":{"id":5},"date":0},"data":"x"}}])");
  REQUIRE(updates);
  REQUIRE(updates->size() == 2);
  CHECK(updates->at(0).callback == "77");
  CHECK(updates->at(0).data == "o:1:0");
  CHECK(updates->at(0).message == 3);
  CHECK(updates->at(1).message == 0);  // Not reachable any more.
}

TEST_CASE("updates come in the order of their ids; one that haul does not use keeps its id") {
  const auto updates = read_updates(
      R"([{"update_id":12,"channel_post":{"text":"x"}},{"no":1},{"update_id":11,"message":)"
      R"({"message_id":1,"from":{"id":5,"is_bot":true},"chat":{"id":5},"text":"a"}},7])");
  REQUIRE(updates);
  CHECK(*updates == std::vector<BotUpdate>{{.id = 11}, {.id = 12}});
  CHECK(read_updates("[]")->empty());
  CHECK_FALSE(read_updates("{}"));
}

TEST_CASE("a message of a group is not private, and a long text ends with a whole character") {
  std::string text(4'095, 'a');
  text += "я";
  const auto updates =
      read_updates(R"([{"update_id":1,"message":{"from":{"id":5},"chat":{"id":-100},"text":")" +
                   text + R"("}}])");
  REQUIRE(updates);
  CHECK_FALSE(updates->front().is_private());
  CHECK(updates->front().text == std::string(4'095, 'a'));
}

TEST_CASE("an update that is no JSON is replaced by its id, and others stay as they are") {
  CHECK(mended_updates(R"({"ok":true,"result":[{"update_id":7,"a":"\"update_id\":9,\ud800"},)"
                       R"({"update_id":8,"b":"]}"}]})") ==
        R"({"ok":true,"result":[{"update_id":7,"unreadable":true},{"update_id":8,"b":"]}"}]})");
  CHECK(mended_updates(R"({"ok":true,"result":[{"a":"\ud800"}]})") ==
        R"({"ok":true,"result":[{}]})");
  const auto updates = read_updates(R"([{"update_id":7,"unreadable":true}])");
  REQUIRE(updates);
  CHECK(updates->front().is_unreadable);
}

TEST_CASE("what is no list of updates is not mended") {
  for (const char* other :
       {"", "<html>", R"({"ok":false,"result":[]})", R"({"ok":true,"result":[{"update_id":7)",
        R"({"ok":true,"result":[7]})", R"({"ok":true,"result":{}})", R"({"ok":true)"})
    CHECK(mended_updates(other).empty());
}

}  // namespace haul::telegram
