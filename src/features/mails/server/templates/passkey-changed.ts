import * as z from 'zod/mini'
import { button, compactBlocks, note, notYouWarning, passkeyFacts, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

const messages = {
  added: {
    subject: 'A passkey was added',
    body: 'A new passkey can now log in to your account without your password.',
  },
  removed: {
    subject: 'A passkey was removed',
    body: 'A passkey was removed. It can no longer log in to your account.',
  },
}

export const passkeyChanged = template({
  title: 'Passkey added or removed',
  data: z.object({ username: z.optional(z.string()), change: z.enum(['added', 'removed']), name: z.string() }),
  sample: { username: 'olive', change: 'added', name: 'My phone' },
  write: ({ change, name }, { brand, origin }) => ({
    subject: `${messages[change].subject} for your ${brand} account`,
    preview: messages[change].body,
    heading: messages[change].subject,
    blocks: compactBlocks(
      text(messages[change].body),
      passkeyFacts([name]),
      note(notYouWarning, 'warn'),
      button('Account security', `${origin}/security`),
    ),
  }),
})
