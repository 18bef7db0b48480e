#pragma once
// The body of a request that sends a file into a chat, as the Bot API reads it. The bytes of the
// file go between `head` and `tail`.

#include <cstdint>
#include <string>
#include <string_view>

namespace haul::telegram {

struct SendForm {
  std::string type;  // The value of Content-Type.
  std::string head;
  std::string tail;
};

// A file with its bytes.
struct DocumentPart {
  std::string chat;  // See is_chat().
  std::string name;  // The file's name, as it is on the disk.
  std::string mime{};
};
// `boundary` has letters and digits only, at most 70, and occurs nowhere in the file.
SendForm document_form(const DocumentPart& part, const std::string& boundary);

// A file that Telegram has, by Telegram's own id.
SendForm known_file_form(const std::string& chat, const std::string& file_id);

// Whether it is a chat's number, or "@" and the name of a public chat.
bool is_chat(std::string_view chat);
// A group or a channel, or a public chat by its name, which may be one.
bool is_group(std::string_view chat);

// The name that Telegram shows for a file. Its parser splits the header of a part at each ";", even
// inside quotes, and cuts long names.
std::string document_name(std::string_view name);

}  // namespace haul::telegram
