#pragma once
// Telegram as the sink of relays: sends files into chats through the Bot API, by their bytes or by
// Telegram's own id of a file that was sent before.

#include <memory>

#include "base/clock.h"
#include "io/web/http.h"
#include "seam/gate.h"
#include "seam/sink.h"
#include "seam/streams.h"
#include "sink/telegram/settings.h"

namespace haul::telegram {

// What a Parcel's path begins with if Telegram has the file. Its id follows.
inline constexpr std::string_view kKnownFile = "telegram:";

// land() takes the job's stream from `streams`, or sends the file that the parcel's path names. A
// Sent's ack is JSON with message_id, chat_id, file_id, file_unique_id and date. The arguments
// outlive the result. Destroying it waits for the loop's thread; open sends get no answer then.
std::unique_ptr<Sink> make_telegram_chat(io::HttpLoop& loop, const Clock& clock, Gate& gate,
                                         Streams& streams, ChatSettings settings);

}  // namespace haul::telegram
