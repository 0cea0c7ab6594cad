import * as z from 'zod/mini'
import { template } from '../template.ts'
import { button, maybeWhen, moment, note, notYou, present, rows, text, words } from '../words.ts'

export const newLogin = template({
  title: 'New login',
  data: z.object({ username: z.optional(z.string()), at: maybeWhen, device: words, ip: words }),
  sample: { username: 'olive', at: '2026-11-21T20:14:00.000Z', device: 'Firefox on Windows', ip: '203.0.113.7' },
  write: ({ at, device, ip }, { brand, origin }) => ({
    subject: `New login to your ${brand} account`,
    preview: device ? `From ${device}.` : 'From a device we have not seen before.',
    heading: 'A new device logged in',
    blocks: present(
      text(
        'Somebody just logged in to your account from a device we have not seen before. If it was you, all is well.',
      ),
      rows(['When', at ? moment(at) : null], ['Device', device], ['Address', ip]),
      note(notYou, 'warn'),
      button('Reset my password', `${origin}/forgot-password`),
    ),
  }),
})
