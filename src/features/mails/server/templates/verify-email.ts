import * as z from 'zod/mini'
import { template } from '../template.ts'
import { present, text } from '../words.ts'

export const verifyEmail = template({
  title: 'Verify e-mail address',
  data: z.object({ username: z.optional(z.string()) }),
  sample: { username: 'olive' },
  linksTo: '/verify-email',
  write: (_, { brand, link }) => ({
    subject: `Confirm your e-mail address for ${brand}`,
    preview: 'One click, and we know that our mails reach you.',
    heading: 'Is this your address?',
    blocks: present(
      text(
        `Please confirm that this address belongs to your ${brand} account, so that receipts and payment links reach you.`,
      ),
      { kind: 'button', label: 'Confirm my address', url: link, plain: true },
      text('The link works once and only for a limited time.'),
    ),
    reason:
      'You get this mail because this address was entered for an account. If it was not you, ignore it: nothing happens.',
  }),
})
