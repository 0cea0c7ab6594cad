import * as z from 'zod/mini'
import { channelCategories } from '#features/catalog/rules.ts'
import { incidentEnd, incidentUpdate, newIncident } from '../admin-contract.ts'
import { givenDaysForm } from '../admin-days-contract.ts'

/** Converts a `datetime-local` value in the browser's time zone to an ISO time in UTC; null if it is empty. */
const instantOf = (value: string): string | null => (value === '' ? null : new Date(value).toISOString())

const fields = z.object({
  kind: z.enum(['problem', 'outage', 'maintenance']),
  title: z.string(),
  text: z.string(),
  startsAt: z.string(),
  plannedUntil: z.string(),
  categories: z.array(z.string()),
  /** One name per line. */
  channels: z.string(),
})
export type NewIncidentFields = z.output<typeof fields>
export const emptyIncident: NewIncidentFields = {
  kind: 'problem',
  title: '',
  text: '',
  startsAt: '',
  plannedUntil: '',
  categories: [],
  channels: '',
}
/** Converts the form values of a new incident to the request body and validates it. */
export const newIncidentForm = z.pipe(
  z.pipe(
    fields,
    z.transform(
      ({
        kind,
        title,
        text,
        startsAt,
        plannedUntil,
        categories,
        channels,
      }: NewIncidentFields): z.input<typeof newIncident> => ({
        ...{ kind, title, text, startsAt: instantOf(startsAt) },
        plannedUntil: kind === 'maintenance' ? instantOf(plannedUntil) : null,
        categories: channelCategories.flatMap(({ id }) => (categories.includes(id) ? [id] : [])),
        channels: channels.split('\n').filter((line) => line.trim() !== ''),
      }),
    ),
  ),
  newIncident,
)

const updateFields = z.object({ text: z.string(), kind: z.enum(['', 'problem', 'outage']), plannedUntil: z.string() })
/** Converts the form values of an update to the request body and validates it. Only changed values are sent. */
export const updateForm = z.pipe(
  z.pipe(
    updateFields,
    z.transform(
      ({ text, kind, plannedUntil }: z.output<typeof updateFields>): z.input<typeof incidentUpdate> => ({
        text,
        ...(kind !== '' && { kind }),
        plannedUntil: instantOf(plannedUntil),
      }),
    ),
  ),
  incidentUpdate,
)

const endFields = z.object({ text: z.string(), endedAt: z.string(), notifies: z.boolean() })
/** Converts the form values for ending an incident to the request body and validates it. */
export const endForm = z.pipe(
  z.pipe(
    endFields,
    z.transform(
      ({ endedAt, ...values }: z.output<typeof endFields>): z.input<typeof incidentEnd> => ({
        ...values,
        endedAt: instantOf(endedAt),
      }),
    ),
  ),
  incidentEnd,
)

const daysFields = z.object({
  days: z.number('Please enter a number of days'),
  to: z.enum(['all', 'plans', 'reporters']),
  planIds: z.array(z.string()),
  reason: z.string(),
  emails: z.boolean(),
})
export type DaysFields = z.output<typeof daysFields>
/** Converts the form values for giving days back to the request body and validates it. The plans are sent only if the days are given by plan. */
export const daysBackForm = z.pipe(
  z.pipe(
    daysFields,
    z.transform(
      ({ planIds, ...values }: DaysFields): z.input<typeof givenDaysForm> => ({
        ...values,
        planIds: values.to === 'plans' ? planIds.map(Number) : [],
      }),
    ),
  ),
  givenDaysForm,
)
