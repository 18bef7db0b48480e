// What the receipt of a landed file says, in a few words.
import type { Item } from './types';

const RULES: Record<string, string> = {
  hash: 'proven by its hash',
  pieces: 'proven by the hashes of its pieces',
  etag: 'whole, by ETag and size',
  size: 'whole, by its size',
  unverified: 'its length is not proven',
  engine: 'whole, says its program',
  already_here: 'was here already',
};

const HASHES = ['sha256', 'sha512', 'sha1', 'md5'];

export function receipt_words(item: Item): string[] {
  const evidence = item.evidence;
  if (evidence === null || typeof evidence !== 'object' || Array.isArray(evidence)) return [];
  const text = (name: string) => {
    const value = evidence[name];
    return typeof value === 'string' ? value : '';
  };
  const unchecked = evidence['unchecked'] === true;
  const kind = text('kind');
  // That no certificate was checked is why the file is unverified.
  const words = unchecked && kind === 'unverified' ? [] : [RULES[kind] ?? kind];
  if (unchecked) words.push('the certificate was not checked');
  for (const name of HASHES) if (text(name)) words.push(`${name} ${text(name)}`);
  if (text('beside')) words.push(`newer than ${text('beside').split('/').pop()}`);
  if (text('sources')) words.push(`from ${text('sources').split(' ').join(' and ')}`);
  else if (text('url')) words.push(`from ${text('url')}`);
  return words.filter((word) => word !== '');
}
