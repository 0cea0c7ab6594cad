import * as z from 'zod/mini'
import { compactBlocks, facts, note, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

export const emailChanged = template({
  title: 'Email address changed',
  data: z.object({ username: z.optional(z.string()), newEmail: z.string() }),
  sample: { username: 'olive', newEmail: 'olive.new@example.org' },
  write: ({ newEmail }, { brand }) => ({
    subject: `The email address of your ${brand} account was changed`,
    preview: 'From now on, we will use the new address.',
    heading: 'Your email address was changed',
    blocks: compactBlocks(
      text('The email address of your account was just changed. This is the last email we send to the old address.'),
      facts(['New address', newEmail]),
      note('If this was not you, contact us immediately: the person who changed it knows your password.', 'warn'),
    ),
    reason: 'You received this email because this was the address of an account until now.',
  }),
})
