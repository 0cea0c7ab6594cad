import * as z from 'zod/mini'
import {
  button,
  compactBlocks,
  note,
  notYouWarning,
  passkeyFacts,
  removedBlocks,
  removedCredentials,
  text,
} from '../mail-blocks.ts'
import { template } from '../template.ts'

export const passwordChanged = template({
  title: 'Password changed',
  data: z.object({
    username: z.optional(z.string()),
    removed: removedCredentials,
    kept: z.optional(z.array(z.string())),
  }),
  sample: { username: 'olive', removed: { passkeys: ['Old phone'] }, kept: ['My phone'] },
  write: ({ removed, kept = [] }, { brand, origin }) => ({
    subject: `Your ${brand} password was changed`,
    preview: 'You were logged out on all other devices.',
    heading: 'Your password was changed',
    blocks: compactBlocks(
      text('The password of your account was just changed, and you were logged out on all other devices.'),
      ...removedBlocks(removed),
      kept.length > 0 &&
        text('These passkeys can still log in to your account. Remove any that are not yours under Account Security.'),
      kept.length > 0 && passkeyFacts(kept),
      note(notYouWarning, 'warn'),
      button('Reset my password', `${origin}/forgot-password`),
    ),
  }),
})
