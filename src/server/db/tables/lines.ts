import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bigId, bytes, createdAt, id, instant, oneOf, version } from '../columns.ts'

/** One side of a difference: the values of a line on the panel, or in our records. */
export type LineFacts = { enabled?: boolean; until?: string | null; connections?: number | null }

/** The operator's panels. Panel 1 is the one of the Provisioning settings, which hold its connection. */
export const panels = pgTable('panels', {
  id: integer('id').primaryKey().generatedByDefaultAsIdentity({ startWith: 2 }),
  name: text('name').notNull(),
  kind: text('kind', { enum: ['xui-admin', 'xui-reseller', 'xc-api', 'onestream', 'panel-api', 'ministra'] }),
  address: text('address').notNull().default(''),
  username: text('username').notNull().default(''),
  key: text('key'),
  ca: text('ca').notNull().default(''),
  server: text('server').notNull().default(''),
  packages: jsonb('packages').$type<Record<string, string>>().notNull().default(sql`'{}'::jsonb`),
  trialPackage: text('trial_package').notNull().default(''),
  acceptsLines: boolean('accepts_lines').notNull().default(true),
  isDefault: boolean('is_default').notNull().default(false),
  lineLimit: integer('line_limit'),
  version: version(),
  createdAt: createdAt(),
})

/** The panel on which new lines of a plan are created. */
export const panelPlans = pgTable('panel_plans', {
  planId: integer('plan_id').primaryKey(),
  panelId: integer('panel_id').notNull(),
})

/** A customer's line on the operator's panel: the state we want, and the state the panel last reported. */
export const lines = pgTable('lines', {
  id: id(),
  userId: integer('user_id').notNull(),
  panelId: integer('panel_id').notNull().default(1),
  panel: text('panel'),
  lineRef: text('line_ref'),
  username: text('username'),
  password: text('password'),
  server: text('server'),
  trialUntil: instant('trial_until'),
  wantedEnabled: boolean('wanted_enabled').notNull().default(false),
  wantedUntil: instant('wanted_until'),
  wantedConnections: integer('wanted_connections'),
  panelEnabled: boolean('panel_enabled'),
  panelUntil: instant('panel_until'),
  panelConnections: integer('panel_connections'),
  seenAt: instant('seen_at'),
  createdAt: createdAt(),
  usedAt: instant('used_at'),
  linkHash: bytes('link_hash'),
  linkExpiresAt: instant('link_expires_at'),
  linkSessionId: bigint('link_session_id', { mode: 'number' }),
})

/** Provisioning jobs, one for each cause. `panelId` is null for the panel of the customer's line. `task` is the reason why a job waits for an administrator. */
export const lineJobs = pgTable('line_jobs', {
  id: bigId(),
  userId: integer('user_id'),
  cause: oneOf('cause', [
    'purchase',
    'plan_change',
    'grant',
    'undo',
    'segment',
    'end',
    'trial',
    'trial_change',
    'repair',
    'stray',
    'move',
    'left',
  ]),
  causeKey: text('cause_key').notNull(),
  invoiceId: integer('invoice_id'),
  state: oneOf('state', ['queued', 'sent', 'done', 'rejected', 'unknown']).default('queued'),
  step: text('step', { enum: ['create', 'extend', 'connections', 'enable', 'disable'] }),
  seen: jsonb('seen').$type<LineFacts>(),
  steps: jsonb('steps').$type<string[]>().notNull().default(sql`'[]'::jsonb`),
  attempts: integer('attempts').notNull().default(0),
  asked: integer('asked').notNull().default(0),
  dueAt: instant('due_at').notNull().default(sql`now()`),
  sentAt: instant('sent_at'),
  task: text('task', { enum: ['manual', 'rejected', 'unknown', 'tries', 'package', 'mismatch', 'gone'] }),
  lastAnswer: text('last_answer'),
  lineRef: text('line_ref'),
  panelId: integer('panel_id'),
  createdAt: createdAt(),
  finishedAt: instant('finished_at'),
})

/** State of each panel that all processes share: who holds the lease to call it, the back-off after failures, and the last comparison. */
export const linePanel = pgTable('line_panel', {
  id: integer('id').primaryKey().default(1),
  holder: uuid('holder'),
  heldUntil: instant('held_until').notNull().default(sql`now()`),
  failures: integer('failures').notNull().default(0),
  restUntil: instant('rest_until').notNull().default(sql`now()`),
  downSince: instant('down_since'),
  lastFailure: text('last_failure'),
  checkAskedAt: instant('check_asked_at'),
  checkedAt: instant('checked_at'),
  checkNote: text('check_note'),
})

/** The differences between the panel and our records that the last comparison found. */
export const lineDrift = pgTable('line_drift', {
  id: id(),
  kind: oneOf('kind', ['no_line', 'missing', 'end', 'connections', 'state', 'stray']),
  userId: integer('user_id'),
  lineRef: text('line_ref'),
  username: text('username'),
  ours: jsonb('ours').$type<LineFacts>().notNull().default(sql`'{}'::jsonb`),
  theirs: jsonb('theirs').$type<LineFacts>().notNull().default(sql`'{}'::jsonb`),
  foundAt: instant('found_at').notNull().default(sql`now()`),
  kept: boolean('kept').notNull().default(false),
  panelId: integer('panel_id').notNull().default(1),
})

/** Runs that move all lines of a panel to another one. `direction` is `back` while the moved lines are moved back. */
export const lineMoveRuns = pgTable('line_move_runs', {
  id: id(),
  fromPanel: integer('from_panel').notNull(),
  toPanel: integer('to_panel').notNull(),
  state: oneOf('state', ['running', 'stopped', 'done']).default('running'),
  direction: oneOf('direction', ['there', 'back']).default('there'),
  createdBy: integer('created_by'),
  createdAt: createdAt(),
  endedAt: instant('ended_at'),
})

/** The lines of a run of moves. `other…` describes the customer's line on the panel that they are currently not using. */
export const lineMoves = pgTable('line_moves', {
  id: bigId(),
  runId: integer('run_id').notNull(),
  userId: integer('user_id').notNull(),
  state: oneOf('state', ['waiting', 'queued', 'moved', 'returned', 'skipped']).default('waiting'),
  jobId: bigint('job_id', { mode: 'number' }),
  otherRef: text('other_ref'),
  otherUsername: text('other_username'),
  otherPassword: text('other_password'),
})
