#pragma once
// The schemas of the messages of the event stream.

#include <array>

#include "api/json/api_schemas.h"

namespace haul::api {

inline constexpr std::array kStreamSchemas{
    NamedSchema{"MovedMessage", R"(
      event: =moved
      id: string                # Send the last one as Last-Event-ID to continue.
      data: Event
    )"},
    NamedSchema{"NoteMessage", R"(
      event: =note
      id: string
      data: Event
    )"},
    NamedSchema{"ResyncMessage", R"(
      event: =resync            # Events are missing here: read the jobs again.
      id: string
      data: object
    )"},
    NamedSchema{"JobTransfer", R"(
      job: integer
      ...JobRate
      items: ItemTransfer[]
    )"},
    NamedSchema{"ProgressMessage", R"(
      event: =progress
      data: JobTransfer
    )"},
    NamedSchema{"ItemBytes", R"(
      downloaded_bytes: integer
      total_bytes: integer      # 0 while unknown.
      file_id: string
      file_path: string?
      url: string
      speed: number
      eta: integer?
      status: string
    )"},
    NamedSchema{"ItemProgress", R"(
      job: integer
      item: integer
      type: =ITEM_PROGRESS
      data: ItemBytes
    )"},
    NamedSchema{"ItemProgressMessage", R"(
      event: =item_progress
      data: ItemProgress
    )"},
    NamedSchema{"ItemCounts", R"(
      completed_items: integer
      total_items: integer
    )"},
    NamedSchema{"JobProgress", R"(
      job: integer
      type: =JOB_PROGRESS
      data: ItemCounts
    )"},
    NamedSchema{"JobProgressMessage", R"(
      event: =job_progress
      data: JobProgress
    )"},
};

}  // namespace haul::api
