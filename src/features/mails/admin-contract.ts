import * as z from 'zod/mini'
import { get, type Output, post } from '#kit/endpoint.ts'
import { listQuery } from '#kit/lists.ts'
import { idParam, instant } from '#kit/text.ts'

/** `kept`: not sent because no mail server is set up. */
export const mailStatus = z.enum(['queued', 'sent', 'failed', 'kept'])
export type MailStatus = z.output<typeof mailStatus>

const mailId = z.object({ mailId: idParam })
const templateName = z.object({ template: z.string().check(z.regex(/^[a-z_]{1,60}$/)) })

const mail = z.object({
  id: z.int(),
  status: mailStatus,
  template: z.string(),
  /** The template's title. */
  title: z.string(),
  recipient: z.string(),
  username: z.nullable(z.string()),
  attempts: z.int(),
  createdAt: instant,
  sentAt: z.nullable(instant),
  /** When the next attempt of a queued email is due. */
  dueAt: instant,
  lastError: z.nullable(z.string()),
})
const mailDetail = z.extend(mail, {
  /** Null when the email cannot be composed; `trouble` then contains the reason. Links are shown without their token. */
  subject: z.nullable(z.string()),
  text: z.nullable(z.string()),
  trouble: z.nullable(z.string()),
  attachment: z.nullable(z.string()),
  canResend: z.boolean(),
  canReveal: z.boolean(),
})
const template = z.object({ name: z.string(), title: z.string(), subject: z.string(), text: z.string() })

export const mailSorts = ['createdAt'] as const
export const mailListQuery = listQuery(mailSorts, { status: z.optional(mailStatus) })
export const listMails = get('/api/admin/mails', {
  summary: 'The mail log, newest first',
  access: 'admin',
  needs: 'mails.read',
  dependsOn: ['mail'],
  paged: true,
  query: mailListQuery,
  output: z.array(mail),
})
export const getMail = get('/api/admin/mails/:mailId', {
  summary: 'An email as text',
  access: 'admin',
  needs: 'mails.read',
  dependsOn: ['mail'],
  params: mailId,
  output: mailDetail,
})
export const getMailDocument = get('/api/admin/mails/:mailId/document', {
  summary: 'An email as HTML, without its secret link',
  access: 'admin',
  needs: 'mails.read',
  document: true,
  params: mailId,
  output: z.string(),
})
export const resendMail = post('/api/admin/mails/:mailId/resend', {
  summary: 'Send an email again',
  access: 'admin',
  needs: 'mails.send',
  limit: 'adminWrite',
  params: mailId,
  output: z.object({ status: mailStatus }),
})
export const revealMail = post('/api/admin/mails/:mailId/reveal', {
  summary: 'The secret link of an email that was not sent. Each request is audited',
  access: 'admin',
  needs: 'mails.reveal',
  sessionOnly: true,
  limit: 'adminWrite',
  params: mailId,
  output: z.object({ link: z.string() }),
})

export const listTemplates = get('/api/admin/mail-templates', {
  summary: 'All email templates',
  access: 'admin',
  needs: 'mails.read',
  output: z.object({ templates: z.array(template), from: z.nullable(z.string()) }),
})
const pixels = z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(10_000))
/** A brand that is not public yet. `logo` is the path of its PNG file, `width` and `height` its size in pixels. */
const previewedBrand = z.object({
  name: z.optional(z.string().check(z.maxLength(100))),
  hue: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(0), z.lte(359))),
  logo: z.optional(z.string().check(z.regex(/^\/images\/[0-9a-f]{64}\.png$/))),
  width: z.optional(pixels),
  height: z.optional(pixels),
})
export type PreviewedBrand = z.output<typeof previewedBrand>
export const getTemplateDocument = get('/api/admin/mail-templates/:template/document', {
  summary:
    'A template with sample data. With `name` and `hue`, it shows the brand in the query instead of the public brand',
  access: 'admin',
  needs: 'mails.read',
  document: true,
  params: templateName,
  query: previewedBrand,
  output: z.string(),
})
export const testTemplate = post('/api/admin/mail-templates/:template/test', {
  summary: 'Send a template with sample data to your own address',
  access: 'admin',
  needs: 'mails.send',
  limit: 'adminWrite',
  params: templateName,
  output: z.object({ recipient: z.string() }),
})

export type MailRow = Output<typeof listMails>['rows'][number]
export type MailDetail = Output<typeof getMail>
export type MailTemplate = Output<typeof listTemplates>['templates'][number]
