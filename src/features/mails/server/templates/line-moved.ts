import * as z from 'zod/mini'
import { button, note, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

export const lineMoved = template({
  title: 'TV login changed',
  data: z.object({}),
  sample: {},
  write: (_data, { brand, origin }) => ({
    subject: `Your ${brand} TV login has changed`,
    preview: 'Enter the new login on your devices.',
    heading: 'Your TV login has changed',
    blocks: [
      text(
        'We moved your line to another server. Please enter the server address, the username and the password from your account on each of your devices.',
      ),
      button('Show my TV login', `${origin}/dashboard`),
      note('For your security, we never send credentials by email.'),
    ],
    reason: 'You received this email because you have a TV login.',
  }),
})
