// Every field of every request: its type, its range, and the path that a refusal names.

#include "store/rules/request_check.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "hostile/urls.h"
#include "lifecycle/request.h"
#include "lifecycle/tables.h"

namespace haul::testing {
namespace {

std::string why(const Lifecycle& table, const std::string& request) {
  const auto refusal = rules::check_request(table, request);
  if (!refusal) return "fine";
  CHECK_MESSAGE(refusal->detail.starts_with(refusal->field), refusal->detail);
  return refusal->code + " " + refusal->field;
}

// Checks a batch with one more field.
std::string batch(const std::string& field) {
  return why(kBatch, R"({"url":"http://h/",)" + field + "}");
}

// A valid request that has the given field.
std::string with(const Lifecycle& table, std::string_view name, const std::string& json) {
  std::string out;
  for (const RequestField& field : table.request.fields) {
    std::string value = field.name == "uri"       ? "\"magnet:?x\""
                        : field.name == "chat_id" ? "2"
                        : field.name == "file_id" ? "\"/x\""
                        : !field.values.empty()   ? fmt::format("\"{}\"", *field.values.begin())
                                                  : "\"x\"";
    if (field.name == name) value = json;
    if (field.required || field.name == name)
      out += fmt::format("{}\"{}\":{}", out.empty() ? "" : ",", field.name, value);
  }
  if (&table == &kBatch && name != "url") out = R"("url":"http://h/",)" + out;
  return "{" + out + "}";
}

std::vector<std::string> values_of_other_types(FieldType type) {
  const std::string text = "\"x\"", number = "5", flag = "true", list = "[]", object = "{}";
  switch (type) {
    case FieldType::text:
    case FieldType::lines:
      return {number, flag, list, object};
    case FieldType::number:
      return {text, "\"\"", "\"5\"", "1.5", "5.0", flag, list, object};
    case FieldType::flag:
      return {text, "\"\"", "\"true\"", "1", "0", list, object};
    case FieldType::duration:
      return {number, "\"\"", "1.5", flag, list, object};
    case FieldType::id:
      return {"1.5", flag, list, object};
    case FieldType::list:
      return {text, "\"\"", number, flag, object};
    case FieldType::object:
    case FieldType::logins:
    case FieldType::any:
      return {text, "\"\"", number, flag, list};
  }
  return {};
}

}  // namespace

TEST_CASE("every field of every lifecycle refuses every other type, by its path") {
  int checked = 0;
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay, &kImage})
    for (const RequestField& field : table->request.fields)
      for (const std::string& value : values_of_other_types(field.type)) {
        CAPTURE(value);
        CHECK(why(*table, with(*table, field.name, value)) ==
              fmt::format("wrong_type {}", field.name));
        ++checked;
      }
  CHECK(checked > 100);
}

TEST_CASE("J8: a number lies in its range: both ends are fine, one beyond is refused") {
  int checked = 0;
  for (const Lifecycle* table : {&kMedia, &kBatch})
    for (const RequestField& field : table->request.fields) {
      if (field.type != FieldType::number) continue;
      const auto answer = [&](std::int64_t value) {
        return why(*table, with(*table, field.name, std::to_string(value)));
      };
      CAPTURE(field.name);
      CHECK(answer(field.least) == "fine");
      CHECK(answer(field.most) == "fine");
      CHECK(answer(field.least - 1) == fmt::format("bad_request {}", field.name));
      CHECK(answer(field.most + 1) == fmt::format("bad_request {}", field.name));
      ++checked;
    }
  CHECK(checked == 5);
  CHECK(batch(R"("segments":9223372036854775808)") == "bad_request segments");
}

TEST_CASE("J9: a text has its bytes at most, and is one of its values where there are some") {
  for (const Lifecycle* table : {&kBook, &kMedia, &kRelay, &kImage})
    for (const RequestField& field : table->request.fields) {
      if (name(field.type) != "string" || !field.values.empty()) continue;
      const auto answer = [&](std::int64_t bytes) {
        const std::string start = field.name == "uri"          ? "magnet:?"
                                  : field.name == "source_url" ? "http://h/"
                                  : field.name == "chat_id"    ? "@"
                                  : field.name == "file_id"    ? "/"
                                                               : "";
        const auto rest = static_cast<std::size_t>(bytes) - start.size();
        const std::string text = start + std::string(rest, 'x');
        return why(*table, with(*table, field.name, "\"" + text + "\""));
      };
      CAPTURE(field.name);
      if (field.name != "source_url") CHECK(answer(field.most) == "fine");
      CHECK(answer(field.most + 1) == fmt::format("bad_request {}", field.name));
    }
  CHECK(why(kBook, with(kBook, "media_type", "\"video\"")) == "bad_request media_type");
  CHECK(why(kMedia, with(kMedia, "engine", "\"curl\"")) == "bad_request engine");
  CHECK(batch(R"("engine":"curl")") == "bad_request engine");
  CHECK(batch(R"("engine":"yt-dlp")") == "fine");
}

