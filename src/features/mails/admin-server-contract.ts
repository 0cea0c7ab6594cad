// Admin endpoints of the mail server that sends all emails.
import * as z from 'zod/mini'
import { get, type Output, put } from '#kit/endpoint.ts'
import { mailServer, mailServerForm } from './contract.ts'

const stored = z.object({
  version: z.string(),
  /** Whether the settings contain a mail server. */
  isSet: z.boolean(),
  passwordSet: z.boolean(),
  connection: mailServer.shape.connection,
  /** The password is always empty here. */
  value: z.extend(mailServerForm, { host: z.string(), address: z.string() }),
  /** The mail server set by the environment, which takes precedence; null if the environment sets none. */
  environment: z.nullable(z.object({ host: z.string(), port: z.int(), sender: z.string() })),
})
export const getMailServer = get('/api/admin/mail-server', {
  summary: 'The mail server that sends all emails, without its password',
  access: 'admin',
  needs: 'settings.read',
  dependsOn: ['setting'],
  output: stored,
})
export type StoredMailServer = Output<typeof getMailServer>
export const updateMailServer = put('/api/admin/mail-server', {
  summary:
    'Send a test email through a mail server, and save the server if it accepts the email. Refused while the environment sets a mail server, and if the settings were changed since `version`',
  access: 'admin',
  // Only owners may change the mail server: it receives the password-reset links of all accounts, including those of owners.
  needs: 'staff.manage',
  limit: 'adminWrite',
  body: z.object({ version: z.string().check(z.maxLength(64)), value: mailServerForm }),
  output: stored,
})
