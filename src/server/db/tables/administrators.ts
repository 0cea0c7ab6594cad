import { sql } from 'drizzle-orm'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, createdAt, id, instant } from '../columns.ts'

/** Actions that one administrator has requested and that a second administrator must also request before they are performed. */
export const adminRequests = pgTable('admin_requests', {
  action: text('action', {
    enum: ['promote', 'payments', 'mail_server', 'reveal_mail', 'payment', 'staff_role'],
  }).primaryKey(),
  target: text('target').primaryKey(),
  digest: bytes('digest').notNull(),
  requestedBy: integer('requested_by').notNull(),
  requestedAt: instant('requested_at').notNull().default(sql`now()`),
})

/** Staff roles. (An owner has none.) A role with a `key` is built in. */
export const staffRoles = pgTable('staff_roles', {
  id: id(),
  key: text('key'),
  name: text('name').notNull(),
  description: text('description').notNull().default(''),
  version: integer('version').notNull().default(1),
  createdAt: createdAt(),
})

export const staffRolePermissions = pgTable('staff_role_permissions', {
  roleId: integer('role_id').primaryKey(),
  permission: text('permission').primaryKey(),
})

/** Keys with which other programs call the API for the administrator who created them. */
export const apiKeys = pgTable('api_keys', {
  id: id(),
  name: text('name').notNull(),
  keyHash: bytes('key_hash').notNull(),
  prefix: text('prefix').notNull(),
  scopes: text('scopes').array().notNull(),
  createdBy: integer('created_by').notNull(),
  createdAt: createdAt(),
  endsAt: instant('ends_at'),
  revokedAt: instant('revoked_at'),
  revokedBy: integer('revoked_by'),
  lastUsedAt: instant('last_used_at'),
  lastUsedIp: text('last_used_ip'),
})
