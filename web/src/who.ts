// What the logged-in user may do.
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

// The API gives an owner's number. The page knows only the name of its own user.
export function owner_name(job: Pick<Job, 'owner'>, user: User): string {
  if (is_own(job, user)) return user.name;
  return typeof job.owner === 'number' ? `user ${job.owner}` : String(job.owner);
}
