import * as z from 'zod/mini'
import { template } from '../template.ts'
import { button, note, present, rows, text } from '../words.ts'

const words = {
  administrator_added: {
    subject: 'A new administrator was added',
    what: 'This account is an administrator now. It can use everything in the admin area.',
  },
  payments_changed: {
    subject: 'The payment details were changed',
    what: 'Customers pay to these accounts from now on.',
  },
  mail_revealed: {
    subject: 'The link of a mail was shown',
    what: 'An administrator opened the secret link of a mail in the mail log.',
  },
  confirmation_needed: {
    subject: 'An administrator needs a confirmation',
    what: 'Another administrator has to confirm this. Do the same in the admin area within 24 hours if you agree; otherwise do nothing.',
  },
}

export const adminNotice = template({
  title: 'Notice to administrators',
  data: z.object({
    username: z.optional(z.string()),
    event: z.enum(['administrator_added', 'payments_changed', 'mail_revealed', 'confirmation_needed']),
    about: z.string(),
    by: z.nullable(z.string()),
  }),
  sample: { username: 'olive', event: 'administrator_added', about: 'Administrator: pat', by: 'chief' },
  write: ({ event, about, by }, { brand, origin }) => ({
    subject: `${words[event].subject} at ${brand}`,
    preview: words[event].what,
    heading: words[event].subject,
    blocks: present(
      text(words[event].what),
      rows(['What', about], ['By', by ?? 'the command line']),
      note('If you do not recognize this, check the audit log and the list of administrators.', 'warn'),
      button('Open the audit log', `${origin}/admin/audit`),
    ),
  }),
})
