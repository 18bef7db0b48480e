#pragma once
// The handlers of the API, one function per route. routes.cc says who may call which.

#include "api/call.h"

namespace haul::api::handle {

// jobs.cc
ApiReply list_jobs(const ApiParts& parts, const Call& call);
ApiReply show_job(const ApiParts& parts, const Call& call);
ApiReply list_items(const ApiParts& parts, const Call& call);
ApiReply list_events(const ApiParts& parts, const Call& call);
ApiReply explain_job(const ApiParts& parts, const Call& call);
ApiReply show_result(const ApiParts& parts, const Call& call);
ApiReply list_stuck(const ApiParts& parts, const Call& call);
ApiReply list_stalled(const ApiParts& parts, const Call& call);
ApiReply list_reasons(const ApiParts& parts, const Call& call);

// add/add_many.cc
ApiReply add_jobs(const ApiParts& parts, const Call& call);

// job_acts.cc
ApiReply cancel_job(const ApiParts& parts, const Call& call);
ApiReply retry_job(const ApiParts& parts, const Call& call);
ApiReply pause_job(const ApiParts& parts, const Call& call);
ApiReply resume_job(const ApiParts& parts, const Call& call);
ApiReply delete_job(const ApiParts& parts, const Call& call);
ApiReply set_priority(const ApiParts& parts, const Call& call);
ApiReply resume_store(const ApiParts& parts, const Call& call);

// job_link.cc
ApiReply replace_link(const ApiParts& parts, const Call& call);

// job_bulk.cc
ApiReply act_on_jobs(const ApiParts& parts, const Call& call);

// import.cc
ApiReply import_job(const ApiParts& parts, const Call& call);

// books.cc
ApiReply list_books(const ApiParts& parts, const Call& call);
ApiReply show_book(const ApiParts& parts, const Call& call);
ApiReply list_book_jobs(const ApiParts& parts, const Call& call);
ApiReply add_book(const ApiParts& parts, const Call& call);
ApiReply list_assets(const ApiParts& parts, const Call& call);

// asset_file.cc
ApiReply show_asset_file(const ApiParts& parts, const Call& call);

// trash.cc
ApiReply list_trash(const ApiParts& parts, const Call& call);
ApiReply restore_trash(const ApiParts& parts, const Call& call);
ApiReply empty_trash(const ApiParts& parts, const Call& call);

// health.cc
ApiReply ping(const ApiParts& parts, const Call& call);
ApiReply is_live(const ApiParts& parts, const Call& call);
ApiReply is_ready(const ApiParts& parts, const Call& call);
ApiReply metrics(const ApiParts& parts, const Call& call);
ApiReply stats(const ApiParts& parts, const Call& call);
ApiReply list_workers(const ApiParts& parts, const Call& call);

// lifecycles.cc
ApiReply list_lifecycles(const ApiParts& parts, const Call& call);
ApiReply show_lifecycle(const ApiParts& parts, const Call& call);
ApiReply openapi(const ApiParts& parts, const Call& call);

// page.cc
ApiReply listen(const ApiParts& parts, const Call& call);
ApiReply page(const ApiParts& parts, const Call& call);

// login.cc
ApiReply log_in(const ApiParts& parts, const Call& call);
ApiReply log_out(const ApiParts& parts, const Call& call);

// users.cc
ApiReply me(const ApiParts& parts, const Call& call);
ApiReply list_users(const ApiParts& parts, const Call& call);
ApiReply add_user(const ApiParts& parts, const Call& call);
ApiReply set_user(const ApiParts& parts, const Call& call);

// keys.cc
ApiReply list_keys(const ApiParts& parts, const Call& call);
ApiReply add_key(const ApiParts& parts, const Call& call);
ApiReply revoke_key(const ApiParts& parts, const Call& call);

// credits.cc
ApiReply grant_credits(const ApiParts& parts, const Call& call);
ApiReply show_credits(const ApiParts& parts, const Call& call);
ApiReply list_credits(const ApiParts& parts, const Call& call);
ApiReply list_audit(const ApiParts& parts, const Call& call);

}  // namespace haul::api::handle
