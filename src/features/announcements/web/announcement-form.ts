import * as z from 'zod/mini'
import { type AdminAnnouncement, announcementFields, emailsPerHour } from '../admin-contract.ts'

const fields = z.object({
  kind: z.enum(['service', 'news']),
  title: z.string(),
  summary: z.string(),
  body: z.string(),
  linkLabel: z.string(),
  linkPath: z.string(),
  audience: z.enum(['everyone', 'customers', 'active', 'ended', 'never', 'plans']),
  planIds: z.array(z.string()),
  onSite: z.boolean(),
  /** A `datetime-local` value in the browser's time zone. */
  siteUntil: z.string(),
  emails: z.boolean(),
  perHour: z.number('Please enter a number'),
})
export type FormFields = z.output<typeof fields>

const localTime = (instant: string | null): string => {
  if (instant === null) return ''
  const date = new Date(instant)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Returns the form values of a draft, or the initial values of a new draft. */
export const formOf = (draft: AdminAnnouncement | undefined): FormFields =>
  draft
    ? { ...draft, planIds: draft.planIds.map(String), siteUntil: localTime(draft.siteUntil) }
    : {
        ...{ kind: 'service', title: '', summary: '', body: '', linkLabel: '', linkPath: '' },
        ...{
          audience: 'everyone',
          planIds: [],
          onSite: true,
          siteUntil: '',
          emails: false,
          perHour: emailsPerHour.default,
        },
      }

/** Converts the form values to the request and validates them with its schema. Plans are used only for the audience `plans`. */
export const announcementForm = z.pipe(
  z.pipe(
    fields,
    z.transform(
      ({ planIds, siteUntil, perHour, ...values }: FormFields): z.input<typeof announcementFields> => ({
        ...values,
        planIds: values.audience === 'plans' ? planIds.map(Number) : [],
        siteUntil: values.onSite && siteUntil !== '' ? new Date(siteUntil).toISOString() : null,
        perHour: values.emails ? perHour : emailsPerHour.default,
      }),
    ),
  ),
  announcementFields,
)