TEST_CASE("003: file_id is the path of a file on the disk, without dot segments") {
  const auto answer = [](const std::string& path) {
    return why(kRelay, with(kRelay, "file_id", json_quoted(path)));
  };
  for (const char* fine : {"/a", "disk:/a", "disk:/Фильмы/a b.mp4", "/a/..b", "/.hidden", "/a:b"})
    CHECK_MESSAGE(answer(fine) == "fine", fine);
  for (const char* bad :
       {"a", "/", "disk:", "disk:a", "disk:/", "/a/", "/a//b", "//a", "/.", "/..", "/a/../b",
        "/a/./b", "disk:/../a", "trash:/a", "app:/a", "DISK:/a", "http://h/a", "C:\\a"})
    CHECK_MESSAGE(answer(bad) == "bad_request file_id", bad);
}

TEST_CASE("003: chat_id is a number that is not 0, or a name with @") {
  const auto answer = [](const std::string& json) {
    return why(kRelay, with(kRelay, "chat_id", json));
  };
  for (const char* fine : {"1", "-1001234567890", "\"-1001234567890\"", "\"@chat\"",
                           "\"@Some_chat_9\"", "123456789012345678"})
    CHECK_MESSAGE(answer(fine) == "fine", fine);
  for (const char* bad : {"0", "-0", "1234567890123456789", "\"chat\"", "\"@\"", "\"@abc\"",
                          "\"@9chat\"", "\"@a-chat\"", "\"-\"", "\"01\"", "\"+1\"", "\"1 \""})
    CHECK_MESSAGE(answer(bad) == "bad_request chat_id", bad);
}

