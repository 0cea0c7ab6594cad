import * as z from 'zod/mini'
import { compactBlocks, note, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

export const passwordReset = template({
  title: 'Password reset',
  data: z.object({ username: z.optional(z.string()) }),
  sample: { username: 'olive' },
  linksTo: '/reset-password',
  write: (_, { brand, link }) => ({
    subject: `Reset your ${brand} password`,
    preview: 'The link works once and expires after 15 minutes.',
    heading: 'Choose a new password',
    blocks: compactBlocks(
      text('Someone asked to reset the password of your account. If it was you, choose a new one here:'),
      { kind: 'button', label: 'Choose a new password', url: link, plain: true },
      note('The link works once and expires after 15 minutes.'),
      text('If it was not you, ignore this email: your password has not been changed.'),
    ),
    reason: 'You received this email because someone requested a password reset for this address.',
  }),
})
