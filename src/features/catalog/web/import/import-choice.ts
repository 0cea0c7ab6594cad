import type { PanelCategory } from '../../admin-import-contract.ts'
import type { ChannelCategory } from '../../contract.ts'

/** The catalog category for each of the panel's categories, by the id of the panel's category; null to skip it. */
export type Choice = Record<string, ChannelCategory | null>
/** Converts a choice to the input of the endpoint: for each catalog category, the ids of the panel's categories, separated by commas. */
export function chosenIds(choice: Choice): Partial<Record<ChannelCategory, string>> {
  const ids: Partial<Record<ChannelCategory, string>> = {}
  for (const [id, category] of Object.entries(choice))
    if (category) ids[category] = ids[category] === undefined ? id : `${ids[category]},${id}`
  return ids
}

/** Returns the totals of a choice over all categories. */
export function sumOf(categories: readonly PanelCategory[], choice: Choice) {
  const sum = { add: 0, map: 0, known: 0, double: 0, skipped: 0 }
  for (const { id, counts } of categories) {
    const outcomes = ['add', 'map', 'known', 'double'] as const
    for (const outcome of outcomes) sum[choice[id] ? outcome : 'skipped'] += counts[outcome]
  }
  return sum
}

type Logos = { fromPanel: boolean; waiting: number; kept: number; failed: number; failure: string | null }
/** Returns a text that says how many logos are fetched, and what channels show. */
export function logosText({ fromPanel, waiting, kept, failed, failure }: Logos): string {
  const all = waiting + kept + failed
  if (all === 0)
    return fromPanel ? 'The next import fetches the logos. Until then, channels show marks drawn from their names.' : ''
  if (!fromPanel)
    return `Channels show marks drawn from their names. ${kept} of the panel’s logos are kept for when you switch this on again.`
  const parts = [
    `${kept} of ${all} logos are fetched.`,
    waiting > 0 ? `${waiting} are still to be fetched.` : '',
    failed > 0 ? `${failed} failed, and their channels keep the drawn mark. The last failure: ${failure}` : '',
  ]
  return parts.filter(Boolean).join(' ')
}
