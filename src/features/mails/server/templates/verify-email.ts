import * as z from 'zod/mini'
import { compactBlocks, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

export const verifyEmail = template({
  title: 'Verify email address',
  data: z.object({ username: z.optional(z.string()) }),
  sample: { username: 'olive' },
  linksTo: '/verify-email',
  write: (_, { brand, link }) => ({
    subject: `Confirm your email address for ${brand}`,
    preview: 'One click confirms that our emails reach you.',
    heading: 'Confirm your email address',
    blocks: compactBlocks(
      text(
        `Please confirm that this address belongs to your ${brand} account, so that receipts and payment links reach you.`,
      ),
      { kind: 'button', label: 'Confirm my address', url: link, plain: true },
      text('The link works once and expires after a limited time.'),
    ),
    reason:
      'You received this email because this address was entered for an account. If it was not you, ignore it: nothing will happen.',
  }),
})
