import * as z from 'zod/mini'
import { button, compactBlocks, removedBlocks, removedCredentials, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

export const passwordResetByAdmin = template({
  title: 'Password reset by an administrator',
  data: z.object({ username: z.optional(z.string()), removed: removedCredentials }),
  sample: { username: 'olive', removed: { passkeys: ['My phone'], secondFactor: true } },
  write: ({ removed }, { brand, origin }) => ({
    subject: `Your ${brand} password was reset`,
    preview: 'An administrator set a new password. You were logged out everywhere.',
    heading: 'Your password was reset',
    blocks: compactBlocks(
      text(`An administrator of ${brand} set a new password for your account. You were logged out on every device.`),
      text('Our support team will give you the new password. After you log in, change it to one that only you know.'),
      ...removedBlocks(removed),
      button('Log in', `${origin}/auth`),
      text('Did you not ask for this? Reply to this email or contact us.'),
    ),
  }),
})
