import * as z from 'zod/mini'
import { template } from '../template.ts'
import { note, present, rows, text } from '../words.ts'

export const emailChanged = template({
  title: 'E-mail address changed',
  data: z.object({ username: z.optional(z.string()), newEmail: z.string() }),
  sample: { username: 'olive', newEmail: 'olive.new@example.org' },
  write: ({ newEmail }, { brand }) => ({
    subject: `The e-mail address of your ${brand} account was changed`,
    preview: 'From now on we write to the new address.',
    heading: 'Your address was changed',
    blocks: present(
      text('The e-mail address of your account was just changed. This is the last mail to the old one.'),
      rows(['New address', newEmail]),
      note('If this was not you, write to us at once: whoever changed it knows your password.', 'warn'),
    ),
    reason: 'You get this mail because this was the address of an account until now.',
  }),
})
