import * as z from 'zod/mini'
import { button, compactBlocks, facts, looksLikeAddress, note, notYouWarning, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

const messages = {
  tv: {
    subject: 'A TV was paired',
    body: 'A TV was paired with your account. It can play channels, and nothing else.',
  },
  app: {
    subject: 'A TV app was added',
    body: 'Credentials for a TV app were created. They can play channels, and nothing else.',
  },
}

export const deviceAdded = template({
  title: 'Device added',
  data: z.object({ username: z.optional(z.string()), kind: z.enum(['tv', 'app']), name: z.string() }),
  sample: { username: 'olive', kind: 'tv', name: 'Living room' },
  write: ({ kind, name }, { brand, origin }) => ({
    subject: `${messages[kind].subject} for your ${brand} account`,
    preview: messages[kind].body,
    heading: messages[kind].subject,
    blocks: compactBlocks(
      text(messages[kind].body),
      facts(['Name', looksLikeAddress(name) ? 'a name that looks like an address' : name]),
      note(notYouWarning, 'warn'),
      button('Your screens', `${origin}/screens`),
    ),
  }),
})