TEST_CASE("a film that haul fetches itself has an http or https URL, and no magnet link") {
  const auto film = [](const std::string& uri) {
    return why(kMedia, R"({"title":"x","release_name":"x","engine":"http")" + uri + "}");
  };
  const std::string start = "http://h/";
  const auto of_size = [&](std::size_t bytes) {
    return fmt::format(R"(,"uri":"{}{}")", start, std::string(bytes - start.size(), 'x'));
  };

  CHECK(film(R"(,"uri":"https://h/film.mkv")") == "fine");
  CHECK(film("") == "missing_field uri");
  CHECK(film(R"(,"uri":"")") == "missing_field uri");
  CHECK(film(R"(,"uri":null)") == "missing_field uri");
  CHECK(film(R"(,"uri":"magnet:?xt=urn:btih:x")") == "bad_uri uri");
  CHECK(film(of_size(8'192)) == "fine");
  CHECK(film(of_size(8'193)) == "bad_uri uri");
  CHECK(why(kMedia, with(kMedia, "engine", "\"qbittorrent\"")) == "fine");
}

TEST_CASE("NUL and other control characters are refused in every string, but a prompt's layout") {
  const char* const controls[] = {"\\u0000", "\\u0001", "\\r",     "\\n",
                                  "\\t",     "\\u007f", "\\u0085", "\\u2028"};
  int checked = 0;
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay, &kImage})
    for (const RequestField& field : table->request.fields) {
      if (name(field.type) != "string" && field.type != FieldType::list) continue;
      for (const std::string control : controls) {
        const bool is_layout =
            field.type == FieldType::lines && (control == "\\n" || control == "\\t");
        const bool is_list = field.type == FieldType::list;
        const std::string text = "\"a" + control + "b\"";
        const std::string answer =
            why(*table, with(*table, field.name, is_list ? "[" + text + "]" : text));
        CAPTURE(field.name);
        CAPTURE(control);
        CHECK(answer == (is_layout
                             ? "fine"
                             : fmt::format("bad_request {}{}", field.name, is_list ? "[0]" : "")));
        ++checked;
      }
    }
  CHECK(checked > 150);
  CHECK(batch(R"("folder":"..\u0000x")") == "bad_request folder");
  CHECK(why(kImage, R"({"prompt":"x","params":{"a":["b",{"c":"\u0000"}]}})") ==
        "bad_request params");
  CHECK(why(kImage, R"({"prompt":"x","params":{"a\n":1}})") == "bad_request params");
  CHECK(why(kImage, R"({"prompt":"x","params":{"a":"\\u0000 \" ü"}})") == "fine");
}

TEST_CASE("unknown keys are refused in filters and limits, too") {
  CHECK(batch(R"("filters":{"min_sise":1})") == "unknown_field filters.min_sise");
  CHECK(batch(R"("limits":{"perhost":1})") == "unknown_field limits.perhost");
  CHECK(rules::check_request(kBatch, R"({"url":"http://h/","filters":{"min_sise":1}})")->detail ==
        "filters.min_sise: unknown field; did you mean 'min_size'?");
}

TEST_CASE("filters are checked to the last") {
  CHECK(batch(R"("filters":{"min_size":0,"max_size":1,"date_from":"2024-02-29",)"
              R"("date_to":"2024-02-29","only_types":["images","documents"],)"
              R"("exclude_extensions":[".zip","rar"]})") == "fine");
  for (const auto& [json, path] : std::vector<std::pair<std::string, std::string>>{
           {R"("min_size":-1)", "bad_request filters.min_size"},
           {R"("min_size":"1")", "wrong_type filters.min_size"},
           {R"("min_size":2,"max_size":1)", "bad_request filters.min_size"},
           {R"("date_from":"2023-02-29")", "bad_request filters.date_from"},
           {R"("date_from":"20230228")", "bad_request filters.date_from"},
           {R"("date_from":"2023-02-2x")", "bad_request filters.date_from"},
           {R"("date_from":"2024-01-02","date_to":"2024-01-01")", "bad_request filters.date_from"},
           {R"("only_types":["images","music"])", "bad_request filters.only_types[1]"},
           {R"("exclude_extensions":["a/b"])", "bad_request filters.exclude_extensions[0]"},
           {R"("exclude_extensions":["zip",5])", "wrong_type filters.exclude_extensions[1]"}})
    CHECK_MESSAGE(batch("\"filters\":{" + json + "}") == path, json);
}

TEST_CASE("J21: limits: no negative or absurd delays, no limit of nothing") {
  for (const char* fine : {R"("delay":0)", R"("delay":"0")", R"("delay":"3600s")",
                           R"("per_host":1)", R"("speed_limit":0)"})
    CHECK_MESSAGE(batch(fmt::format("\"limits\":{{{}}}", fine)) == "fine", fine);
  CHECK(batch(R"("limits":{"delay":"-1s"})") == "bad_request limits.delay");
  CHECK(batch(R"("limits":{"delay":"3601s"})") == "bad_request limits.delay");
  CHECK(batch(R"("limits":{"delay":"10000d"})") == "bad_request limits.delay");
  CHECK(batch(R"("limits":{"delay":"NaN"})") == "bad_request limits.delay");
  CHECK(batch(R"("limits":{"delay":"1h"})") == "fine");
  CHECK(batch(R"("limits":{"delay":"soon"})") == "bad_request limits.delay");
  CHECK(batch(R"("limits":{"delay":5})") == "wrong_type limits.delay");
  CHECK(batch(R"("limits":{"per_host":0})") == "bad_request limits.per_host");
  CHECK(batch(R"("limits":{"speed_limit":-1})") == "bad_request limits.speed_limit");
  CHECK(batch(R"("limits":{"speed_limit":1})") == "bad_request limits.speed_limit");
  CHECK(batch(R"("limits":{"speed_limit":1023})") == "bad_request limits.speed_limit");
  CHECK(batch(R"("limits":{"speed_limit":1024})") == "fine");
}

TEST_CASE("a checksum and a name are for one address; with two they are refused") {
  const std::string sum = fmt::format(R"("checksum":"md5:{}")", std::string(32, '0'));
  for (const std::string& field : {sum, std::string{R"("name":"a")"}}) {
    const std::string path = field.substr(1, field.find('"', 1) - 1);
    CHECK(why(kBatch, "{\"url\":\"http://h/\"," + field + "}") == "fine");
    CHECK(why(kBatch, "{\"urls\":[\"http://h/\"]," + field + "}") == "fine");
    CHECK(why(kBatch, "{\"urls\":[\"http://h/1\",\"http://h/2\"]," + field + "}") ==
          "bad_request " + path);
    CHECK(why(kBatch, "{\"url\":\"http://h/1\",\"urls\":[\"http://h/2\"]," + field + "}") ==
          "bad_request " + path);
  }
  CHECK(why(kBatch, R"({"urls":["http://h/1","http://h/2"],"name":"","checksum":null})") == "fine");
}

TEST_CASE("U1 to U48: a bad address refuses the request and is named by its position") {
  int checked = 0;
  for (const HostileUrl& bad : kRefusedUrls) {
    CAPTURE(bad.url);
    const auto refusal = rules::check_request(
        kBatch, R"({"urls":["http://h/1","http://h/2",)" + json_quoted(bad.url) + "]}");
    REQUIRE(refusal);
    CHECK(refusal->field == "urls[2]");
    ++checked;
  }
  CHECK(checked > 20);
  CHECK(why(kBatch, R"({"url":"notaurl"})") == "bad_url_scheme url");
  CHECK(why(kBatch, R"({"url":"file:///etc/passwd"})") == "bad_url_scheme url");
  CHECK(why(kBatch, R"({"url":""})") == "bad_url_scheme url");
  CHECK(why(kBatch, R"({"urls":[]})") == "bad_request urls");
  CHECK(why(kBatch, R"({"urls":["http://h/",5]})") == "wrong_type urls[1]");
  CHECK(why(kBatch, R"({})") == "missing_field url");
  CHECK(why(kBatch, R"({"url":null})") == "missing_field url");
}

TEST_CASE("what an explicit engine's program cannot be asked for is refused with its field") {
  const auto with_engine = [](const std::string& engine, const std::string& field) {
    return batch(fmt::format(R"("engine":"{}",{})", engine, field));
  };
  for (const char* engine : {"yt-dlp", "gallery-dl"}) {
    CHECK(with_engine(engine, R"("proxy":"http://p:1")") == "not_for_this_engine proxy");
    CHECK(with_engine(engine, R"("discover":true)") == "not_for_this_engine discover");
    CHECK(with_engine(engine, R"("discover":false,"headers":[])") == "fine");
  }
  CHECK(with_engine("gallery-dl", R"("headers":["A: b"])") == "not_for_this_engine headers");
  CHECK(with_engine("yt-dlp", R"("headers":["A: b"])") == "fine");
  CHECK(with_engine("http", R"("headers":["A: b"],"proxy":"http://p:1")") == "fine");
}

TEST_CASE("gallery-dl's prefix for pages with links is an address, but not of the http engine") {
  CHECK(why(kBatch, R"({"url":"r:http://h/a"})") == "fine");
  CHECK(why(kBatch, R"({"urls":["recursive:https://h/a"],"engine":"gallery-dl"})") == "fine");
  CHECK(why(kBatch, R"({"url":"r:file:///etc/passwd"})") == "bad_url_scheme url");
  CHECK(why(kBatch, R"({"url":"r:r:http://h/"})") == "bad_url_scheme url");
  CHECK(why(kBatch, R"({"url":"r:http://h/a","engine":"http"})") == "bad_url_scheme url");
  CHECK(why(kBatch, R"({"urls":["http://h/","r:http://h/"],"engine":"http"})") ==
        "bad_url_scheme urls[1]");
}

TEST_CASE("headers, a checksum, a proxy and files that would fail the job are refused at once") {
  CHECK(batch(R"("headers":["Accept: a/b","X-Y:"])") == "fine");
  for (const char* bad : {"no colon", ": value", "a b: c", "Content-Length: 5",
                          "transfer-encoding: chunked", "Host: evil"})
    CHECK_MESSAGE(
        batch(fmt::format(R"("headers":["Accept: x","{}"])", bad)) == "bad_request headers[1]",
        bad);
  CHECK(batch(fmt::format(R"("checksum":"sha256:{}")", std::string(64, 'A'))) == "fine");
  CHECK(batch(fmt::format(R"("checksum":"sha256:{}")", std::string(63, 'A'))) ==
        "bad_request checksum");
  CHECK(batch(R"("checksum":"crc:00")") == "bad_request checksum");
  for (const char* fine :
       {"http://u:p@h:1", "h:3128", "socks5h://h:1080", "http://h", "http://[::1]:3128/",
        "127.0.0.1:65535", "u:p@h:1", "http://u:p%40ss%2Fword@h:1"})
    CHECK_MESSAGE(batch(fmt::format(R"("proxy":"{}")", fine)) == "fine", fine);
  for (const char* bad :
       {"ftp://h:1", "http://", "http://h p", "http://:0", "http://:3128", "h:0",
        "h:", "127.0.0.1:65536", "127.0.0.1:99999", "h:+1", "u:a/b@h:1", "http://u:a?b@h:1",
        "http://u:a#b@h:1", "http://u:a b@h:1", "http://u:p@ss@h:1", "http://u:p%0A@h:1"})
    CHECK_MESSAGE(batch(fmt::format(R"("proxy":"{}")", bad)) == "bad_request proxy", bad);
  CHECK(batch(R"("cookies":"cookies.txt")") == "bad_request cookies");
  CHECK(batch(R"("logins":{"https://h":"a:b"})") == "fine");
  CHECK(batch(R"("logins":{"h":"a:b"})") == R"(bad_request logins["h"])");
}

TEST_CASE("options of a connection and of single URLs are typed and have ranges") {
  CHECK(batch(R"("insecure":1)") == "wrong_type insecure");
  CHECK(batch(R"("ip_version":"6")") == "fine");
  CHECK(batch(R"("ip_version":"5")") == "bad_request ip_version");
  CHECK(batch(R"("connect_timeout":"1ms")") == "fine");
  CHECK(batch(R"("connect_timeout":0)") == "bad_request connect_timeout");
  CHECK(batch(R"("connect_timeout":"1h")") == "fine");
  CHECK(batch(R"("connect_timeout":"61m")") == "bad_request connect_timeout");
  CHECK(batch(R"("max_time":"30d")") == "fine");
  CHECK(batch(R"("max_time":"31d")") == "bad_request max_time");
  CHECK(batch(R"("limits":{"retries":100})") == "fine");
  CHECK(batch(R"("limits":{"retries":101})") == "bad_request limits.retries");
  CHECK(batch(R"("ca_file":"ca.pem")") == "bad_request ca_file");
  CHECK(batch(fmt::format(R"("checksums":["md5:{} a b"])", std::string(32, 'a'))) == "fine");
  CHECK(batch(R"("checksums":["md5:12 a"])") == "bad_request checksums[0]");
  CHECK(batch(R"("each":{"0":{"name":"a/b"}})") == "bad_request each");  // It has no `urls`.
  CHECK(batch(R"("urls":["http://h/b"],"each":{"0":{"name":"a/b"}})") == "fine");
  CHECK(batch(R"("urls":["http://h/b"],"each":{"1":{"name":"a/b"}})") == "bad_request each");
  CHECK(batch(R"("urls":["http://h/b"],"each":{"0":{"nam":"a/b"}})") == "bad_request each");
}

TEST_CASE("mirrors are for one URL, at most 15, and the http engine has them") {
  const auto list = [](int count) {
    std::string urls;
    for (int i = 0; i < count; ++i) urls += fmt::format("{}\"http://m{}/a\"", i == 0 ? "" : ",", i);
    return R"("mirrors":[)" + urls + "]";
  };
  CHECK(batch(list(15)) == "fine");
  CHECK(batch(list(16)) == "bad_request mirrors");
  CHECK(batch(list(0)) == "fine");
  CHECK(batch(R"("mirrors":["ftp://m/a"])") == "bad_url_scheme mirrors[0]");
  CHECK(batch(R"("mirrors":"http://m/a")") == "wrong_type mirrors");
  CHECK(batch(list(1) + R"(,"urls":["http://h/b"])") == "bad_request mirrors");
  CHECK(batch(list(1) + R"(,"discover":true)") == "bad_request mirrors");
  CHECK(batch(list(1) + R"(,"engine":"yt-dlp")") == "not_for_this_engine mirrors");
  CHECK(batch(R"("urls":["http://h/b"],"each":{"0":{"mirrors":["http://m/b"]}})") == "fine");
  CHECK(batch(R"("urls":["http://h/b"],"each":{"0":{"mirrors":["m/b"]}})") == "bad_request each");
}

TEST_CASE("a text that is optional may be empty, and null is as good as absent") {
  CHECK(why(kBook, with(kBook, "title", "\"\"")) == "fine");
  CHECK(why(kMedia, with(kMedia, "year", "null")) == "fine");
  CHECK(batch(R"("engine":"","checksum":"","filters":null)") == "fine");
}

}  // namespace haul::testing
