import * as z from 'zod/mini'
import { template } from '../template.ts'
import { button, note, notYou, present, text } from '../words.ts'

export const passwordChanged = template({
  title: 'Password changed',
  data: z.object({ username: z.optional(z.string()) }),
  sample: { username: 'olive' },
  write: (_, { brand, origin }) => ({
    subject: `Your ${brand} password was changed`,
    preview: 'You were logged out on all other devices.',
    heading: 'Your password was changed',
    blocks: present(
      text('The password of your account was just changed, and you were logged out on all other devices.'),
      note(notYou, 'warn'),
      button('Reset my password', `${origin}/forgot-password`),
    ),
  }),
})
