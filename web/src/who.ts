// What the logged-in user may do.
import type { Job, User } from './types';

export function may_add(user: User): boolean {
  return user.role !== 'viewer' && (!user.scopes || user.scopes.includes('add'));
}

export function is_admin(user: User): boolean {
  return user.role === 'admin' && (!user.scopes || user.scopes.includes('admin'));
}

// Operators see the workers.
export function may_operate(user: User): boolean {
  return user.scopes?.includes('operate') ?? false;
}

export function is_own(job: Pick<Job, 'owner'>, user: User): boolean {
  return job.owner === user.id;
}

// The API returns an owner's id. The page knows only the name of its own user.
export function owner_name(job: Pick<Job, 'owner'>, user: User): string {
  return is_own(job, user) ? user.name : `user ${job.owner}`;
}
