// Makes a form from the request fields of a lifecycle, and the request from the filled form.
import type { Field, Json } from './types';

export type Control = 'text' | 'area' | 'number' | 'check' | 'choice' | 'list' | 'json' | 'secret';
export type Values = Record<string, string | boolean>;
export type Wrong = Record<string, string>;

const LONG = new Set(['prompt', 'description', 'cookies']);

export function control_of(field: Field): Control {
  const type = field.type.toLowerCase();
  if (field.values?.length) return 'choice';
  if (type.endsWith('[]') || /^(list|array|texts|strings|urls)/.test(type)) return 'list';
  if (/^bool/.test(type)) return 'check';
  if (/^(int|number|float|count|seconds|bytes)/.test(type)) return 'number';
  if (/^(object|map|json)/.test(type)) return 'json';
  if (field.secret || type === 'secret') return 'secret';
  return LONG.has(field.name) || /^(prose|long)/.test(type) ? 'area' : 'text';
}

interface Read {
  value?: Json;
  wrong?: string;
}

function read_json(text: string, field: Field): Read {
  try {
    const value = JSON.parse(text) as Json;
    const is_object = value !== null && typeof value === 'object' && !Array.isArray(value);
    return is_object ? { value } : { wrong: 'must be an object, such as {"name": "value"}' };
  } catch {
    return { wrong: `not JSON: ${field.name} is an object, such as {"name": "value"}` };
  }
}

function read_number(text: string, field: Field): Read {
  const value = Number(text.trim());
  if (!Number.isFinite(value)) return { wrong: 'must be a number' };
  if (/^(int|count|bytes|seconds)/i.test(field.type) && !Number.isInteger(value))
    return { wrong: 'must be a whole number' };
  return { value };
}

function read(field: Field, entered: string | boolean | undefined): Read {
  if (typeof entered === 'boolean') return entered ? { value: true } : {};
  const control = control_of(field);
  const text = entered ?? '';
  if (text.trim() === '') return {};
  if (control === 'number') return read_number(text, field);
  if (control === 'json') return read_json(text, field);
  if (control === 'list') {
    const rows = text
      .split(/\r\n|\r|\n/)
      .map((row) => row.trim())
      .filter(Boolean);
    return { value: rows };
  }
  return { value: control === 'area' ? text : text.trim() };
}

// Leaves empty fields out of the request; an empty required field is an error.
export function request_of(
  fields: Field[],
  values: Values,
): { request: { [name: string]: Json }; wrong: Wrong } {
  const request: { [name: string]: Json } = {};
  const wrong: Wrong = {};
  for (const field of fields) {
    const got = read(field, values[field.name]);
    if (got.wrong) wrong[field.name] = got.wrong;
    else if (got.value !== undefined) request[field.name] = got.value;
    else if (field.required && control_of(field) !== 'check') wrong[field.name] = 'is needed';
  }
  return { request, wrong };
}

// The server names a field by its path (`request.filters.min_size`); the form has one control per
// first name. Errors that no control can show are returned in `rest`.
export function errors_of(
  fields: Field[],
  server: Wrong | undefined,
): { wrong: Wrong; rest: string[] } {
  const wrong: Wrong = {};
  const rest: string[] = [];
  for (const [path, why] of Object.entries(server ?? {})) {
    const names = path
      .replace(/^\/?request[./]/, '')
      .replace(/^\//, '')
      .split(/[./[]/);
    const field = fields.find((one) => one.name === names[0]);
    if (!field) rest.push(`${path}: ${why}`);
    else
      wrong[field.name] =
        names.length > 1 ? `${names.slice(1).join('.').replace(/]/g, '')}: ${why}` : why;
  }
  return { wrong, rest };
}
