import * as z from 'zod/mini'
import { template } from '../template.ts'
import { button, note, notYou, passkeyRows, present, text } from '../words.ts'

const words = {
  added: { subject: 'A passkey was added', what: 'A new passkey opens your account now, without your password.' },
  removed: { subject: 'A passkey was removed', what: 'A passkey was removed. It opens your account no more.' },
}

export const passkeyChanged = template({
  title: 'Passkey',
  data: z.object({ username: z.optional(z.string()), change: z.enum(['added', 'removed']), name: z.string() }),
  sample: { username: 'olive', change: 'added', name: 'My phone' },
  write: ({ change, name }, { brand, origin }) => ({
    subject: `${words[change].subject} for your ${brand} account`,
    preview: words[change].what,
    heading: words[change].subject,
    blocks: present(
      text(words[change].what),
      passkeyRows([name]),
      note(notYou, 'warn'),
      button('Account security', `${origin}/security`),
    ),
  }),
})
