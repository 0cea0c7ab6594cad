import * as z from 'zod/mini'
import { button, compactBlocks, looksLikeAddress, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

export const accountMoved = template({
  title: 'Account moved',
  data: z.object({ username: z.string(), hasPassword: z.boolean() }),
  sample: { username: 'olive', hasPassword: false },
  write: ({ username, hasPassword }, { brand, origin }) => ({
    subject: `Your ${brand} account is on our new site`,
    preview: hasPassword ? 'You log in with the same password as before.' : 'Choose a password to log in.',
    heading: 'Your account has moved',
    blocks: compactBlocks(
      text(
        `Your ${brand} account is now at ${origin}.${looksLikeAddress(username) ? '' : ` Your username is ${username}.`} You can also log in with this email address.`,
      ),
      text(
        hasPassword
          ? 'Your password is the same as before.'
          : 'Choose a password first: enter this email address on the page below, and we will send you a link.',
      ),
      hasPassword
        ? button('Log in', `${origin}/auth?tab=login`)
        : button('Choose a password', `${origin}/forgot-password`),
    ),
    reason: `You received this email because you have an account at ${brand}.`,
  }),
})
