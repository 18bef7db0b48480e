// Files of the cloud disk that are sent into chats, as the page Relay lists and adds them.
import type { Job, Json, User } from './types';

export const RELAYS = 'relay';

// The request of one click. The nonce tells two clicks apart, and is the same if one is repeated.
export function relay_request(
  user: Pick<User, 'id'>,
  what: { file: string; chat: string },
  nonce: string,
): { [name: string]: Json } {
  return { user_id: user.id, chat_id: what.chat.trim(), file_id: what.file.trim(), nonce };
}

export function chat_of(job: Pick<Job, 'request'>): string {
  const chat = job.request['chat_id'];
  return typeof chat === 'string' || typeof chat === 'number' ? String(chat) : '';
}

// The folder of the file on the disk, without the disk's own prefix.
export function folder_of(job: Pick<Job, 'request'>): string {
  const file = job.request['file_id'];
  if (typeof file !== 'string') return '';
  return file.replace(/^disk:/, '').replace(/\/[^/]*$/, '') || '/';
}
