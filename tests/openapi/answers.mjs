// Compares what a daemon answers with the schemas of its own OpenAPI document.
import assert from 'node:assert/strict';
import Ajv from 'ajv/dist/2020.js';

export class Answers {
  constructor(document, url, key) {
    this.document = document;
    this.url = url;
    this.key = key;
    this.ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    this.ajv.addSchema({ $id: 'haul', ...document });
    this.seen = new Set();
  }

  // The document's path that matches this one, the most exact first.
  pattern_of(path) {
    const words = path.split('/');
    const fits = (pattern) => {
      const parts = pattern.split('/');
      return (
        parts.length === words.length &&
        parts.every((part, i) => part.startsWith('{') || part === words[i])
      );
    };
    const found = Object.keys(this.document.paths).filter(fits);
    return found.sort((a, b) => a.split('{').length - b.split('{').length)[0];
  }

  schema_of(operation, status, media) {
    const responses = operation.responses;
    const name = status in responses ? status : 'default';
    const given = responses[name];
    const by_reference = given.$ref?.split('/').pop();
    const response = by_reference ? this.document.components.responses[by_reference] : given;
    const schema = response.content?.[media]?.schema;
    return { name, schema };
  }

  // Sends a request, and fails if the document does not describe its answer.
  async ask(method, target, { body, headers = {}, key = this.key } = {}) {
    const pattern = this.pattern_of(target.split('?')[0]);
    const operation = this.document.paths[pattern][method.toLowerCase()];
    const reply = await fetch(this.url + target, {
      method,
      body,
      redirect: 'manual',
      headers: {
        ...(key ? { 'X-Api-Key': key } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
    });
    const media = (reply.headers.get('content-type') ?? '').split(';')[0];
    const text = await reply.text();
    const where = `${method} ${target}: ${reply.status}`;
    const { name, schema } = this.schema_of(operation, String(reply.status), media);
    if (reply.status < 400) {
      assert.notEqual(name, 'default', `${where} is not described`);
      assert(reply.status === 204 || schema, `${where}: ${media} is not described`);
      this.seen.add(`${method} ${pattern}`);
    }
    if (media !== 'application/json') return { status: reply.status, text };
    const json = JSON.parse(text);
    this.check(schema, json, where);
    return { status: reply.status, json };
  }

  // Opens a stream. Returns it with the schema of its messages.
  async listen(target, signal, headers = {}) {
    const reply = await fetch(this.url + target, {
      signal,
      headers: { 'X-Api-Key': this.key, ...headers },
    });
    const pattern = this.pattern_of(target);
    const media = reply.headers.get('content-type') ?? '';
    const { name, schema } = this.schema_of(this.document.paths[pattern].get, '200', media);
    assert.equal(String(reply.status), name, `GET ${target}: ${reply.status}`);
    assert(schema, `GET ${target}: ${media} is not described`);
    this.seen.add(`GET ${pattern}`);
    return { reply, schema };
  }

  check(schema, json, where) {
    const check = this.ajv.compile(refer(schema));
    const shown = JSON.stringify(json).slice(0, 500);
    assert(check(json), `${where}: ${this.ajv.errorsText(check.errors)}\n${shown}`);
  }
}

// The same schema with references into the whole document.
function refer(schema) {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components/', '"haul#/components/'),
  );
}

// Gives the item of a job another link, once the job has ended: the server refuses its file.
async function replace_link(answers, id) {
  for (let i = 0; i < 300; ++i) {
    const { json } = await answers.ask('GET', `/api/v1/jobs/${id}`);
    if (json.end !== 'open') break;
    await new Promise((done) => setTimeout(done, 100));
  }
  const link = { body: '{"url":"http://127.0.0.1/b"}' };
  const replaced = await answers.ask('POST', `/api/v1/jobs/${id}/items/1/url`, link);
  assert.equal(replaced.status, 201);
}

// Asks each route that can be asked without a client outside, and says which are left. Its
// jobs ask the server at this port.
export async function ask_everything(answers, port) {
  const request = { url: `http://127.0.0.1:${port}/a` };
  const body = JSON.stringify({ lifecycle: 'batch', request, paused: true });
  const job = await answers.ask('POST', '/api/v1/jobs', { body });
  const other = await answers.ask('POST', '/api/v1/jobs', { body });
  const id = job.json.id;
  const book = '{"id":"b-1","title":"A book"}';
  const asks = [
    ['POST', '/api/v1/login', `{"key":"${answers.key}"}`],
    ['POST', '/api/v1/logout', '{}'],
    ['POST', '/api/v1/jobs/batch', `[{"lifecycle":"batch","request":{}},${body}]`],
    ['POST', `/api/v1/jobs/${id}/pause`],
    ['POST', `/api/v1/jobs/${id}/cancel`],
    ['POST', `/api/v1/jobs/${id}/retry`],
    ['POST', `/api/v1/jobs/${other.json.id}/priority`, '{"priority":1}'],
    ['POST', '/api/v1/jobs/actions', '{"action":"cancel","filter":{"end":"open"},"dry_run":true}'],
    ['POST', `/api/v1/jobs/${other.json.id}/resume`],
    ['POST', '/api/v1/books', book],
    ['POST', '/api/v1/books', book],
    ['POST', '/api/v1/resume'],
    ['POST', '/api/v1/trash/empty', '{"older_than":"7d"}'],
    ['POST', '/api/v1/keys', '{"name":"second","scopes":["read"]}'],
    ['POST', '/api/v1/users', '{"name":"ann"}'],
    ['POST', '/api/v1/users/1', '{"role":"admin"}'],
    ['POST', '/api/v1/jobs', '{"lifecycle":"batch","request":{"ulr":"x"}}'],
    ['GET', `/api/v1/jobs/${id}?zzz=1`],
    ['GET', '/api/v1/jobs?limit=0'],
  ];
  for (const [method, target, body] of asks) await answers.ask(method, target, { body });
  await replace_link(answers, other.json.id);
  const grant = { body: '{"amount":5}', headers: { 'Idempotency-Key': 'g1' } };
  await answers.ask('POST', '/api/v1/users/1/credits', grant);
  await answers.ask('GET', '/api/v1/me', { key: 'haul_wrong' });
  await answers.ask('DELETE', '/api/v1/keys/2');
  await answers.ask('DELETE', `/api/v1/jobs/${id}`);
  const words = { id, book: 'b-1', name: 'batch', view: 'jobs' };
  for (const [pattern, operations] of Object.entries(answers.document.paths)) {
    if (!operations.get || pattern === '/api/v1/events') continue; // events.mjs does.
    const of_user = pattern.startsWith('/api/v1/users/');
    const target = pattern.replace(/\{(\w+)\}/g, (_, word) => (of_user ? 1 : words[word]));
    await answers.ask('GET', target);
  }
  const all = Object.entries(answers.document.paths).flatMap(([pattern, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${pattern}`),
  );
  return all.filter((route) => !answers.seen.has(route));
}
