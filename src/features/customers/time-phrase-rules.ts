import { type AuditFacts as Facts, numberOf, type Phrase, textOf } from './phrase-rules.ts'

/** The timeline texts for manual changes of a customer's paid time. */
export const timePhrases: Record<'user.give_days' | 'user.move_subscription', (facts: Facts) => Phrase> = {
  'user.give_days': ({ after }) => ({
    title: 'Days given',
    detail: [
      numberOf(after, 'days') === 1 ? '1 day' : `${numberOf(after, 'days') ?? 'Some'} days`,
      textOf(after, 'reason'),
    ],
  }),
  'user.move_subscription': ({ before, after }) => ({
    title: 'Subscription moved',
    detail: [
      textOf(after, 'to') && `To ${textOf(after, 'to')}`,
      textOf(before, 'from') && `From ${textOf(before, 'from')}`,
    ],
  }),
}
