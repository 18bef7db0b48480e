#include "sink/telegram/form.h"

#include <doctest/doctest.h>

#include "base/json.h"
#include "support/server/form_reader.h"

namespace haul::telegram {
namespace {

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// The form with a file of these bytes, as the Bot API reads it.
haul::testing::FormReader read(const DocumentPart& part, std::string_view bytes) {
  const SendForm form = document_form(part, "limit0");
  haul::testing::FormReader reader{form.type.substr(form.type.find('=') + 1)};
  CHECK(reader.add(form.head + std::string{bytes} + form.tail));
  return reader;
}

}  // namespace

TEST_CASE("S3-13: a form has the chat, the file and its name, and Telegram reads it whole") {
  const auto reader =
      read({.chat = "-100123", .name = "a b.pdf", .mime = "application/pdf"}, "xyz");

  REQUIRE(reader.is_whole());
  CHECK(reader.fields().at("chat_id") == "-100123");
  CHECK(reader.fields().at("disable_content_type_detection") == "true");
  REQUIRE(reader.file());
  CHECK(reader.file()->field == "document");
  CHECK(reader.file()->name == "a b.pdf");
  CHECK(reader.file()->mime == "application/pdf");
  CHECK(reader.file()->sha256 == sha256_hex("xyz"));
}

TEST_CASE("the form has exactly these bytes") {
  const SendForm form = document_form({.chat = "42", .name = "f.bin"}, "B");

  CHECK(form.type == "multipart/form-data; boundary=B");
  CHECK(form.head ==
        "--B\r\nContent-Disposition: form-data; name=\"chat_id\"\r\n\r\n42\r\n"
        "--B\r\nContent-Disposition: form-data; name=\"disable_content_type_detection\"\r\n\r\n"
        "true\r\n"
        "--B\r\nContent-Disposition: form-data; name=\"document\"; filename=\"f.bin\"\r\n"
        "Content-Type: application/octet-stream\r\n\r\n");
  CHECK(form.tail == "\r\n--B--\r\n");
}

TEST_CASE("no name of a file breaks the form or reaches another field") {
  for (const char* name :
       {"a;b.txt", "a\"; name=\"chat_id", "a\r\n\r\nx", "../../etc/passwd", "a\\b", "", ".", "...",
        "a\xff"
        "b",
        "\x1b[31m.txt", "a\xe2\x80\xaegpj.exe", "\"", ";;;"}) {
    CAPTURE(name);
    const auto reader = read({.chat = "42", .name = name}, "xyz");

    REQUIRE(reader.is_whole());
    CHECK(reader.fields().at("chat_id") == "42");
    CHECK(reader.file()->size == 3);
    CHECK_FALSE(reader.file()->name.empty());
    CHECK(reader.file()->name.find(';') == std::string::npos);
  }
}

TEST_CASE("a name stays readable, whatever its script, and is cut as Telegram cuts it") {
  CHECK(document_name("отчёт за май.pdf") == "отчёт за май.pdf");
  CHECK(document_name("a;b\"c/d\\e\n.txt") == "a_b_c_d_e_.txt");
  CHECK(document_name(" .bashrc") == "bashrc");
  CHECK(document_name("..") == "file");
  CHECK(document_name("no ending") == "no ending");
  for (const int more : {-1, 0, 1}) {
    CAPTURE(more);
    const std::string name = repeated("ж", 60 + more) + "." + repeated("z", 16 + more);
    const int kept = std::min(more, 0);
    CHECK(document_name(name) == repeated("ж", 60 + kept) + "." + repeated("z", 16 + kept));
    CHECK(haul::testing::cleaned_name(document_name(name)) == document_name(name));
  }
}

TEST_CASE("only a plain MIME type goes into the form") {
  CHECK(read({.chat = "42", .name = "a", .mime = "image/svg+xml"}, "x").file()->mime ==
        "image/svg+xml");
  for (const char* mime : {"", "text", "text/plain; charset=x", "a/b\r\nX: y", "/", "a/", "/b"})
    CHECK(read({.chat = "42", .name = "a", .mime = mime}, "x").file()->mime ==
          "application/octet-stream");
}

TEST_CASE("a chat is a number or a public name") {
  for (const char* chat : {"42", "-1001234567890", "@channel", "@a_1"}) CHECK(is_chat(chat));
  for (const char* chat :
       {"", "-", "@", "4 2", "channel", "@a-b", "1.5", "+1", "42\r\n", "12345678901234567890"})
    CHECK_FALSE(is_chat(chat));
  CHECK_FALSE(is_group("42"));
  CHECK(is_group("-42"));
  CHECK(is_group("@channel"));
}

TEST_CASE("S3-22: a known file is sent by its id, as JSON") {
  const SendForm form = known_file_form("42", "BQ\"AC");

  CHECK(form.type == "application/json");
  const auto fields = read_object(form.head + form.tail);
  REQUIRE(fields);
  CHECK(fields->at(0).text == "42");
  CHECK(fields->at(1).text == "BQ\"AC");
}

}  // namespace haul::telegram
