import * as z from 'zod/mini'
import { template } from '../template.ts'
import { button, present, removedBlocks, removedCredentials, text } from '../words.ts'

export const passwordResetByAdmin = template({
  title: 'Password reset by an administrator',
  data: z.object({ username: z.optional(z.string()), removed: removedCredentials }),
  sample: { username: 'olive', removed: { passkeys: ['My phone'], secondFactor: true } },
  write: ({ removed }, { brand, origin }) => ({
    subject: `Your ${brand} password was reset`,
    preview: 'An administrator set a new password. You were logged out everywhere.',
    heading: 'Your password was reset',
    blocks: present(
      text(`An administrator of ${brand} set a new password for your account. You were logged out on every device.`),
      text('You get the new password from our support. Once you are in, change it to one that only you know.'),
      ...removedBlocks(removed),
      button('Log in', `${origin}/auth`),
      text('You did not ask for this? Answer this mail or write to us.'),
    ),
  }),
})
