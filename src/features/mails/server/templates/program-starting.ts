import * as z from 'zod/mini'
import { button, compactBlocks, dateTime, facts, formatDateTime, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

export const programStarting = template({
  title: 'Program reminder',
  data: z.object({ title: z.string(), channelName: z.string(), channelId: z.int(), startsAt: dateTime }),
  sample: { title: 'Night Ferry', channelName: 'Harbor Drama', channelId: 12, startsAt: '2026-11-23T20:00:00.000Z' },
  write: ({ title, channelName, channelId, startsAt }, { brand, origin }) => ({
    subject: `Starting soon: ${title}`,
    preview: `On ${channelName} in a few minutes.`,
    heading: `${title} is about to start`,
    blocks: compactBlocks(
      text(`You asked us to remind you of this program.`),
      facts(['Channel', channelName], ['Starts', formatDateTime(startsAt)]),
      button('Watch now', `${origin}/watch/${channelId}`),
    ),
    reason: `You received this email because you set a reminder in the program guide of ${brand}.`,
  }),
})
