import * as z from 'zod/mini'
import { template } from '../template.ts'
import { button, present, quote, rows, text, words } from '../words.ts'

export const reportResolved = template({
  title: 'Report resolved',
  data: z.object({
    contentName: z.string(),
    status: z.optional(z.enum(['pending', 'reviewing', 'resolved', 'dismissed'])),
    adminNotes: words,
  }),
  sample: {
    contentName: 'Harbour News',
    status: 'resolved',
    adminNotes: 'The stream was restarted. Please switch the channel off and on once.',
  },
  write: ({ contentName, status, adminNotes }, { origin }) => {
    const isDismissed = status === 'dismissed'
    return {
      subject: isDismissed ? 'About your report' : 'Your report was resolved',
      preview: isDismissed ? `We looked into ${contentName}.` : `We took care of ${contentName}.`,
      heading: isDismissed ? 'We looked into it' : 'We took care of it',
      blocks: present(
        text(
          isDismissed
            ? 'Thank you for telling us. We looked into your report and closed it.'
            : 'Thank you for telling us. The problem you reported is solved.',
        ),
        rows(['You reported', contentName]),
        quote('Our note', adminNotes),
        button('See my reports', `${origin}/dashboard?tab=reports`),
        text('Still not right? Send another report, and we look again.'),
      ),
      reason: 'You get this mail because you reported a problem.',
    }
  },
})
