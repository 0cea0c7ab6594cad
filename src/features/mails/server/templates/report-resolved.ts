import * as z from 'zod/mini'
import { button, compactBlocks, facts, optionalText, quote, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

export const reportResolved = template({
  title: 'Report resolved',
  data: z.object({
    contentName: z.string(),
    status: z.optional(z.enum(['pending', 'reviewing', 'resolved', 'dismissed'])),
    adminNotes: optionalText,
  }),
  sample: {
    contentName: 'Harbor News',
    status: 'resolved',
    adminNotes: 'We restarted the stream. Please switch to another channel and back.',
  },
  write: ({ contentName, status, adminNotes }, { origin }) => {
    const isDismissed = status === 'dismissed'
    return {
      subject: isDismissed ? 'About your report' : 'Your report was resolved',
      preview: isDismissed ? `We looked into ${contentName}.` : `The problem with ${contentName} is fixed.`,
      heading: isDismissed ? 'We looked into it' : 'We fixed the problem',
      blocks: compactBlocks(
        text(
          isDismissed
            ? 'Thank you for letting us know. We looked into your report and closed it.'
            : 'Thank you for letting us know. The problem you reported is fixed.',
        ),
        facts(['You reported', contentName]),
        quote('Our note', adminNotes),
        button('See my reports', `${origin}/dashboard?tab=reports`),
        text('Still not working? Send another report and we will look again.'),
      ),
      reason: 'You received this email because you reported a problem.',
    }
  },
})
