// Who looks, and what they may.
import type { Job, User } from './types';

export function may_add(user: User): boolean {
  return user.role !== 'viewer' && (!user.scopes || user.scopes.includes('add'));
}

export function is_admin(user: User): boolean {
  return user.role === 'admin' && (!user.scopes || user.scopes.includes('admin'));
}

export function is_own(job: Pick<Job, 'owner'>, user: User): boolean {
  return job.owner === null || String(job.owner) === String(user.id) || job.owner === user.name;
}

// The API names an owner by number; only one's own name is known here.
export function owner_name(job: Pick<Job, 'owner'>, user: User): string {
  if (is_own(job, user)) return user.name;
  return typeof job.owner === 'number' ? `user ${job.owner}` : String(job.owner);
}
