// Admin endpoints of announcements: a draft is written, previewed, published and withdrawn.
import * as z from 'zod/mini'
import { del, get, post, put } from '#kit/endpoint.ts'
import { id, idParam, instant, ownPath, paragraph, rowVersion, singleLine } from '#kit/text.ts'

export const audience = z.enum(
  ['everyone', 'customers', 'active', 'ended', 'never', 'plans'],
  'Please choose an audience',
)
export type Audience = z.output<typeof audience>
export const announcementKind = z.enum(['service', 'news'], 'Please choose a kind')
export type AnnouncementKind = z.output<typeof announcementKind>

const dateTime = z.iso.datetime({ error: 'Please enter a valid date and time', offset: true })
const pageOfSite = 'Please enter a path on this site, such as /pricing'

/** The minimum, maximum and default number of emails that an announcement sends per hour. */
export const emailsPerHour = { min: 60, max: 20_000, default: 1_200 }

export const announcementFields = z.object({
  kind: announcementKind,
  title: singleLine(1, 120, 'Please enter a title'),
  summary: singleLine(1, 240, 'Please enter a summary of one or two sentences'),
  body: paragraph(0, 5000, ''),
  linkLabel: singleLine(0, 40, ''),
  linkPath: z.union([z.literal(''), ownPath(pageOfSite)]),
  audience,
  planIds: z.array(id).check(z.maxLength(200)),
  onSite: z.boolean(),
  /** When the site stops showing the announcement; null: shown until it is withdrawn. */
  siteUntil: z.nullable(dateTime),
  emails: z.boolean(),
  perHour: z
    .int('Please enter a number')
    .check(
      z.gte(emailsPerHour.min, `Please enter at least ${emailsPerHour.min}`),
      z.lte(emailsPerHour.max, `Please enter at most ${emailsPerHour.max}`),
    ),
})
export type AnnouncementFields = z.output<typeof announcementFields>

const counts = z.object({ waiting: z.int(), emailed: z.int(), skipped: z.int(), unsubscribed: z.int() })
const adminAnnouncement = z.extend(announcementFields, {
  id,
  kind: announcementKind,
  title: z.string(),
  summary: z.string(),
  body: z.string(),
  linkLabel: z.string(),
  linkPath: z.string(),
  siteUntil: z.nullable(instant),
  state: z.enum(['draft', 'published', 'withdrawn']),
  /** Whether the site shows the announcement now. */
  isShown: z.boolean(),
  createdBy: z.string(),
  createdAt: instant,
  publishedAt: z.nullable(instant),
  withdrawnAt: z.nullable(instant),
  version: rowVersion,
  /** The number of recipients by the outcome of their email, and of those who unsubscribed through it. */
  counts,
})
export type AdminAnnouncement = z.output<typeof adminAnnouncement>

export const maxListedAnnouncements = 50
export const listAnnouncements = get('/api/admin/announcements', {
  summary: `Drafts and announcements, the newest ${maxListedAnnouncements}`,
  access: 'admin',
  needs: 'announcements.read',
  dependsOn: ['announcement'],
  output: z.array(adminAnnouncement),
})
export const createAnnouncement = post('/api/admin/announcements', {
  summary: 'Save a draft of an announcement',
  access: 'admin',
  needs: 'announcements.edit',
  limit: 'adminWrite',
  body: announcementFields,
  output: adminAnnouncement,
})

const params = z.object({ announcementId: idParam })
export const updateAnnouncement = put('/api/admin/announcements/:announcementId', {
  summary: 'Change a draft of an announcement',
  access: 'admin',
  needs: 'announcements.edit',
  limit: 'adminWrite',
  params,
  /** `version` is the version that was shown; a stale version is refused. */
  body: z.extend(announcementFields, { version: rowVersion }),
  output: adminAnnouncement,
})
export const deleteAnnouncement = del('/api/admin/announcements/:announcementId', {
  summary: 'Delete a draft of an announcement',
  access: 'admin',
  needs: 'announcements.edit',
  limit: 'adminWrite',
  params,
  output: z.object({ id }),
})

/** How many customers get the email, and its content. */
const announcementPreview = z.object({
  /** Customers who get an email. */
  customers: z.int(),
  /** Customers in the audience who do not want news. */
  unwilling: z.int(),
  /** Customers in the audience who want news, but have not confirmed their address. */
  unconfirmed: z.int(),
  /** The sender address; null without a mail server. */
  from: z.nullable(z.string()),
  subject: z.string(),
  text: z.string(),
})
export const previewAnnouncement = get('/api/admin/announcements/:announcementId/preview', {
  summary: 'How many customers get an announcement by email, and the text of the email',
  access: 'admin',
  needs: 'announcements.read',
  dependsOn: ['announcement'],
  params,
  output: announcementPreview,
})
export type AnnouncementPreview = z.output<typeof announcementPreview>
export const getAnnouncementDocument = get('/api/admin/announcements/:announcementId/email', {
  summary: 'The email of an announcement as an HTML document',
  access: 'admin',
  needs: 'announcements.read',
  document: true,
  params,
  output: z.string(),
})
export const testAnnouncement = post('/api/admin/announcements/:announcementId/test', {
  summary: 'Send a test email of an announcement to the caller',
  access: 'admin',
  needs: 'announcements.edit',
  limit: 'adminWrite',
  params,
  output: z.object({ recipient: z.string() }),
})
export const publishAnnouncement = post('/api/admin/announcements/:announcementId/publish', {
  summary: 'Publish a draft on the site, and start sending its emails',
  access: 'admin',
  needs: 'announcements.edit',
  limit: 'adminWrite',
  params,
  /** `expectedCustomers` is the number of recipients that was shown; the request is refused if it has changed. */
  body: z.object({ version: rowVersion, expectedCustomers: z.int().check(z.gte(0), z.lte(2147483647)) }),
  output: adminAnnouncement,
})
export const withdrawAnnouncement = post('/api/admin/announcements/:announcementId/withdraw', {
  summary: 'Take an announcement off the site, and stop its emails',
  access: 'admin',
  needs: 'announcements.edit',
  limit: 'adminWrite',
  params,
  body: z.object({ version: rowVersion }),
  output: adminAnnouncement,
})
