import * as z from 'zod/mini'
import {
  button,
  compactBlocks,
  facts,
  formatDateTime,
  note,
  notYouWarning,
  optionalDateTime,
  optionalText,
  text,
} from '../mail-blocks.ts'
import { template } from '../template.ts'

export const newLogin = template({
  title: 'New login',
  data: z.object({ username: z.optional(z.string()), at: optionalDateTime, device: optionalText, ip: optionalText }),
  sample: { username: 'olive', at: '2026-11-21T20:14:00.000Z', device: 'Firefox on Windows', ip: '203.0.113.7' },
  write: ({ at, device, ip }, { brand, origin }) => ({
    subject: `New login to your ${brand} account`,
    preview: device ? `From ${device}.` : 'From a new device.',
    heading: 'New login from a new device',
    blocks: compactBlocks(
      text(
        'Someone just logged in to your account from a device we have not seen before. If it was you, you do not need to do anything.',
      ),
      facts(['When', at ? formatDateTime(at) : null], ['Device', device], ['IP address', ip]),
      note(notYouWarning, 'warn'),
      button('Reset my password', `${origin}/forgot-password`),
    ),
  }),
})
