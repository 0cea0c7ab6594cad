import * as z from 'zod/mini'
import { compactBlocks, facts, note, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

export const accountCreated = template({
  title: 'Account created by an administrator',
  data: z.object({ username: z.string() }),
  sample: { username: 'olive' },
  linksTo: '/reset-password',
  write: ({ username }, { brand, link, origin }) => ({
    subject: `Your ${brand} account`,
    preview: 'Choose a password to log in.',
    heading: 'Your account is ready',
    blocks: compactBlocks(
      text(`${brand} created an account for you. Choose a password to log in:`),
      facts(['Username', username]),
      { kind: 'button', label: 'Choose a password', url: link, plain: true },
      note(`The link works once and expires after 7 days. After that, request a new one at ${origin}/forgot-password.`),
    ),
    reason: `You received this email because ${brand} created an account with this address.`,
  }),
})
