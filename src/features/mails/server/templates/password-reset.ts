import * as z from 'zod/mini'
import { template } from '../template.ts'
import { note, present, text } from '../words.ts'

export const passwordReset = template({
  title: 'Password reset',
  data: z.object({ username: z.optional(z.string()) }),
  sample: { username: 'olive' },
  linksTo: '/reset-password',
  write: (_, { brand, link }) => ({
    subject: `Reset your ${brand} password`,
    preview: 'The link works once, for 15 minutes.',
    heading: 'Choose a new password',
    blocks: present(
      text('Somebody asked to reset the password of your account. If it was you, choose a new one here:'),
      { kind: 'button', label: 'Choose a new password', url: link, plain: true },
      note('The link works once and for 15 minutes.'),
      text('If it was not you, ignore this mail: your password stays as it is.'),
    ),
    reason: 'You get this mail because a password reset was asked for with this address.',
  }),
})
