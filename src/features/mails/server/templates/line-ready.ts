import * as z from 'zod/mini'
import { button, note, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

export const lineReady = template({
  title: 'TV login ready',
  data: z.object({}),
  sample: {},
  write: (_data, { brand, origin }) => ({
    subject: `Your ${brand} TV login is ready`,
    preview: 'Find it in your account, with instructions for your device.',
    heading: 'Your TV login is ready',
    blocks: [
      text(
        'Your server address, username and password are in your account. They differ from your login for this site.',
      ),
      button('Start watching', `${origin}/dashboard`),
      note('For your security, we never send credentials by email.'),
    ],
    reason: 'You received this email because you bought a subscription.',
  }),
})
