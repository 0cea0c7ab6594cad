import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm'
import { isMailName, templates } from '#features/mails/server/templates.ts'
import { inquiries, lineJobs, mails, reports, sessions, trialRequests } from '#server/db/tables.ts'
import { deviceName } from '#server/session/device.ts'
import { inquiryWords, jobWords, loginWords, mailWords, reportWords, trialWords } from '../../source-phrase-rules.ts'
import { belowId, entryOf, type Source } from './source.ts'

const reportSource: Source = {
  name: 'report',
  groups: ['requests'],
  needs: 'reports.read',
  read: async ({ db, userId, below, limit }) => {
    const rows = await db
      .select()
      .from(reports)
      .where(and(eq(reports.userId, userId), belowId(reports.id, below)))
      .orderBy(desc(reports.id))
      .limit(limit)
    return rows.map((row) => ({
      key: String(row.id),
      entry: entryOf(`report ${row.id}`, {
        at: row.createdAt,
        group: 'requests',
        ...reportWords(row),
        open:
          row.status === 'pending' || row.status === 'reviewing'
            ? { kind: 'report', id: row.id, action: 'Update Status' }
            : null,
      }),
    }))
  },
}

const trialSource: Source = {
  name: 'trial',
  groups: ['requests'],
  needs: 'trials.read',
  read: async ({ db, userId, below, limit }) => {
    const { id, device, message, status, requestDate } = trialRequests
    const rows = await db
      .select({ id, device, message, status, at: requestDate })
      .from(trialRequests)
      .where(and(eq(trialRequests.userId, userId), belowId(id, below)))
      .orderBy(desc(id))
      .limit(limit)
    return rows.map((row) => ({
      key: String(row.id),
      entry: entryOf(`trial ${row.id}`, {
        at: row.at,
        group: 'requests',
        ...trialWords(row),
        open: row.status === 'pending' ? { kind: 'trial', id: row.id, action: 'View/Edit' } : null,
      }),
    }))
  },
}

/** Inquiries have no user id, so this reads those from the customer's email address. */
const inquirySource: Source = {
  name: 'inquiry',
  groups: ['requests'],
  needs: 'inquiries.read',
  read: async ({ db, email, below, limit }) => {
    const rows = await db
      .select()
      .from(inquiries)
      .where(and(sql`lower(${inquiries.email}) = ${email.toLowerCase()}`, belowId(inquiries.id, below)))
      .orderBy(desc(inquiries.id))
      .limit(limit)
    return rows.map((row) => ({
      key: String(row.id),
      entry: entryOf(`inquiry ${row.id}`, {
        at: row.createdAt,
        group: 'requests',
        ...inquiryWords(row),
        open: row.status === 'open' ? { kind: 'inquiry', id: row.id, action: 'Open Inquiry' } : null,
      }),
    }))
  },
}

const mailSource: Source = {
  name: 'mail',
  groups: ['emails'],
  needs: 'customers.read',
  read: async ({ db, userId, below, limit }) => {
    const { id, template, recipient, status, createdAt } = mails
    const rows = await db
      .select({ id, template, recipient, status, at: createdAt })
      .from(mails)
      .where(and(eq(mails.userId, userId), belowId(id, below)))
      .orderBy(desc(id))
      .limit(limit)
    return rows.map((row) => ({
      key: String(row.id),
      entry: entryOf(`mail ${row.id}`, {
        at: row.at,
        group: 'emails',
        ...mailWords(isMailName(row.template) ? templates[row.template].title : 'Email', row),
      }),
    }))
  },
}

const loginSource: Source = {
  name: 'login',
  groups: ['account'],
  needs: 'customers.read',
  read: async ({ db, userId, below, limit }) => {
    const { id, createdAt, ip, userAgent, impersonatedBy } = sessions
    const rows = await db
      .select({ id, at: createdAt, ip, userAgent })
      .from(sessions)
      .where(and(eq(sessions.userId, userId), isNull(impersonatedBy), belowId(id, below)))
      .orderBy(desc(id))
      .limit(limit)
    return rows.map((row) => ({
      key: String(row.id),
      entry: entryOf(`login ${row.id}`, {
        at: row.at,
        group: 'account',
        ...loginWords(deviceName(row.userAgent ?? ''), row.ip),
      }),
    }))
  },
}

/** Provisioning jobs that are not done. What the panel has done is in the audit log. */
const jobSource: Source = {
  name: 'job',
  groups: ['line'],
  needs: 'lines.read',
  read: async ({ db, userId, below, limit }) => {
    const { id, cause, task, state, createdAt } = lineJobs
    const rows = await db
      .select({ id, cause, task, at: createdAt })
      .from(lineJobs)
      .where(and(eq(lineJobs.userId, userId), ne(state, sql`'done'`), belowId(id, below)))
      .orderBy(desc(id))
      .limit(limit)
    return rows.map((row) => ({
      key: String(row.id),
      entry: entryOf(`job ${row.id}`, {
        at: row.at,
        group: 'line',
        ...jobWords(row),
        open: row.task ? { kind: 'line', id: row.id, action: 'Open Job' } : null,
      }),
    }))
  },
}

export const otherSources: Source[] = [reportSource, trialSource, inquirySource, mailSource, loginSource, jobSource]
