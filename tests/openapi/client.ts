// A small program against the types that openapi-typescript makes of haul's OpenAPI document:
//   node client.js URL KEY
// It adds a job, lists, shows and cancels it, and hears about it from the event stream. What the
// document says wrongly does not compile, or fails a check here.
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './types.js';

type Job = components['schemas']['Job'];
type Message = components['schemas']['StreamMessage'];

const [url = '', key = ''] = process.argv.slice(2);
const client = createClient<paths, 'application/json'>({
  baseUrl: url,
  headers: { 'X-Api-Key': key },
});

// One message of the stream, from the lines before its blank line.
function message_of(frame: string): Message | undefined {
  const fields = new Map<string, string>();
  for (const line of frame.split('\n')) {
    const colon = line.indexOf(': ');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  if (!fields.has('event')) return undefined; // A comment, which keeps the connection open.
  const data = JSON.parse(fields.get('data') ?? 'null');
  return { event: fields.get('event'), id: fields.get('id'), data } as Message;
}

async function* messages(stream: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const message = message_of(text.slice(0, end));
      text = text.slice(end + 2);
      if (message) yield message;
    }
  }
}

async function add(idempotency_key: string): Promise<Job> {
  const answer = await client.POST('/api/v1/jobs', {
    params: { header: { 'Idempotency-Key': idempotency_key } },
    body: {
      lifecycle: 'batch',
      request: { url: 'https://example.com/file.zip', filters: { max_size: 1_000_000 } },
      paused: true,
    },
  });
  assert(answer.data, JSON.stringify(answer.error));
  return answer.data;
}

const stop = new AbortController();
const stream = await client.GET('/api/v1/events', { parseAs: 'stream', signal: stop.signal });
assert(stream.data);

const job = await add('client-1');
assert.equal(job.end, 'open');
assert.equal(job.paused, true);
assert.equal((await add('client-1')).replayed, true);

const list = await client.GET('/api/v1/jobs', { params: { query: { end: 'open', limit: 5 } } });
assert.deepEqual(list.data?.items.map((each) => each.id), [job.id]);
assert.equal(list.data?.next, null);

const path = { id: job.id };
const shown = await client.GET('/api/v1/jobs/{id}', { params: { path } });
assert.equal(shown.data?.lifecycle, 'batch');
assert.equal(shown.response.headers.get('X-Correlation-Id')?.length !== 0, true);

const why = await client.GET('/api/v1/jobs/{id}/why', { params: { path } });
assert.equal(why.data?.code, 'paused');

const cancelled = await client.POST('/api/v1/jobs/{id}/cancel', { params: { path }, body: {} });
assert.equal(cancelled.data?.end, 'stopped');

const again = await client.POST('/api/v1/jobs/{id}/cancel', { params: { path }, body: {} });
assert.equal(again.response.status, 409);
assert.equal(again.error?.state, cancelled.data?.state);

const events = await client.GET('/api/v1/jobs/{id}/events', { params: { path } });
assert(events.data?.items.some((event) => event.to === cancelled.data?.state));

const wrong = await client.GET('/api/v1/jobs/{id}', { params: { path: { id: 999 } } });
assert.equal(wrong.error?.code, 'no_such_job');

for await (const message of messages(stream.data)) {
  if (message.event !== 'moved') continue;
  assert.equal(message.data.job, job.id);
  if (message.data.to === cancelled.data?.state) break;
}
stop.abort();
console.log('client: added, listed, showed, heard and cancelled a job');
