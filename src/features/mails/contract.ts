import * as z from 'zod/mini'
import { emailAddress, singleLine } from '#kit/text.ts'

const text = (max = 120) => singleLine(0, max, '')
const port = 'Please enter a port from 1 to 65535, or leave it empty'
const portNumber = z.int(port).check(z.gte(1, port), z.lte(65_535, port))

const server = {
  host: singleLine(1, 253, 'Please enter the mail server').check(
    z.refine((host) => /^[\w.:-]*$/.test(host), 'Please enter a host name such as smtp.mail.example, without https://'),
  ),
  /** Null to detect the port. */
  port: z.nullable(portNumber),
  /** Empty for a server without a login. */
  username: text(254),
  /** The sender of all emails. */
  address: emailAddress('Please enter the address that emails are sent from'),
  /** The sender name. If empty, the brand name is used. */
  name: text(),
  /** Certificates (PEM) of the operator's own certificate authority. */
  ca: z.string().check(
    z.overwrite<string>((value) => value.trim()),
    z.maxLength(20_000, 'Please use at most 20,000 characters'),
  ),
}

/** The mail server in the settings. `host` is empty while none is set up. The password is stored separately and encrypted. */
export const mailServer = z.object({
  ...server,
  host: text(253),
  address: text(254),
  /** The detected port and encryption. `Tls` in `server/mail/smtp-address.ts` explains the values. */
  connection: z.object({ port: portNumber, tls: z.enum(['implicit', 'required', 'offered']) }),
})
export type MailServer = z.output<typeof mailServer>

/** The form of the Mail Server section. If the password is empty, the stored password is used. */
export const mailServerForm = z.object({
  ...server,
  password: z.string().check(z.maxLength(500, 'Please use at most 500 characters')),
})
export type MailServerForm = z.output<typeof mailServerForm>
